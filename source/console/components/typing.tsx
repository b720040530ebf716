import type {ReactNode} from 'react';
import type {Binding} from '../bindings.ts';
import {KeyScope} from '../key-scope.tsx';
import type {Key} from '../terminal/input/keys.ts';

type Props = {
	/** Takes a key while something is being typed; false while nothing is. */
	readonly onKey: (key: Key) => boolean;
	readonly children: ReactNode;
};

const nothing: ReadonlyArray<Binding<undefined>> = [];

/**
 * Takes what is typed right behind the key that opens a field, in the same burst: the scope of the
 * field is there only when it has been drawn, and until then letters would be commands.
 */
export function Typing({onKey, children}: Props) {
	return (
		<KeyScope title="Typing" bindings={nothing} target={undefined} onText={onKey}>
			{children}
		</KeyScope>
	);
}

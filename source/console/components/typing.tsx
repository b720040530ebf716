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
 * Takes what is typed while a field is open. Whether one is says the state behind it and not what is
 * drawn: letters right behind the key that opens it are text, too, and no commands.
 */
export function Typing({onKey, children}: Props) {
	return (
		<KeyScope title="Typing" bindings={nothing} target={undefined} onText={onKey}>
			{children}
		</KeyScope>
	);
}

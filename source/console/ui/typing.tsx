import type {ReactNode} from 'react';
import type {Bindings} from './bindings.ts';
import {KeyScope} from './key-scope.tsx';
import type {Key} from '../terminal/input/keys.ts';
import {editLine, insertText, type LineEdit} from './line-edit.ts';
import {useStore} from './use-store.ts';

type TypingProps = {
	/** Takes a key while something is being typed; false while nothing is. */
	readonly onKey: (key: Key) => boolean;
	/** Takes what is pasted; false while it has no use for it. */
	readonly onPaste?: (text: string) => boolean;
	/** A field takes characters while the screen is drawn: outer scopes then get none. */
	readonly takesCharacters?: boolean;
	readonly children: ReactNode;
};

const nothing: Bindings<object> = [];

/**
 * Takes what is typed while a field is open. Whether one is says the state behind it and not what is
 * drawn: letters right behind the key that opens it are text, too, and no commands.
 */
export function Typing({onKey, children, ...more}: TypingProps) {
	return (
		<KeyScope title="Typing" bindings={nothing} target={{}} onText={onKey} {...more}>
			{children}
		</KeyScope>
	);
}

/** A line of text outside React. */
export type TypedLine = {
	/** The line; undefined while it is not open for typing. */
	readonly get: () => LineEdit | undefined;
	readonly set: (line: LineEdit) => void;
	readonly subscribe: (listener: () => void) => () => void;
};

type LineProps<Target extends object> = {
	readonly line: TypedLine;
	/** The keys that are not text while the line is open. */
	readonly title: string;
	readonly bindings: Bindings<NoInfer<Target>>;
	readonly target: Target;
	readonly children: ReactNode;
};

/** Gives the keyboard to a line for as long as it is open. The line is drawn by the children. */
export function LineScope<Target extends object>({line, children, ...keys}: LineProps<Target>) {
	const isOpen = useStore(line, state => state !== undefined);
	return (
		<Typing onKey={key => typeInto(line, key)}>
			{children}
			{isOpen ? (
				<KeyScope
					isModal
					{...keys}
					onText={key => {
						typeInto(line, key);
						return true;
					}}
					onPaste={text => {
						const open = line.get();
						if (open !== undefined) line.set(insertText(open, text));
						return true;
					}}
				>
					{null}
				</KeyScope>
			) : null}
		</Typing>
	);
}

/** Edits an open line; false for a closed one, and for keys that edit nothing. */
function typeInto(line: TypedLine, key: Key): boolean {
	const open = line.get();
	const edited = open && editLine(open, key);
	if (edited !== undefined) line.set(edited);
	return edited !== undefined;
}

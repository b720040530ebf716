import {createContext, useContext, useLayoutEffect, useRef, type ReactNode} from 'react';
import {assertNoCollisions, reach, type Bindings, type Rebound} from './bindings.ts';
import {createKeymap, type Hold, type Keymap} from './keymap.ts';
import type {Key} from '../terminal/input/keys.ts';
import {editLine, insertText, type LineEdit} from './line-edit.ts';
import {useStore} from './painted.tsx';
import type {Readable} from '../../renter/state/store.ts';

type Place = {readonly keymap: Keymap; readonly depth: number; readonly rebound: Rebound};

const asWritten: Rebound = bindings => bindings;

const KeymapContext = createContext<Place>({
	keymap: createKeymap(),
	depth: 0,
	rebound: asWritten,
});

/** The keys of bindings as the user has chosen them. */
export const useRebound = (): Rebound => useContext(KeymapContext).rebound;

type RootProps = {
	readonly keymap: Keymap;
	readonly rebound?: Rebound;
	readonly children: ReactNode;
};

/** Gives the scopes below it the keymap that they enter. */
export function KeymapRoot({keymap, rebound = asWritten, children}: RootProps) {
	return <KeymapContext value={{keymap, depth: 0, rebound}}>{children}</KeymapContext>;
}

type Props<Target extends object> = {
	readonly title: string;
	readonly bindings: Bindings<NoInfer<Target>>;
	readonly target: Target;
	/** Hides the keys of every scope outside this one. */
	readonly isModal?: boolean;
	/** The scope is drawn over everything else: it gets keys first, wherever it stands. */
	readonly isOver?: boolean;
	/** The scope gets keys before those, too: it must not be lost behind them. */
	readonly isTop?: boolean;
	/** Characters are text here: the scopes outside are not offered under them. */
	readonly takesCharacters?: boolean;
	/** Takes what is typed and not bound here; false if it has no use for it. */
	readonly onText?: (key: Key) => boolean;
	/** Takes what is pasted; false if it has no use for it. */
	readonly onPaste?: (text: string) => boolean;
	/** Keeps what the keys act on as it is. */
	readonly onHold?: () => Hold;
	readonly children: ReactNode;
};

/** A depth beyond any nesting on a screen. */
const OVER_DEPTH = 1000;
const TOP_DEPTH = 2 * OVER_DEPTH;

/** Makes bindings reachable while the component is mounted. Nesting is their priority. */
export function KeyScope<Target extends object>(props: Props<Target>) {
	const {keymap, depth: nested, rebound} = useContext(KeymapContext);
	const {title, bindings, isModal = false, isOver = false, isTop = false} = props;
	const {takesCharacters = false} = props;
	const depth = nested + (isTop ? TOP_DEPTH : isOver ? OVER_DEPTH : 0);
	const hasText = props.onText !== undefined;
	const hasPaste = props.onPaste !== undefined;
	const latest = useRef(props);
	useLayoutEffect(() => {
		latest.current = props;
	});
	useLayoutEffect(() => {
		assertNoCollisions(title, bindings);
		return keymap.enter({
			title,
			depth,
			isModal,
			takesCharacters,
			bindings: () => reach(rebound(latest.current.bindings), latest.current.target),
			onText: hasText ? key => latest.current.onText?.(key) ?? false : undefined,
			onPaste: hasPaste ? text => latest.current.onPaste?.(text) ?? false : undefined,
			onHold: () => latest.current.onHold?.(),
		});
	}, [keymap, rebound, depth, title, bindings, isModal, takesCharacters, hasText, hasPaste]);
	return (
		<KeymapContext value={{keymap, rebound, depth: depth + 1}}>{props.children}</KeymapContext>
	);
}

type TypingProps = {
	/** Takes a key while a field is open; false otherwise. */
	readonly onKey: (key: Key) => boolean;
	/** Takes what is pasted; false while it has no use for it. */
	readonly onPaste?: (text: string) => boolean;
	/** A field takes characters while the screen is drawn: outer scopes then get none. */
	readonly takesCharacters?: boolean;
	readonly children: ReactNode;
};

const nothing: Bindings<object> = [];

/**
 * Takes typed text while a field is open. The state behind the field decides, not the drawn frame:
 * letters right behind the key that opens it are text, too, and no commands.
 */
export function Typing({onKey, children, ...more}: TypingProps) {
	return (
		<KeyScope title="Typing" bindings={nothing} target={{}} onText={onKey} {...more}>
			{children}
		</KeyScope>
	);
}

/** A line of text outside React; undefined while it is not open for typing. */
export type TypedLine = Readable<LineEdit | undefined> & {readonly set: (line: LineEdit) => void};

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

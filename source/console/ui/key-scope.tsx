import {createContext, useContext, useLayoutEffect, useRef, type ReactNode} from 'react';
import {assertNoCollisions, reach, type Bindings, type Rebound} from './bindings.ts';
import {createKeymap, type Keymap} from './keymap.ts';
import type {Key} from '../terminal/input/keys.ts';

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
	/** Target of the bindings. */
	readonly target: Target;
	/** Hides the keys of every scope outside this one. */
	readonly isModal?: boolean;
	/** It is drawn over everything else: it is asked first, wherever it stands. */
	readonly isOver?: boolean;
	/** It is asked before those, too: what it shows must not be lost behind them. */
	readonly isTop?: boolean;
	/** Characters are text here: the scopes outside are not offered under them. */
	readonly takesCharacters?: boolean;
	/** Takes what is typed and not bound here; false if it has no use for it. */
	readonly onText?: (key: Key) => boolean;
	/** Takes what is pasted; false if it has no use for it. */
	readonly onPaste?: (text: string) => boolean;
	readonly children: ReactNode;
};

/** Deeper than anything is nested on a screen. */
const OVER_DEPTH = 1000;
const TOP_DEPTH = 2 * OVER_DEPTH;

/** Makes bindings reachable while it is on screen. Nesting on screen is their priority. */
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
		});
	}, [keymap, rebound, depth, title, bindings, isModal, takesCharacters, hasText, hasPaste]);
	return (
		<KeymapContext value={{keymap, rebound, depth: depth + 1}}>{props.children}</KeymapContext>
	);
}

import {createContext, useContext, useLayoutEffect, useRef} from 'react';
import type {ReactNode} from 'react';
import {assertNoCollisions, reach} from './bindings.ts';
import type {Binding} from './bindings.ts';
import {createKeymap} from './keymap.ts';
import type {Keymap} from './keymap.ts';
import type {Key} from './terminal/input/keys.ts';

type Place = {readonly keymap: Keymap; readonly depth: number};

const KeymapContext = createContext<Place>({keymap: createKeymap(), depth: 0});

type RootProps = {readonly keymap: Keymap; readonly children: ReactNode};

/** Gives the scopes below it the keymap that they enter. */
export function KeymapRoot({keymap, children}: RootProps) {
	return <KeymapContext value={{keymap, depth: 0}}>{children}</KeymapContext>;
}

type Props<Target> = {
	readonly title: string;
	readonly bindings: ReadonlyArray<Binding<Target>>;
	/** What the bindings act on. */
	readonly target: Target;
	/** Hides the keys of every scope outside this one. */
	readonly isModal?: boolean;
	/** Takes what is typed and not bound here; false if it has no use for it. */
	readonly onText?: (key: Key) => boolean;
	readonly children: ReactNode;
};

/** Makes bindings reachable while it is on screen. Nesting on screen is their priority. */
export function KeyScope<Target>(props: Props<Target>) {
	const {keymap, depth} = useContext(KeymapContext);
	const {title, bindings, isModal = false} = props;
	const hasText = props.onText !== undefined;
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
			bindings: () => reach(latest.current.bindings, latest.current.target),
			onText: hasText ? key => latest.current.onText?.(key) ?? false : undefined,
		});
	}, [keymap, depth, title, bindings, isModal, hasText]);
	return <KeymapContext value={{keymap, depth: depth + 1}}>{props.children}</KeymapContext>;
}

import type {Reachable} from './bindings.ts';
import {createStore, type Readable} from '../../renter/state/store.ts';
import {characterOf, type Key} from '../terminal/input/keys.ts';

/** A part of the screen that has keys while it is shown. The innermost scope is asked first. */
type Scope = {
	readonly title: string;
	/** Depth of nesting: it is the priority. */
	readonly depth: number;
	/** Scopes outside it are not asked. */
	readonly isModal: boolean;
	/** Characters are text here: the scopes outside it are not offered under them. */
	readonly takesCharacters?: boolean;
	readonly bindings: () => readonly Reachable[];
	/** Takes what is typed while a text field has the keyboard; false if it has no use for it. */
	readonly onText: ((key: Key) => boolean) | undefined;
	/** Takes what is pasted at once; false if it has no use for it. */
	readonly onPaste?: ((text: string) => boolean) | undefined;
	/** Keeps what the keys act on as it is. */
	readonly onHold?: () => Hold | undefined;
};

/** Rows or lines that are kept in place while an overlay takes the keys that act on them. */
export type Hold = {
	/** Ends it, and leaves all as it is until an action is done. */
	readonly end: () => void;
	/** Shows what was held back. */
	readonly catchUp: () => void;
};

/** Ends a hold with an action on what was held; without one if none was chosen. */
export type Release = (act?: () => void) => void;

export type KeyOutcome =
	| {readonly kind: 'ran'}
	| {readonly kind: 'typed'}
	| {readonly kind: 'unavailable'; readonly binding: Reachable; readonly reason: string}
	| {readonly kind: 'dropped'; readonly binding: Reachable}
	| {readonly kind: 'unbound'};

/** A scope as help shows it: its title and what can be pressed in it. */
export type ReachableScope = {readonly title: string; readonly bindings: readonly Reachable[]};

export type Keymap = {
	/** Makes a scope's keys reachable; what it returns takes them away again. */
	readonly enter: (scope: Scope) => () => void;
	/** Acts on a key. In a burst of keys, those that open or confirm a change are dropped. */
	readonly press: (key: Key, isBurst?: boolean) => KeyOutcome;
	/** Gives a pasted text to the innermost scope that takes it; it is never read as keys. */
	readonly paste: (text: string) => boolean;
	/** Bindings that can be pressed now, innermost scope first. */
	readonly reachable: () => readonly ReachableScope[];
	/** Keeps what those bindings act on as it is, while one of them is chosen in an overlay. */
	readonly hold: () => Release;
	/** Counts changes of the scopes, for hints. */
	readonly changes: Readable<number>;
};

/** @param readOnly reason why the service must not be changed; undefined if it may */
export function createKeymap(readOnly?: string): Keymap {
	const scopes = new Map<number, Scope>();
	const changes = createStore(0);

	/** Innermost first; of two equally deep, the one that came later. */
	function ordered(): readonly Scope[] {
		return [...scopes.entries()]
			.toSorted(([a, left], [b, right]) => right.depth - left.depth || b - a)
			.map(([, scope]) => scope);
	}

	/** Scopes that no modal one hides. */
	function active(): readonly Scope[] {
		const all = ordered();
		const modal = all.findIndex(scope => scope.isModal);
		return modal === -1 ? all : all.slice(0, modal + 1);
	}

	/** The keys of a scope; where nothing may be changed, those that change say so. */
	function bindingsOf(scope: Scope): readonly Reachable[] {
		const bindings = scope.bindings();
		if (readOnly === undefined) return bindings;
		return bindings.map(binding =>
			binding.changesService ? {...binding, hint: undefined, unavailable: () => readOnly} : binding,
		);
	}

	/** Binding that works on every screen. */
	function alwaysBound(key: Key): Reachable | undefined {
		return ordered()
			.flatMap(bindingsOf)
			.find(({keys, isAlways}) => isAlways && keys.includes(key));
	}

	return {
		enter(scope) {
			const ticket = changes.get();
			scopes.set(ticket, scope);
			changes.set(ticket + 1);
			return () => {
				scopes.delete(ticket);
				changes.set(changes.get() + 1);
			};
		},
		press(key, isBurst = false) {
			let always: Reachable | undefined;
			for (const scope of active()) {
				const binding = bindingsOf(scope).find(({keys}) => keys.includes(key));
				if (binding !== undefined) return pressBinding(binding, isBurst);
				if (scope.onText === undefined) continue;
				always ??= alwaysBound(key);
				if (always === undefined && scope.onText(key)) return {kind: 'typed'};
			}
			always ??= alwaysBound(key);
			return always === undefined ? {kind: 'unbound'} : pressBinding(always, isBurst);
		},
		paste: text => active().some(scope => scope.onPaste?.(text) === true),
		changes,
		hold() {
			const holds = active().flatMap(({onHold}) => onHold?.() ?? []);
			return act => {
				for (const {end} of holds) end();
				act?.();
				for (const {catchUp} of holds) catchUp();
			};
		},
		reachable() {
			const all = active();
			const typing = all.findIndex(({takesCharacters}) => takesCharacters === true);
			const isOutside = (index: number) => typing !== -1 && index > typing;
			return all.map((scope, index) => ({
				title: scope.title,
				bindings: bindingsOf(scope).map(isOutside(index) ? withoutCharacters : same),
			}));
		},
	};
}

/** A binding as it can be pressed while characters are text: a blank still toggles. */
function withoutCharacters(binding: Reachable): Reachable {
	return {...binding, keys: binding.keys.filter(isNamed)};
}

const isNamed = (key: Key) => key === 'Space' || characterOf(key) === undefined;

const same = (binding: Reachable) => binding;

function pressBinding(binding: Reachable, isBurst: boolean): KeyOutcome {
	const reason = binding.unavailable();
	if (reason !== undefined) return {kind: 'unavailable', binding, reason};
	if (isBurst && binding.isChange) return {kind: 'dropped', binding};
	binding.run();
	return {kind: 'ran'};
}

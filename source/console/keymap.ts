import type {Reachable} from './bindings.ts';
import {createStore} from './store.ts';
import type {Store} from './store.ts';
import type {Key} from './terminal/input/keys.ts';

/** A part of the screen that has keys while it is shown. The innermost scope is asked first. */
export type Scope = {
	readonly title: string;
	/** How deeply it is nested: that is its priority. */
	readonly depth: number;
	/** Scopes outside it are not asked. */
	readonly isModal: boolean;
	readonly bindings: () => readonly Reachable[];
	/** Takes what is typed while a text field has the keyboard; false if it has no use for it. */
	readonly onText: ((key: Key) => boolean) | undefined;
};

/** What became of a key. */
export type Outcome =
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
	readonly press: (key: Key, isBurst?: boolean) => Outcome;
	/** What can be pressed now, innermost scope first. */
	readonly reachable: () => readonly ReachableScope[];
	/** Counts how often a scope came or went, for whoever shows what can be pressed. */
	readonly changes: Pick<Store<number>, 'get' | 'subscribe'>;
};

export function createKeymap(): Keymap {
	const scopes = new Map<number, Scope>();
	const changes = createStore(0);

	/** Innermost first; of two equally deep, the one that came later. */
	function active(): readonly Scope[] {
		const ordered = [...scopes.entries()]
			.toSorted(([a, left], [b, right]) => right.depth - left.depth || b - a)
			.map(([, scope]) => scope);
		const modal = ordered.findIndex(scope => scope.isModal);
		return modal === -1 ? ordered : ordered.slice(0, modal + 1);
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
			for (const scope of active()) {
				const binding = scope.bindings().find(({keys}) => keys.includes(key));
				if (binding !== undefined) return pressBinding(binding, isBurst);
				if (scope.onText?.(key) === true) return {kind: 'typed'};
			}
			return {kind: 'unbound'};
		},
		changes,
		reachable: () => active().map(({title, bindings}) => ({title, bindings: bindings()})),
	};
}

function pressBinding(binding: Reachable, isBurst: boolean): Outcome {
	const reason = binding.unavailable();
	if (reason !== undefined) return {kind: 'unavailable', binding, reason};
	if (isBurst && binding.isChange) return {kind: 'dropped', binding};
	binding.run();
	return {kind: 'ran'};
}

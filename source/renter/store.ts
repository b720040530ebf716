/** State outside React: a value, a way to change it, and word to whoever looks. */
export type Store<State> = {
	readonly get: () => State;
	readonly set: (next: State) => void;
	readonly subscribe: (listener: () => void) => () => void;
};

export function createStore<State>(initial: State): Store<State> {
	let state = initial;
	const listeners = new Set<() => void>();
	return {
		get: () => state,
		set(next) {
			if (Object.is(next, state)) return;
			state = next;
			for (const listener of listeners) listener();
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

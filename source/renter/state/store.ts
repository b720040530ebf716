import type {Timers} from './timers.ts';

/** State outside React: a value, its setter, and its subscribers. */
export type Store<State> = {
	readonly get: () => State;
	readonly set: (next: State) => void;
	readonly subscribe: (listener: () => void) => () => void;
};

/** A store that others can read and follow, and only its owner sets. */
export type Readable<State> = Pick<Store<State>, 'get' | 'subscribe'>;

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

/** A value computed from stores, again only when one of them has changed. */
export function derived<Made>(
	stores: ReadonlyArray<Readable<unknown>>,
	make: () => Made,
): Readable<Made> {
	let last: {readonly states: readonly unknown[]; readonly made: Made} | undefined;
	return {
		get() {
			const states = stores.map(store => store.get());
			if (last === undefined || states.some((state, at) => state !== last?.states[at])) {
				last = {states, made: make()};
			}
			return last.made;
		},
		subscribe(listener) {
			const stops = stores.map(store => store.subscribe(listener));
			return () => {
				for (const stop of stops) stop();
			};
		},
	};
}

/** A store that notifies debounced: frequent changes are drawn once. */
export function debounced<Value>(
	{get, subscribe}: Readable<Value>,
	after: Timers['after'],
	ms: number,
): Readable<Value> {
	return {
		get,
		subscribe(listener) {
			let cancel: (() => void) | undefined;
			const stop = subscribe(() => {
				cancel?.();
				cancel = after(ms, listener);
			});
			return () => {
				stop();
				cancel?.();
			};
		},
	};
}

/** A memoised function: returns its last result if it is called with the same arguments. */
export function once<Args extends readonly unknown[], Made>(make: (...args: Args) => Made) {
	let last: {readonly args: Args; readonly made: Made} | undefined;
	const call = (...args: Args): Made => {
		if (last === undefined || args.some((arg, at) => arg !== last?.args[at])) {
			last = {args, made: make(...args)};
		}
		return last.made;
	};
	return Object.assign(call, {forget: () => void (last = undefined)});
}

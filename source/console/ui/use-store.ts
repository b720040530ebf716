import {useSyncExternalStore} from 'react';
import type {Readable} from '../../renter/state/store.ts';

/** The state of a store, or a part of it: what asks is drawn anew when that changes. */
export function useStore<State>(store: Readable<State>): State;
export function useStore<State, Part>(store: Readable<State>, select: (state: State) => Part): Part;
export function useStore(
	{get, subscribe}: Readable<unknown>,
	select?: (state: unknown) => unknown,
): unknown {
	return useSyncExternalStore(subscribe, () => (select === undefined ? get() : select(get())));
}

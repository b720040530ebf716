import type {Timers} from '../../../renter/timers.ts';
import {createStore} from '../../../renter/store.ts';

/** Time in which a sweep can be taken back before anything is sent. */
export const HOLD_MS = 5000;

type Held = {readonly ids: readonly number[]; readonly cancel: () => void};

/** Something that is done in a moment, unless it is taken back. */
export function createHeldSweep() {
	const store = createStore<Held | undefined>(undefined);
	return {
		/** The held sweep; undefined for none. */
		get: store.get,
		hold({after}: Timers, ids: readonly number[], run: () => void) {
			store.get()?.cancel();
			const cancel = after(HOLD_MS, () => {
				store.set(undefined);
				run();
			});
			store.set({ids, cancel});
		},
		takeBack() {
			store.get()?.cancel();
			store.set(undefined);
		},
	};
}

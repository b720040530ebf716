/** Actions armed to run on instances without confirmation, and their cancellation. */
import {createStore, type Readable} from '../state/store.ts';

export type ArmedActions = Readable<ReadonlySet<number>> & {
	/**
	 * Registers an armed action of an instance, with a function that cancels it; the returned
	 * function unregisters it.
	 */
	readonly note: (id: number, stop: () => void) => () => void;
	/** Cancels the armed action; false if there is none. */
	readonly takeBack: (id: number) => boolean;
};

export function createArmedActions(): ArmedActions {
	const stops = new Map<number, () => void>();
	const store = createStore<ReadonlySet<number>>(new Set());
	const publish = () => store.set(new Set(stops.keys()));

	function forget(id: number): void {
		stops.delete(id);
		publish();
	}

	return {
		get: store.get,
		subscribe: store.subscribe,
		note(id, stop) {
			stops.set(id, stop);
			publish();
			return () => forget(id);
		},
		takeBack(id) {
			const stop = stops.get(id);
			stop?.();
			forget(id);
			return stop !== undefined;
		},
	};
}

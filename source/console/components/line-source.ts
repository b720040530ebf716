import type {LineSource} from './painted.tsx';

type Watched = {
	readonly get: () => unknown;
	readonly subscribe: (listener: () => void) => () => void;
};

/** Lines written from what some stores hold, and written again only when one of them changed. */
export function linesFrom(stores: readonly Watched[], write: () => readonly string[]): LineSource {
	let lines: readonly string[] = [];
	let writtenFrom: readonly unknown[] | undefined;
	return {
		lines() {
			const states = stores.map(store => store.get());
			if (writtenFrom === undefined || states.some((state, at) => state !== writtenFrom?.[at])) {
				lines = write();
				writtenFrom = states;
			}
			return lines;
		},
		subscribe(listener) {
			const stops = stores.map(store => store.subscribe(listener));
			return () => {
				for (const stop of stops) stop();
			};
		},
	};
}

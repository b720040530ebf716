/** Ends that did not happen: each is tried again after a growing pause, and the first in a row is told. */

const FIRST_PAUSE_MS = 30_000;
/** The longest pause between two tries. */
export const MOST_PAUSE_MS = 900_000;

type Failed = {readonly tries: number; readonly at: number};

/** @param steady milliseconds on a clock that never jumps */
export function createFailedEnds(steady: () => number) {
	const all = new Map<number, Failed>();
	return {
		/** True where the end of an instance may be tried. */
		isDue(id: number): boolean {
			const {tries, at} = all.get(id) ?? {tries: 0, at: 0};
			return tries === 0 || steady() - at >= pauseAfter(tries);
		},
		/** Notes a try that ended nothing; true for the first in a row. */
		add(id: number): boolean {
			const tries = (all.get(id)?.tries ?? 0) + 1;
			all.set(id, {tries, at: steady()});
			return tries === 1;
		},
		forget: (id: number): void => void all.delete(id),
	};
}

function pauseAfter(tries: number): number {
	return Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
}

import type {Input} from './input/input-filter.ts';

/** Asks the terminal whether it is well: the answer tells how long the link to it takes. */
const question = '\u001B[5n';
const answer = '\u001B[0n';

export type LinkClock = {
	/** Asks once, and tells the listener how many milliseconds the answer took. */
	readonly ask: (listener: (ms: number) => void) => void;
	/** Takes what the terminal sent; anything but the answer is left alone. */
	readonly hear: (input: Input) => void;
	/**
	 * Settles when no answer is on its way any more. It would be typed into whatever has the terminal
	 * when it comes. Undefined where none is.
	 */
	readonly settled: () => Promise<void> | undefined;
};

/** Some terminals never answer. */
const PATIENCE_MS = 1000;

/** Measures how long the terminal takes to answer, which over a network is the link to it. */
export function createLinkClock(write: (data: string) => void, now: () => number): LinkClock {
	let waiting: {readonly since: number; readonly listener: (ms: number) => void} | undefined;
	let onSettled: (() => void) | undefined;
	async function answered(): Promise<void> {
		await new Promise<void>(resolve => {
			onSettled = resolve;
			setTimeout(resolve, PATIENCE_MS);
		});
		waiting = undefined;
		onSettled = undefined;
	}

	return {
		ask(listener) {
			waiting = {since: now(), listener};
			write(question);
		},
		hear(input) {
			if (waiting === undefined || input.kind !== 'report' || input.sequence !== answer) return;
			const {since, listener} = waiting;
			waiting = undefined;
			onSettled?.();
			listener(now() - since);
		},
		settled: () => (waiting === undefined ? undefined : answered()),
	};
}

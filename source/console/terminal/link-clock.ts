import type {Input} from './input/input-filter.ts';

/** Asks the terminal whether it is well: the answer tells how long the link to it takes. */
const question = '\u001B[5n';
const answer = '\u001B[0n';

export type LinkClock = {
	/** Asks once, and tells the listener how many milliseconds the answer took. */
	readonly ask: (listener: (ms: number) => void) => void;
	/** Takes what the terminal sent; anything but the answer is left alone. */
	readonly hear: (input: Input) => void;
};

/** Measures how long the terminal takes to answer, which over a network is the link to it. */
export function createLinkClock(write: (data: string) => void, now: () => number): LinkClock {
	let waiting: {readonly since: number; readonly listener: (ms: number) => void} | undefined;
	return {
		ask(listener) {
			waiting = {since: now(), listener};
			write(question);
		},
		hear(input) {
			if (waiting === undefined || input.kind !== 'report' || input.sequence !== answer) return;
			const {since, listener} = waiting;
			waiting = undefined;
			listener(now() - since);
		},
	};
}

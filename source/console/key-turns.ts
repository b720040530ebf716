import type {Input} from './terminal/input/input-filter.ts';

/**
 * React draws in a microtask, or in a turn of the loop for which that microtask asks. Where it has much
 * to do it asks for another one.
 */
const TURNS = 3;

export type KeyTurns = {
	readonly take: (input: Input) => void;
	/** Forgets what waits: it was meant for what was on the screen before. */
	readonly drop: () => void;
	/** True if inputs wait for their turn. */
	readonly isWaiting: () => boolean;
};

/**
 * Hands over what was typed one by one. What came in one go with a key waits until React has drawn
 * what that key has opened or left, because only then is it known which keys there are.
 */
export function createKeyTurns(receive: (input: Input) => void): KeyTurns {
	const waiting: Input[] = [];
	let isBusy = false;

	function next(): void {
		const input = waiting.shift();
		isBusy = input !== undefined;
		if (input === undefined) return;
		try {
			receive(input);
		} finally {
			queueMicrotask(() => later(TURNS, next));
		}
	}

	return {
		take(input) {
			waiting.push(input);
			if (!isBusy) next();
		},
		drop() {
			waiting.length = 0;
		},
		isWaiting: () => waiting.length > 0,
	};
}

/** Calls so many turns of the loop later. */
function later(turns: number, run: () => void): void {
	if (turns === 0) run();
	else setImmediate(() => later(turns - 1, run));
}

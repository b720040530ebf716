import {setImmediate} from 'node:timers/promises';
import type {Time} from '../../source/client/exchange/time.ts';

/** Time that is moved by hand, in milliseconds. */
export function createHandTime(start = 1_795_000_000_000) {
	let now = start;
	const pauses = new Set<{readonly at: number; readonly end: () => void}>();

	const time: Time = {
		now: () => now,
		async pause(ms, signal) {
			signal?.throwIfAborted();
			const {promise, resolve, reject} = Promise.withResolvers<void>();
			const pause = {at: now + ms, end: resolve};
			const stop = () => reject(signal?.reason);
			pauses.add(pause);
			signal?.addEventListener('abort', stop, {once: true});
			try {
				await promise;
			} finally {
				pauses.delete(pause);
				signal?.removeEventListener('abort', stop);
			}
		},
	};

	/** Ends the pauses that end until a moment, in order, with what follows from each. */
	async function pass(ms: number): Promise<void> {
		const end = now + ms;
		await setImmediate();
		for (;;) {
			const [first] = [...pauses].filter(({at}) => at <= end).toSorted((a, b) => a.at - b.at);
			if (first === undefined) break;
			pauses.delete(first);
			now = Math.max(now, first.at);
			first.end();
			await setImmediate();
		}
		now = end;
	}

	return {...time, pass, /** How many wait. */ waiting: () => pauses.size};
}

/** Time in which every pause is over at once, and which remembers them. */
export function createSwiftTime(start = 1_795_000_000_000) {
	let now = start;
	const pauses: number[] = [];
	const time: Time = {
		now: () => now,
		async pause(ms, signal) {
			await setImmediate();
			signal?.throwIfAborted();
			pauses.push(ms);
			now += ms;
		},
	};
	return {
		...time,
		pauses,
		pass(ms: number): void {
			now += ms;
		},
	};
}

/** Time limit of an image's pull, because rented GPUs stand idle meanwhile. */
import type {Scheduler} from '../base/scheduler.ts';
import {DAY} from '../../contract/rules/durations.ts';

const FIRST_SECONDS = 3600;
/** Slowest connection for which a pull is awaited: 8 Mb/s. */
const BYTES_PER_SECOND = 1e6;
/** Upper limit, regardless of the size that a registry claims. */
const MOST_SECONDS = DAY;

/**
 * Seconds until the pull of an image is given up: an hour, plus its size over a slow connection.
 */
export function longestPull(bytes: number): number {
	return Math.min(MOST_SECONDS, FIRST_SECONDS + bytes / BYTES_PER_SECOND);
}

export type PullLimit = {
	/** Fires when the time is over. */
	readonly signal: AbortSignal;
	/** Records the size of the image as far as it is known. */
	readonly note: (bytes: number) => void;
	readonly end: () => void;
};

export function limitPull(scheduler: Scheduler): PullLimit {
	const over = new AbortController();
	const startedAt = scheduler.now();
	let known = 0;
	let cancel = scheduler.after(FIRST_SECONDS, check);

	function check(): void {
		const left = startedAt + longestPull(known) - scheduler.now();
		if (left > 0) cancel = scheduler.after(left, check);
		else over.abort();
	}

	return {
		signal: over.signal,
		note: bytes => (known = Math.max(known, bytes)),
		end: () => cancel(),
	};
}

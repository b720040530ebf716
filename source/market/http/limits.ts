/** Rate limits of calls, with the time as an argument. */
import type {Endpoint} from '../../contract/grammar/endpoint.ts';

/** Calls left in a bucket at a moment; the bucket refills with time. */
export type CallBucket = {readonly calls: number; readonly at: number};

type BucketSize = {
	readonly secondsPerCall: number;
	/** Calls that may be made at once after a pause. */
	readonly burst: number;
};

const READ_BURST = 10;
const WRITE_BURST = 5;

/** Burst of an endpoint, larger for reads, such as the pages of a list. */
export function burstOf({method, permission}: Pick<Endpoint, 'method' | 'permission'>): number {
	const isReading = method === 'GET' || permission === 'misc' || permission?.endsWith('_read');
	return isReading === true ? READ_BURST : WRITE_BURST;
}

/** Takes a call out of a bucket, or returns the seconds to wait for one. */
export function takeFromBucket(
	bucket: CallBucket | undefined,
	{secondsPerCall, burst}: BucketSize,
	now: number,
): {readonly bucket: CallBucket; readonly waitSeconds: number} {
	const {calls, at} = bucket ?? {calls: burst, at: now};
	// A clock that was set back must not empty the bucket.
	const filled = Math.min(burst, calls + Math.max(0, now - at) / secondsPerCall);
	// A refused call takes nothing, so that repeated calls do not prolong the wait.
	if (filled < 1 - ROUNDING) {
		return {bucket: {calls: filled, at: now}, waitSeconds: (1 - filled) * secondsPerCall};
	}
	return {bucket: {calls: Math.max(0, filled - 1), at: now}, waitSeconds: 0};
}

/** Tolerance for sums of fractions of seconds. */
const ROUNDING = 1e-6;

/** The most buckets; the least recently used ones are dropped. */
const MOST_BUCKETS = 10_000;

/** Takes a call out of a bucket shared by processes, like `takeFromBucket`. */
export type TakeSharedCall = (
	name: string,
	size: BucketSize,
	now: number,
) => Promise<ReturnType<typeof takeFromBucket>>;

type CallLimits = {
	/** Counts a call under a name, and returns the seconds to wait; 0 for an allowed call. */
	readonly take: (name: string, size: BucketSize, now: number) => Promise<number>;
	readonly size: () => number;
};

export function createCallLimits({
	most = MOST_BUCKETS,
	share,
}: {readonly most?: number; readonly share?: TakeSharedCall | undefined} = {}): CallLimits {
	const buckets = new Map<string, CallBucket>();

	/**
	 * Asks the shared bucket, unless this process's last copy, which is never emptier, already
	 * refuses.
	 */
	async function taken(name: string, size: BucketSize, now: number) {
		const own = takeFromBucket(buckets.get(name), size, now);
		return own.waitSeconds > 0 || share === undefined ? own : share(name, size, now);
	}

	return {
		async take(name, size, now) {
			const {bucket, waitSeconds} = await taken(name, size, now);
			// Moved to the end, so that the first is the least recently used.
			buckets.delete(name);
			buckets.set(name, bucket);
			const [oldest] = buckets.keys();
			if (buckets.size > most && oldest !== undefined) buckets.delete(oldest);
			return waitSeconds;
		},
		size: () => buckets.size,
	};
}

/** Limits of concurrent connections or calls, counted per owner. */
export type ConcurrencyLimits = {
	/** Counts one more, and returns a function that ends it; undefined if there are too many. */
	readonly enter: (name: string) => (() => void) | undefined;
};

export function createConcurrencyLimits(most: number): ConcurrencyLimits {
	const counts = new Map<string, number>();

	function leave(name: string): void {
		const count = (counts.get(name) ?? 0) - 1;
		if (count > 0) counts.set(name, count);
		else counts.delete(name);
	}

	return {
		enter(name) {
			const count = counts.get(name) ?? 0;
			if (count >= most) return undefined;
			counts.set(name, count + 1);
			return () => leave(name);
		},
	};
}

/** Rate limits of calls. The caller gives the time. */
import type {Endpoint} from '../../contract/grammar/endpoint.ts';

/** Calls that may still be made at once, counted at a moment. It fills up again with time. */
export type Bucket = {readonly calls: number; readonly at: number};

type BucketSize = {
	/** Seconds until one more call is allowed. */
	readonly secondsPerCall: number;
	/** Calls that may be made at once after a pause. */
	readonly burst: number;
};

const READ_BURST = 10;
const WRITE_BURST = 5;

/** Burst of an endpoint: reads may come in a burst, as lists do page by page. */
export function burstOf({method, permission}: Pick<Endpoint, 'method' | 'permission'>): number {
	const isReading = method === 'GET' || permission === 'misc' || permission?.endsWith('_read');
	return isReading === true ? READ_BURST : WRITE_BURST;
}

/** Takes one call out of a bucket; where there is none, says how many seconds to wait for it. */
export function takeCall(
	bucket: Bucket | undefined,
	{secondsPerCall, burst}: BucketSize,
	now: number,
): {readonly bucket: Bucket; readonly waitSeconds: number} {
	const {calls, at} = bucket ?? {calls: burst, at: now};
	// A clock that was set back takes nothing away.
	const filled = Math.min(burst, calls + Math.max(0, now - at) / secondsPerCall);
	// A refused call takes nothing out, so that asking again and again does not put off the answer.
	if (filled < 1 - ROUNDING) {
		return {bucket: {calls: filled, at: now}, waitSeconds: (1 - filled) * secondsPerCall};
	}
	return {bucket: {calls: Math.max(0, filled - 1), at: now}, waitSeconds: 0};
}

/** Waits are told in fractions of seconds, which do not add up to the last digit. */
const ROUNDING = 1e-6;

/** The most buckets that are remembered: then those that were not used the longest are forgotten. */
const MOST_BUCKETS = 10_000;

/** Takes a call out of the bucket that several processes share, as `takeCall` does out of one's own. */
export type Share = (
	name: string,
	size: BucketSize,
	now: number,
) => Promise<ReturnType<typeof takeCall>>;

type CallLimits = {
	/** Counts a call under a name, and says how many seconds it has to wait: 0 where it may be made. */
	readonly take: (name: string, size: BucketSize, now: number) => Promise<number>;
	readonly size: () => number;
};

export function createCallLimits({
	most = MOST_BUCKETS,
	share,
}: {readonly most?: number; readonly share?: Share | undefined} = {}): CallLimits {
	const buckets = new Map<string, Bucket>();

	/** Others only take out of a shared bucket: what is too soon by one's own last look needs no other. */
	async function taken(name: string, size: BucketSize, now: number) {
		const own = takeCall(buckets.get(name), size, now);
		return own.waitSeconds > 0 || share === undefined ? own : share(name, size, now);
	}

	return {
		async take(name, size, now) {
			const {bucket, waitSeconds} = await taken(name, size, now);
			// Put at the end again: the first is the one that was not used the longest.
			buckets.delete(name);
			buckets.set(name, bucket);
			const [oldest] = buckets.keys();
			if (buckets.size > most && oldest !== undefined) buckets.delete(oldest);
			return waitSeconds;
		},
		size: () => buckets.size,
	};
}

/** Limits of concurrent things, counted per owner. */

export type ConcurrencyLimits = {
	/** Counts one more; answers what ends it, or undefined where there are too many. */
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

/** Rate limits of endpoints. Pure functions: the caller passes the time. */
import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';

export type Pace = {
	/**
	 * The least seconds between two calls, on average: from the contract, or from a later reply of
	 * the service.
	 */
	readonly usualSeconds: number;
	/**
	 * Factor by which the endpoint is slowed because the service answered "too many calls": at
	 * least 1.
	 */
	readonly slowness: number;
	/** Calls that may be made at once after a pause. */
	readonly burst: number;
	/** Calls that may still be made at once, counted at a moment in milliseconds. */
	readonly calls: number;
	readonly at: number;
	/** Moment until which no call is made, in milliseconds. */
	readonly closedUntil: number;
	/** Count of "too many calls" replies. */
	readonly refusals: number;
};

/** Headers and body of a "too many calls" reply. */
export type TooMany = {
	readonly retryAfterSeconds?: number | undefined;
	readonly thresholdSeconds?: number | undefined;
};

const LONGEST_INTERVAL_SECONDS = 60;

/** Interval for a refused endpoint that has no threshold, before it is slowed further. */
const FIRST_INTERVAL_SECONDS = 1;

const SLOWER = 1.5;

/** Speed-up after each success: some twenty successes bring a minute back to a second. */
const FASTER = 1.25;

/** Burst of reads, because lists are read page by page. Our own market allows as many. */
const READ_BURST = 10;
const CHANGE_BURST = 5;

const ROUNDING_MS = 1e-3;

export function startPace(endpoint: Endpoint, scale: number, now: number): Pace {
	const burst = isReading(endpoint) ? READ_BURST : CHANGE_BURST;
	return {
		usualSeconds: (endpoint.thresholdSeconds ?? 0) * scale,
		slowness: 1,
		burst,
		calls: burst,
		at: now,
		closedUntil: 0,
		refusals: 0,
	};
}

/** The seconds between two calls at present. */
export function intervalOf({usualSeconds, slowness}: Pace): number {
	return Math.min(usualSeconds * slowness, Math.max(LONGEST_INTERVAL_SECONDS, usualSeconds));
}

/**
 * Milliseconds that a call has to wait. The last call of a burst is reserved for calls that a
 * person waits for.
 */
export function waitFor(pace: Pace, isUrgent: boolean, now: number): number {
	const interval = intervalOf(pace) * 1000;
	const closed = Math.max(0, pace.closedUntil - now);
	if (interval === 0) return closed;
	const needed = isUrgent || burstOf(pace) === 1 ? 1 : 2;
	// Whole milliseconds: sums of fractions are inexact.
	const untilThere = Math.ceil((needed - fill(pace, now)) * interval - ROUNDING_MS);
	return Math.max(closed, untilThere, 0);
}

export function countCall(pace: Pace, now: number): Pace {
	return {...pace, calls: Math.max(0, fill(pace, now) - 1), at: now};
}

export function slowDown(
	pace: Pace,
	{thresholdSeconds, retryAfterSeconds}: TooMany,
	now: number,
): Pace {
	const usualSeconds = Math.min(
		thresholdSeconds ?? (pace.usualSeconds || FIRST_INTERVAL_SECONDS),
		Math.max(LONGEST_INTERVAL_SECONDS, pace.usualSeconds),
	);
	const slowest = Math.max(1, LONGEST_INTERVAL_SECONDS / usualSeconds);
	const slower = {...pace, usualSeconds, slowness: Math.min(pace.slowness * SLOWER, slowest)};
	const pauseSeconds = Math.min(retryAfterSeconds ?? intervalOf(slower), LONGEST_INTERVAL_SECONDS);
	const closedUntil = now + pauseSeconds * 1000;
	// One call may go as soon as the pause ends.
	return {...slower, calls: 1, at: closedUntil, closedUntil, refusals: pace.refusals + 1};
}

export function speedUp(pace: Pace): Pace {
	if (pace.slowness === 1) return pace;
	const slowness = pace.slowness / FASTER;
	return {...pace, slowness: slowness < 1.05 ? 1 : slowness};
}

/** A slowed pace allows no bursts. */
function burstOf({slowness, burst}: Pace): number {
	return slowness > 1 ? 1 : burst;
}

function fill(pace: Pace, now: number): number {
	const interval = intervalOf(pace) * 1000;
	if (interval === 0) return burstOf(pace);
	return Math.min(burstOf(pace), pace.calls + Math.max(0, now - pace.at) / interval);
}

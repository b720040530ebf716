import {isReading} from '../../contract/grammar/endpoint.ts';
import {ApiError, NetworkError} from './errors.ts';
import type {Time} from './time.ts';
import type {Send} from './transport.ts';

/** Longest retry delay; longer waits are left to the caller. */
const LONGEST_WAIT_MS = 30_000;

const FIRST_WAIT_MS = 250;
const FIRST_WAIT_WHEN_TOO_MANY_MS = 1000;

/** Retryable statuses: the service, or a proxy before it, may succeed in a moment. */
const passing: ReadonlySet<number> = new Set([500, 502, 503, 504]);

export type FailedAttempt = {
	readonly error: unknown;
	/** True if the call changes nothing. */
	readonly isReading: boolean;
	/** Count of attempts so far: at least 1. */
	readonly sent: number;
	/** A number from 0 to 1 for the jitter. */
	readonly chance: number;
};

/**
 * Milliseconds to wait before a call is retried; undefined if it must not be retried, or retrying
 * is useless. A change is retried only if the service certainly did not act: it refused because of
 * too many calls, or there was no connection. A timeout is not retried: the caller has waited long
 * enough.
 */
export function repeatAfter(failure: FailedAttempt): number | undefined {
	const {error} = failure;
	const waitMs = isWorthIt(failure) ? waitOf(failure) : undefined;
	const wantedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
	const longerMs = waitMs === undefined ? undefined : Math.max(waitMs, wantedMs);
	return longerMs !== undefined && longerMs <= LONGEST_WAIT_MS ? longerMs : undefined;
}

function isWorthIt({error, isReading: isSafe}: FailedAttempt): boolean {
	if (error instanceof ApiError) {
		return error.status === 429 || (isSafe && passing.has(error.status));
	}
	if (!(error instanceof NetworkError) || error.isFinal) return false;
	return isSafe || !error.mayHaveActed;
}

/** Exponential backoff; the jitter subtracts up to half of it. */
function waitOf({error, sent, chance}: FailedAttempt): number {
	const isTooMany = error instanceof ApiError && error.status === 429;
	const first = isTooMany ? FIRST_WAIT_WHEN_TOO_MANY_MS : FIRST_WAIT_MS;
	return Math.min(first * 2 ** (sent - 1), LONGEST_WAIT_MS) * (1 - chance / 2);
}

export type RetryOptions = {
	readonly repeats: number;
	readonly time: Time;
	/** At least 0, below 1. */
	readonly random: () => number;
	readonly closed: AbortSignal;
};

export function retrying(send: Send, {repeats, time, random, closed}: RetryOptions): Send {
	async function pauseFor(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
		const ends = signal === undefined ? closed : AbortSignal.any([signal, closed]);
		try {
			await time.pause(waitMs, ends);
		} catch (error) {
			signal?.throwIfAborted();
			if (!closed.aborted) throw error;
		}
	}

	return async call => {
		for (let sent = 1; ; sent += 1) {
			try {
				return await send(call);
			} catch (error) {
				call.signal?.throwIfAborted();
				const isSafe = isReading(call.endpoint);
				const waitMs = repeatAfter({error, isReading: isSafe, sent, chance: random()});
				if (waitMs === undefined || sent > repeats) throw error;
				await pauseFor(waitMs, call.signal);
				// A closed client has no caller left for another attempt.
				if (closed.aborted) throw error;
			}
		}
	};
}

import {ApiError} from '../../client/exchange/errors.ts';
import {sentenceOf} from '../../contract/rules/thrown.ts';
import {pause, type Scheduler} from './scheduler.ts';

const FIRST_DELAY_SECONDS = 0.5;
const LONGEST_DELAY_SECONDS = 15;

/**
 * Backoff in seconds: doubles with each failure, to a limit. The jitter, from a chance between 0
 * and 1, subtracts up to half of it, so that not all hosts return at once.
 */
export function retryDelay(failures: number, chance: number): number {
	const delay = Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (failures - 1));
	return delay * (1 - chance / 2);
}

/** True if the market refuses this key for good. */
export function isKeyRefusedForGood(error: unknown): boolean {
	return error instanceof ApiError && (error.isKeyRefused || error.status === 403);
}

/** True if the market will refuse the same call every time. */
export function isRefused(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	return error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status);
}

export type RetryTools = {
	readonly scheduler: Scheduler;
	/** At least 0, below 1. */
	readonly random: () => number;
	readonly log: (line: string) => void;
	readonly signal: AbortSignal;
};

/**
 * Retries until it succeeds.
 *
 * @throws the last error, if it is final or the signal has fired.
 */
export async function persist<Result>(
	attempt: () => Promise<Result>,
	isUseless: (error: unknown) => boolean,
	{scheduler, random, log, signal}: RetryTools,
): Promise<Result> {
	for (let failures = 1; ; failures += 1) {
		try {
			const result = await attempt();
			if (failures > 1) log('It works again.');
			return result;
		} catch (error) {
			if (signal.aborted || isUseless(error)) throw error;
			// Log only the first of consecutive failures.
			if (failures === 1) log(`${sentenceOf(error)}. Trying again.`);
			await pause(scheduler, retryDelay(failures, random()), signal);
			signal.throwIfAborted();
		}
	}
}

/** Error for a final failure to start an instance: a retry cannot succeed. */
export class CannotStart extends Error {
	override readonly name = 'CannotStart';
}

/** Retries of calls to the market, and the failures that end them. */
import {ApiError} from '../client/exchange/errors.ts';
import {sentenceOf} from '../contract/rules/thrown.ts';
import {pause, type Scheduler} from './scheduler.ts';

const FIRST_DELAY_SECONDS = 0.5;
const LONGEST_DELAY_SECONDS = 15;

/**
 * Seconds to wait after a failure: twice as long after each, to a limit. Chance, a number from 0
 * to 1, takes up to half of it away, so that not all hosts return in the same moment.
 */
export function retryDelay(failures: number, chance: number): number {
	const delay = Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (failures - 1));
	return delay * (1 - chance / 2);
}

/** True if the market refuses this key for good. */
export function isShutOut(error: unknown): boolean {
	return error instanceof ApiError && (error.isKeyRefused || error.status === 403);
}

/** True if the market will refuse the same call however often it is made. */
export function isRefused(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	return error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status);
}

export type RetryTools = {
	readonly scheduler: Scheduler;
	/** At least 0, below 1. */
	readonly random: () => number;
	readonly log: (line: string) => void;
	/** Ends the retries. */
	readonly signal: AbortSignal;
};

/**
 * Tries until it succeeds.
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
			// The log needs the first failure only.
			if (failures === 1) log(`${sentenceOf(error)}. Trying again.`);
			await pause(scheduler, retryDelay(failures, random()), signal);
			signal.throwIfAborted();
		}
	}
}

/** Final failure to start an instance: another try cannot succeed. */
export class CannotStart extends Error {
	override readonly name = 'CannotStart';
}

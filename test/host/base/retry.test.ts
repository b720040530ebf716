import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {ApiError, NetworkError} from '../../../source/client/exchange/errors.ts';
import {
	isRefused,
	isKeyRefusedForGood,
	persist,
	retryDelay,
} from '../../../source/host/base/retry.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';

function refusal(status: number): ApiError {
	return new ApiError('try', {status, code: undefined, serverSays: undefined});
}

test('each wait is at most twice the one before, never none, and never more than a quarter of a minute', () => {
	fc.assert(
		fc.property(
			fc.integer({min: 1, max: 100}),
			fc.double({min: 0, max: 1, noNaN: true}),
			(n, chance) => {
				const delay = retryDelay(n, chance);
				expect(delay).toBeGreaterThan(0);
				expect(delay).toBeLessThanOrEqual(15);
				expect(retryDelay(n + 1, chance)).toBeGreaterThanOrEqual(delay);
				expect(retryDelay(n + 1, chance)).toBeLessThanOrEqual(2 * delay);
			},
		),
	);
});

test.each<readonly [error: Error, shutOut: boolean, refused: boolean]>([
	[refusal(401), true, true],
	[refusal(403), true, true],
	[refusal(400), false, true],
	[refusal(404), false, true],
	[refusal(429), false, false],
	[refusal(503), false, false],
	[new NetworkError('try', new Error('no')), false, false],
])('%s is known for what it is', (error, shutOut, refused) => {
	expect([isKeyRefusedForGood(error), isRefused(error)]).toEqual([shutOut, refused]);
});

test('what fails is tried until it succeeds, and the log has a line for the first failure and one for the end', async () => {
	const scheduler = createHandScheduler();
	const log: string[] = [];
	const patience = {
		scheduler,
		random: () => 0,
		log: (line: string) => log.push(line),
		signal: new AbortController().signal,
	};
	let tries = 0;
	const attempt = async () => {
		tries += 1;
		if (tries < 5) throw new Error('Could not try');
		return tries;
	};
	const result = persist(attempt, () => false, patience);
	await scheduler.until(() => tries === 5);
	expect(await result).toBe(5);
	expect(log).toEqual(['Could not try. Trying again.', 'It works again.']);
});

test('what is useless is tried once, and nothing is tried when the signal has fired', async () => {
	const scheduler = createHandScheduler();
	const stopping = new AbortController();
	const patience = {scheduler, random: () => 0, log: () => undefined, signal: stopping.signal};
	let tries = 0;
	const attempt = async () => {
		tries += 1;
		throw new Error(`no ${tries}`);
	};
	await expect(persist(attempt, () => true, patience)).rejects.toThrow('no 1');
	const waiting = persist(attempt, () => false, patience);
	stopping.abort();
	await expect(waiting).rejects.toThrow('no 2');
	expect([tries, scheduler.planned()]).toEqual([2, 0]);
});

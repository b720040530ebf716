import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createSweeper} from '../../../source/market/base/sweeper.ts';
import {createHandClock, TEST_NOW} from '../../helpers/market/market.ts';

/** A sweeper whose sweeps end when they are told to. */
function openSweeps() {
	const clock = createHandClock(TEST_NOW);
	const sweeps: Array<{readonly now: number; readonly end: () => void}> = [];
	const sweeper = createSweeper(
		async now => {
			const {promise, resolve} = Promise.withResolvers<void>();
			sweeps.push({now, end: resolve});
			await promise;
		},
		clock,
		{log: () => undefined},
	);
	return {clock, sweeps, sweeper};
}

test('calls do not wait for a sweep that began in time and goes on for long', async () => {
	const {clock, sweeps, sweeper} = openSweeps();
	const first = sweeper.sweep();
	await setImmediate();
	clock.pass(60);
	await sweeper.catchUp();
	expect(sweeps).toHaveLength(1);
	sweeps[0]?.end();
	await first;
});

test('calls after a pause of the machine all wait for one sweep', async () => {
	const {clock, sweeps, sweeper} = openSweeps();
	const first = sweeper.sweep();
	await setImmediate();
	sweeps[0]?.end();
	await first;
	clock.pass(60);
	let answered = 0;
	const calls = [1, 2, 3].map(async () => {
		await sweeper.catchUp();
		answered += 1;
	});
	await setImmediate();
	expect([answered, sweeps.length]).toEqual([0, 2]);
	sweeps[1]?.end();
	await Promise.all(calls);
	expect([answered, sweeps.length]).toEqual([3, 2]);
});

import {expect, test} from 'vitest';
import type {KyselyPlugin} from 'kysely';
import {createSweep} from '../../../source/market/sweep/sweep.ts';
import {openBilledWorld, SHARE} from '../../helpers/market/billing.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

/** A world whose sweeps count what they ask of the database. */
async function openCounted() {
	const world = await openBilledWorld();
	const asked = {count: 0};
	const counting: KyselyPlugin = {
		transformQuery: ({node}) => node,
		async transformResult({result}) {
			asked.count += 1;
			return result;
		},
	};
	const {patience, workSignal, changes} = world;
	const swept = {database: world.database.withPlugin(counting), patience, workSignal, share: SHARE};
	const sweep = createSweep(swept, changes);
	return {
		...world,
		/** Statements of a sweep. */
		async count(now: number): Promise<number> {
			asked.count = 0;
			await sweep(now, 'urgent');
			return asked.count;
		},
		[Symbol.asyncDispose]: async () => world[Symbol.asyncDispose](),
	};
}

test('a sweep in which nothing is due asks one question, also where instances run', async () => {
	await using world = await openCounted();
	await world.hear(TEST_NOW);
	for (const at of [1, 6]) await world.count(TEST_NOW + at);
	expect(await world.count(TEST_NOW + 7)).toBe(1);
	expect(await world.count(TEST_NOW + 8)).toBe(1);
	// Credit is looked at every five seconds.
	expect(await world.count(TEST_NOW + 11)).toBeGreaterThan(1);
	expect(await world.count(TEST_NOW + 12)).toBe(1);
});

import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {openLyingDay} from '../../helpers/fleet/lying-day.ts';
import {openFolder} from '../../helpers/folder.ts';
import {runs} from '../../helpers/property.ts';

const seeds = fc.noShrink(fc.nat());

test('a market that lies for a day has nothing ended but what is due, and little told and kept', async () => {
	const check = fc.asyncProperty(seeds, async seed => {
		using folder = openFolder();
		await using day = await openLyingDay(folder.path, seed);
		await day.pass(86_400);
		expect(day.early()).toEqual([]);
		expect(await day.lost()).toEqual([]);
		expect(day.told.length).toBeLessThanOrEqual(25 * 30);
		const sizes = readdirSync(folder.path).map(file => statSync(join(folder.path, file)).size);
		expect(Math.max(...sizes)).toBeLessThan(200_000);
		expect(JSON.stringify(day.fleet.state.get()).length).toBeLessThan(1_000_000);
		day.calm();
		await day.pass(2400);
		await setImmediate();
		expect(await day.overdue()).toEqual([]);
	});
	await fc.assert(check, {numRuns: runs(4)});
}, 300_000);

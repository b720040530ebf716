import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Charge} from '../../../../source/console/queries/account.ts';
import {perDay, sumsOf} from '../../../../source/console/screens/account/account-screen.tsx';
import {plot} from '../../../../source/console/ui/panes.ts';
import {openTestConsole} from '../../../helpers/console.ts';
import {openTestMarket} from '../../../helpers/market.ts';

const TODAY = 20_000;

const charge: fc.Arbitrary<Charge> = fc.record({
	source: fc.constantFrom('instance-1', 'instance-2', 'volume-3'),
	description: fc.constant('something'),
	day: fc.integer({min: TODAY - 13, max: TODAY}),
	dollars: fc.integer({min: 0, max: 1000}),
});

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

test('by instance, by day and in the plot the same money is added up', () => {
	fc.assert(
		fc.property(fc.array(charge), list => {
			const total = list.reduce((sum, {dollars}) => sum + dollars, 0);
			expect(add(sumsOf({list}, 'thing').map(({dollars}) => dollars))).toBe(total);
			expect(add(sumsOf({list}, 'day').map(({dollars}) => dollars))).toBe(total);
			expect(add(perDay({list, today: TODAY}))).toBe(total);
		}),
	);
});

test('the dearest comes first, and of days the latest', () => {
	const list: readonly Charge[] = [
		{source: 'a', description: 'Instance 1', day: TODAY - 1, dollars: 1},
		{source: 'b', description: 'Instance 2', day: TODAY - 2, dollars: 2},
		{source: 'b', description: 'Instance 2', day: TODAY, dollars: 1},
	];
	expect(sumsOf({list}, 'thing').map(({name, parts}) => [name, parts])).toEqual([
		['Instance 2', 2],
		['Instance 1', 1],
	]);
	expect(sumsOf({list}, 'day').map(({name}) => name)).toEqual([
		'2024-10-04',
		'2024-10-03',
		'2024-10-02',
	]);
});

test('the largest amount is drawn the highest, and the smallest is never drawn as nothing', () => {
	expect(plot([0, 0.001, 5, 10], 4)).toEqual([
		'          ##',
		'          ##',
		'       ## ##',
		'    ## ## ##',
	]);
	expect(plot([0, 0], 2)).toEqual(['      ', '      ']);
});

test('at 80x24 the account says what there is and what was charged', async () => {
	await using market = await openTestMarket({offers: 0});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('12:41:07');
	rentty.type('$');
	await rentty.sees('per day');
	await rentty.sees(/credit +\$/);
	expect(await rentty.shown()).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		[1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		ACCOUNT
		 credit      $100.00
		 balance     $100.00 by the ledger
		 burn        $0.00/h now, at most $0.00/h, without volumes
		 when empty  what runs is stopped; disks and volumes go on costing
		----------------------------------------------------- charged in 14 days: $0.00
		  WHAT IT WAS FOR                             CHARGED     %   DAYS




		--------------------------------------------------------------------------------
		 per day, at most -





		 2026-11-08                      2026-11-21


		Tab by instance, by day  Enter volumes  R refresh  ? help  a actions  q quit"
	`);
});

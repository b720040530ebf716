import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Charge} from '../../../../source/console/queries/account.ts';
import {
	spendingGroupings,
	perDay,
	sumsOf,
} from '../../../../source/console/screens/account/spending.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

const TODAY = 20_000;

const charge: fc.Arbitrary<Charge> = fc.record({
	source: fc.constantFrom('instance-1', 'instance-2', 'volume-3'),
	description: fc.constant('something'),
	label: fc.constantFrom('', 'a', 'b'),
	gpu: fc.constantFrom(undefined, 'RTX 4090'),
	day: fc.integer({min: TODAY - 13, max: TODAY}),
	dollars: fc.integer({min: 0, max: 1000}),
});

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

test('by label, GPU, day, week and in the plot the same money is added up', () => {
	fc.assert(
		fc.property(fc.array(charge), list => {
			const total = list.reduce((sum, {dollars}) => sum + dollars, 0);
			for (const by of spendingGroupings) {
				expect(add(sumsOf(list, by).map(({dollars}) => dollars))).toBe(total);
			}
			expect(add(perDay({list, first: TODAY - 13, today: TODAY}))).toBe(total);
		}),
	);
});

const of = (label: string, day: number, dollars: number, gpu?: string): Charge => ({
	source: `instance-${label}`,
	description: `Instance ${label}`,
	label,
	gpu,
	day,
	dollars,
});

const isRented = (source: string) => source !== 'instance-b';

test('the dearest comes first, of days and weeks the latest; what is gone is ended', () => {
	const list = [
		of('a', TODAY - 1, 1, 'H100'),
		of('b', TODAY - 8, 2),
		of('b', TODAY, 1),
		{...of('', TODAY, 0.5), source: 'volume-3', description: 'Volume 3'},
	];
	expect(sumsOf(list, 'label', isRented).map(({name, isEnded}) => [name, isEnded])).toEqual([
		['b', true],
		['a', false],
		['Volume 3', false],
	]);
	expect(sumsOf(list, 'GPU').map(({name, dollars}) => [name, dollars])).toEqual([
		['not known', 3],
		['H100', 1],
		['volumes', 0.5],
	]);
	expect(sumsOf(list, 'day').map(({name}) => name)).toEqual([
		'2024-10-04',
		'2024-10-03',
		'2024-09-26',
	]);
	// The fourth of October was a Friday.
	expect(sumsOf(list, 'week').map(({name, dollars}) => [name, dollars])).toEqual([
		['week of 2024-09-30', 2.5],
		['week of 2024-09-23', 2],
	]);
});

test('at 80x24 the account says what there is and what was charged', async () => {
	await using market = await openTestMarket({offers: 0});
	await using rentty = openTestConsole({service: market});
	await rentty.sees(/12:41/);
	rentty.type('$');
	await rentty.sees(/ to 21 Nov, UTC/);
	await rentty.sees(/credit +\$/);
	expect(await rentty.shown()).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		SPENDING  [by label]  by GPU  by day  by week                   1 to 21 Nov, UTC
		------------------------------------------------------------------------- $0.00
		  WHAT IT WAS FOR                   CHARGED     %






		--------+-------------------------------- $ a day, = to come by leases, at most
		   $0.00|
		        |
		        |
		       0|
		          1         6        11        16        21        26      30
		-------------------------------------------------- to 30 Nov, 9 days 11 h to go
		  if each lease ends it   +0.00                  = $0.00
		  if nothing ends         +0.00                  = $0.00, $0.00 x 227 h
		  credit $100.00, balance $100.00 by the ledger
		  budget: none for a month; budgets.json sets one

		Tab by GPU, day, week  , month  < read a day  y copy  Enter volumes  ? help"
	`);
});

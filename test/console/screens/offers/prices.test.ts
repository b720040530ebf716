import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

async function openPrices(size: {readonly columns?: number; readonly rows?: number} = {}) {
	const market = await openTestMarket({offers: 60});
	for (let day = 0; day < 3; day++) await market.pass(86_400);
	const rentty = openTestConsole({service: market, ...size});
	await rentty.sees(/12:41/);
	rentty.type('M');
	await rentty.sees('PRICES OF GPUS');
	return {
		...rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('at 80x24 prices of all GPUs are a list, with curves of the one under the cursor', async () => {
	await using prices = await openPrices();
	expect(await prices.sees(/<now/)).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		PRICES OF GPUS                                                  per GPU and hour
		  GPU                   MEDIAN     10%     90%   FREE    ALL  RENTED  30 DAYS
		> RTX 3080 Ti             .155    .155    .156      9      9      0%       0%
		  RTX 5090                .489    .489    .703      9      9      0%       0%
		  H200                   2.221   2.221   2.221      8      8      0%       0%
		  L40S                    .646    .646    .646      8      8      0%       0%
		  RTX 4090                .373    .316    .373      7      8     13%      13%
		  Tesla V100                 -       -       -      0      8    100%     100%
		  RTX 3090                .142    .142    .216      4      6     33%      33%
		  RTX A6000               .498    .347    .498      5      5      0%       0%
		------+----------------------------------- RTX 3080 Ti: 90 days, free GPUs only
		      |                                                            cc
		      |                                                              <p90 .156
		      |
		  .155|
		      |                                                           aaa<now .155
		      |                                                              <p10 .155
		      ++------------------------------------------------------------+
		     08-20                                                      11-21
		now is cheaper than on 0 of 2 days

		, more days  . fewer  ; log  # numbers  R refresh  ? help  a actions  q quit"
	`);
});

test('at 140x40 there is room for all percentiles', async () => {
	await using prices = await openPrices({columns: 140, rows: 40});
	const shown = await prices.sees(/<now/);
	expect(shown).toMatch(/GPU +MEDIAN +10% +90% +FREE +ALL +RENTED +30 DAYS +25% +75% +SPEED\/\$/);
});

test('Esc goes back from the prices to the offers', async () => {
	await using prices = await openPrices();
	prices.type('\u001B');
	await prices.sees('[1 Offers]');
});

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])(
	'at %dx%d a semicolon draws prices on a scale of logarithms, and again as before',
	async (columns, rows) => {
		await using prices = await openPrices({columns, rows});
		await prices.sees(/<now/);
		prices.type(';');
		await prices.sees(/free GPUs only, log/);
		await prices.sees(/^ +\.100\|/m);
		prices.type(';');
		await prices.sees(/free GPUs only$/m);
	},
);

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])('at %dx%d # lists the prices behind the curves', async (columns, rows) => {
	await using prices = await openPrices({columns, rows});
	await prices.sees('MEDIAN');
	await prices.sees(/now is cheaper/);
	prices.type('#');
	const shown = await prices.sees(/TIME \(UTC\) +P90 +MEDIAN +P10/);
	expect(shown).toMatch(/2026-11-2\dT\d\d:00 +\.\d+ +\.\d+ +\.\d+/);
	prices.type('#');
	await prices.sees('PRICES OF GPUS');
});

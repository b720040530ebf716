import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console.ts';
import {openTestMarket} from '../../../helpers/market.ts';

test('while it waits for the first answer the list says so', async () => {
	await using rentty = openTestConsole();
	expect(await rentty.sees('Searching')).toMatchInlineSnapshot(`
		"PRACTICE no money
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter>                                            + defaults: verified rentable
		price incl. 40G disk | on-demand                                       searching
		--------------------------------------------------------------------------------

		 Searching offers
















		/ filter  Enter detail  r rent  > column  o order  b saved  m watch  ? help"
	`);
});

test('a market without a matching offer is said to be empty', async () => {
	await using market = await openTestMarket({offers: 0});
	await using rentty = openTestConsole({service: market});
	expect(await rentty.sees('does not help')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter>                                            + defaults: verified rentable
		price incl. 40G disk | on-demand                                        0 offers
		--------------------------------------------------------------------------------

		 No offer matches both conditions.

		 Leaving one or two out does not help:             (checked just now, 3 calls)

		 > 1  verified      ->      0
		   2  rentable      ->      0

		 Nothing was filtered silently: every word is in the line above.

		 m  tell me when one appears, while rentty runs
		 b  keep this search for later






		1 leave out  / filter  b saved  m watch  w columns  R refresh  ? help  a actions"
	`);
});

test('a search that failed says what happened, why, and what to do', async () => {
	await using market = await openTestMarket({offers: 1});
	await using rentty = openTestConsole({service: {url: market.url, key: 'f'.repeat(64)}});
	expect(await rentty.sees('not accepted')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter>                                            + defaults: verified rentable
		price incl. 40G disk | on-demand
		--------------------------------------------------------------------------------

		 Could not search the offers that can be rented: the key is not accepted (401
		Invalid user key).

		 Nothing was changed, and nothing is charged for searching.
		 R tries again.












		/ filter  Enter detail  r rent  > column  o order  b saved  m watch  ? help"
	`);
});

test('offers are listed with their prices at 80x24', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	expect(await rentty.sees(' of ')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter>                                            + defaults: verified rentable
		price incl. 40G disk | on-demand                                       35 offers
		--------------------------------------------------------------------------------
		        ID GPU         QTY VRAM    $/H  ALL-IN SPEED/$  REL%  DOWN LOC DAYS TIER
		> 20002566 RTX 5090     1x  32G 0.4892  0.4948     297  97.4   162 IS   76d ver
		  20002626 RTX 5090     2x  32G 0.9784  0.9840     299  97.4   162 IS   76d ver
		  20002636 RTX 5090     4x  32G 1.9568  1.9624     299  97.4   162 IS   76d ver
		  20002692 RTX 5090     6x  32G 2.9352  2.9408     300  97.4   162 IS   76d ver
		  20000430 RTX 4080     1x  16G 0.1897  0.1980     270  98.9   400 UA   33d ver
		  20002373 RTX 4090     1x  24G 0.3162  0.3273     276  97.2   151 DE   28d ver
		  20000339 RTX 3080 Ti  1x  12G 0.1556  0.1612     201  99.9   830 US    4d ver
		  20000758 RTX 3080 Ti  1x  12G 0.1547  0.1630     189  99.1 4,926 US  478d dc
		  20000792 RTX 3080 Ti  4x  12G 0.6188  0.6271     197  99.1 4,926 US  478d dc
		  20000842 RTX 3080 Ti  8x  12G 1.2376  1.2459     198  99.1 4,926 US  478d dc
		  20000771 RTX 3080 Ti  2x  12G 0.3094  0.3177     194  99.1 4,926 US  478d dc
		  20002487 RTX 4080     1x  16G 0.2700  0.2839     185  99.6 7,667 PL  181d dc
		  20001004 RTX 5090     2x  32G 1.4056  1.4123     184  99.5 3,034 SE   12d dc
		  20001071 RTX 5090     3x  32G 2.1084  2.1151     184  99.5 3,034 SE   12d dc
		  20000927 RTX 5090     1x  32G 0.7028  0.7095     183  99.5 3,034 SE   12d dc
		----------------------------------------------------------------------- 1 of 35

		/ filter  Enter detail  r rent  > column  o order  b saved  m watch  ? help"
	`);
});

test('a narrow terminal keeps the columns that decide', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, columns: 48, rows: 14});
	expect(await rentty.sees(' of ')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms            12:41:07
		0 Ovr [1 Off] 2 Inst 3 Tpl 4 Keys 5 Act 6 Prof
		filter>            + defaults: verified rentable
		price incl. 40G disk | on-demand       35 offers
		------------------------------------------------
		        ID GPU             QTY  ALL-IN  REL% LOC
		> 20002566 RTX 5090         1x  0.4948  97.4 IS
		  20002626 RTX 5090         2x  0.9840  97.4 IS
		  20002636 RTX 5090         4x  1.9624  97.4 IS
		  20002692 RTX 5090         6x  2.9408  97.4 IS
		  20000430 RTX 4080         1x  0.1980  98.9 UA
		--------------------------------------- 1 of 35

		/ filter  Enter detail  r rent  > column  ? help"
	`);
});

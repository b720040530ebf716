import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

test('while it waits for the first answer the list says so', async () => {
	await using rentty = openTestConsole();
	expect(await rentty.sees('Searching')).toMatchInlineSnapshot(`
		" rentty   practice market . no money
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand                                       searching
		--------------------------------------------------------------------------------

		 Searching offers
















		/ filter  Enter detail  r rent  > column  o order  b saved  m watch  ? help"
	`);
});

test('a market without a matching offer is said to be empty', async () => {
	await using market = await openTestMarket({offers: 0});
	await using rentty = openTestConsole({service: market});
	expect(await rentty.sees('does not help')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand                                        0 offers
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
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand
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
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand                                       35 offers
		--------------------------------------------------------------------------------
		  GPU             VRAM $/H ALL-IN AGAINST ALL OF ITS KIND  REL%  DOWN WHERE DAYS
		> 1x RTX 5090      32G     0.4948 --------*-------    0 %  97.4   162 IS     76d
		  2x RTX 5090      32G     0.9840 --------*-------   -1 %  97.4   162 IS     76d
		  4x RTX 5090      32G     1.9624 --------*-------   -1 %  97.4   162 IS     76d
		  6x RTX 5090      32G     2.9408 --------*-------   -1 %  97.4   162 IS     76d
		  1x RTX 4080      16G     0.1980                          98.9   400 UA     33d
		  1x RTX 4090      24G     0.3273                          97.2   151 DE     28d
		  1x RTX 3080 Ti   12G     0.1612 --------*-------   +1 %  99.9   830 US      4d
		  1x RTX 3080 Ti   12G     0.1630 --------+*------   +3 %  99.1 4,926 US    478d
		  4x RTX 3080 Ti   12G     0.6271 --------*-------   -1 %  99.1 4,926 US    478d
		  8x RTX 3080 Ti   12G     1.2459 -------*+-------   -2 %  99.1 4,926 US    478d
		  2x RTX 3080 Ti   12G     0.3177 --------*-------    0 %  99.1 4,926 US    478d
		  1x RTX 4080      16G     0.2839                          99.6 7,667 PL    181d
		  2x RTX 5090      32G     1.4123 --------+------*  +43 %  99.5 3,034 SE     12d
		  3x RTX 5090      32G     2.1151 --------+------*  +42 %  99.5 3,034 SE     12d
		  1x RTX 5090      32G     0.7095 --------+------*  +43 %  99.5 3,034 SE     12d
		- Iceland, IS . $11.87 a day . 4 of 7 by price ------------------------ 1 of 35

		/ filter  Enter detail  r rent  > column  o order  b saved  m watch  ? help"
	`);
});

test('a narrow terminal keeps the columns that decide', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, columns: 48, rows: 14});
	expect(await rentty.sees(' of ')).toMatchInlineSnapshot(`
		" rentty   practice market . no money    12:41:07
		0 Ovr [1 Off] 2 Inst 3 Tpl 4 Keys 5 Act 6 Prof
		filter>            + defaults: verified rentable
		price incl. 40G disk . on-demand       35 offers
		------------------------------------------------
		  GPU                 $/H ALL-IN  REL% WHERE
		> 1x RTX 5090             0.4948  97.4 IS
		  2x RTX 5090             0.9840  97.4 IS
		  4x RTX 5090             1.9624  97.4 IS
		  6x RTX 5090             2.9408  97.4 IS
		  1x RTX 4080             0.1980  98.9 UA
		- $11.87 a day . 4 of 7 by price ------ 1 of 35

		/ filter  Enter detail  r rent  > column  ? help"
	`);
});

import {expect, test} from 'vitest';
import {openTestConsole} from '../../../../helpers/console/console.ts';
import {openTestMarket} from '../../../../helpers/market/market.ts';

async function openList(size: {readonly columns?: number; readonly rows?: number} = {}) {
	const market = await openTestMarket({offers: 60});
	const rentty = openTestConsole({service: market, ...size});
	await rentty.sees('1 of 35');
	return {
		rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

/** The first lines of the screen, as many as the query and a few rows take. */
const top = (screen: string, lines = 8) => screen.split('\n').slice(2, lines).join('\n');

test('words are typed, their normal form stands under them, and Enter asks', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/4090 us,de');
	expect(top(await rentty.sees('loc=US,DE'), 5)).toMatchInlineSnapshot(`
		"filter> 4090 us,de_
		     =  gpu=RTX_4090 loc=US,DE                     + defaults: verified rentable
		--------------------------------------------------------------------------------"
	`);
	rentty.type('\r');
	expect(top(await rentty.sees('1 offer'))).toMatchInlineSnapshot(`
		"filter> gpu=RTX_4090 loc=US,DE                     + defaults: verified rentable
		price incl. 40G disk . on-demand                                         1 offer
		--------------------------------------------------------------------------------
		  GPU                 VRAM $/H ALL-IN  REL%  DOWN WHERE DAYS CUDA PORTS   DISK
		> 1x RTX 4090          24G     0.3273  97.2   151 DE     28d 12.8     2   638G
		"
	`);
});

test('the list narrows while words are typed, without asking, and is whole again after Esc', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('jjj');
	await rentty.sees('4 of 35');
	rentty.type('/x2');
	const screen = await rentty.sees('1 of 7');
	expect(screen).not.toMatch(/ 1x /);
	rentty.type('\u001B');
	await rentty.sees('4 of 35');
});

test('a wrong word is marked, nothing is asked, and the last result stays', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/4090 price<abc x4\r');
	const screen = await rentty.sees('Not asked');
	expect(top(screen, 6)).toMatchInlineSnapshot(`
		"filter> 4090 price<abc_x4
		             ^^^^^^^^^ Not asked: price takes a number of $ per hour, not abc
		--------------------------------------------------------------------------------
		  GPU             VRAM $/H ALL-IN AGAINST ALL OF ITS KIND  REL%  DOWN WHERE DAYS"
	`);
	expect(screen).toContain('1 of 35');
	rentty.type('\u001B');
	expect(await rentty.sees('defaults')).toContain('filter> what do you need? 4090 x2');
});

test('Tab names what fits, and what was chosen stands in the line', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/gpu=h1\t');
	expect(top(await rentty.sees('[H100'), 5)).toMatchInlineSnapshot(`
		"filter> gpu=H100_NVL_
		        [H100_NVL] H100_PCIE  H100_SXM                                       1/3
		--------------------------------------------------------------------------------"
	`);
	rentty.type('\t');
	expect(await rentty.sees('[H100_PCIE]')).toContain('filter> gpu=H100_PCIE_');
});

test('the defaults are chips that x leaves out', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/x1\u001B[B');
	expect(top(await rentty.sees('x leaves out'), 5)).toMatchInlineSnapshot(`
		"filter> x1
		        [x1] +verified  +rentable                   letters choose, x leaves out
		 GPU     a RTX 5090 7   b RTX 3080 Ti 5   c H200 4   d L40S 4   e RTX A6000 3"
	`);
	rentty.type('\u001B[Cx\r');
	expect(await rentty.sees('verified=any')).toContain('+ defaults: rentable');
});

test('Up brings back an earlier search, and Esc first clears the words', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/x2\r');
	await rentty.sees(/qty=2[^]* 7 offers\n/);
	rentty.type('\u001B');
	await rentty.sees(/35 offers\n/);
	rentty.type('/\u001B[A');
	await rentty.sees('filter> x2_');
	rentty.type('\r');
	await rentty.sees('filter> qty=2');
});

test('pasted words are typed, and a line break in them asks nothing', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/');
	await rentty.sees('filter> _');
	rentty.type('\u001B[200~4090\nx2\r\u001B[201~');
	expect(await rentty.sees('qty=2')).toContain('filter> 4090 x2 _');
});

test('digits and letters are text while the line is open, and keys again when it is closed', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/q2?a');
	await rentty.sees('filter> q2?a_');
	rentty.type('\u001B');
	await rentty.sees('defaults');
	rentty.type('?');
	await rentty.sees('HELP');
});

test('with no results the words to leave out are named, and a digit leaves one out', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/5090 x4 loc=SE\r');
	expect(await rentty.sees('Nothing was filtered')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> gpu=RTX_5090 qty=4 loc=SE                  + defaults: verified rentable
		price incl. 40G disk . on-demand                                        0 offers
		--------------------------------------------------------------------------------

		 No offer matches all 5 conditions.

		 Leave one out and you get:                        (checked just now, 2 calls)

		 > 1  x4            ->      3 offers   best $0.71/h with disk (1x)
		   2  loc=SE        ->      1 offer    best $1.96/h with disk (4x)
		   3  5090          ->      0
		   4  verified      ->      0
		   5  rentable      ->      0

		 Nothing was filtered silently: every word is in the line above.

		 m  tell me when one appears, while rentty runs
		 b  keep this search for later



		1 leave out  / filter  Esc clear filter  b saved  m watch  w columns  ? help"
	`);
	rentty.type('1');
	const screen = await rentty.sees(/1 of \d/);
	expect(screen).toContain('filter> gpu=RTX_5090 loc=SE');
});

test('with no results at 140x40', async () => {
	await using list = await openList({columns: 140, rows: 40});
	const {rentty} = list;
	rentty.type('/5090 x4 loc=SE dc\r');
	expect(top(await rentty.sees('Nothing was filtered'), 20)).toMatchInlineSnapshot(`
		"filter> gpu=RTX_5090 qty=4 loc=SE dc=yes                                                                       + defaults: verified rentable
		price incl. 40G disk . on-demand                                                                                                    0 offers
		--------------------------------------------------------------------------------------------------------------------------------------------

		 No offer matches all 6 conditions.

		 Leave one out and you get:                                                                                    (checked just now, 2 calls)

		 > 1  x4            ->      3 offers   best $0.71/h with disk (1x)
		   2  5090          ->      0
		   3  loc=SE        ->      0
		   4  dc            ->      0
		   5  verified      ->      0

		 Leaving out rentable alone gives 0.
		 Nothing was filtered silently: every word is in the line above.

		 m  tell me when one appears, while rentty runs"
	`);
});

test('the request is shown as it was sent', async () => {
	await using list = await openList();
	const {rentty} = list;
	rentty.type('/4090 24g\r');
	await rentty.sees(/vram>=24[^]* \d offers?\n/);
	rentty.type('J');
	expect(top(await rentty.sees('REQUEST'), 14)).toMatchInlineSnapshot(`
		"filter> gpu=RTX_4090 vram>=24                      + defaults: verified rentable
		price incl. 40G disk . on-demand                                        2 offers
		--------------------------------------------------------------------------------
		REQUEST  POST /api/v0/bundles/                                          page 1/1
		--------------------------------------------------------------------------------
		{
		"gpu_name": {"eq":"RTX 4090"},
		"gpu_ram": {"gte":24000},
		"verified": {"eq":true},
		"rentable": {"eq":true},
		"order": [["score","desc"]],
		"limit": 10000,"
	`);
	rentty.type('\u001B');
	await rentty.sees('filter> gpu=RTX_4090');
});

test('a narrow terminal has room for the line, and for the words to leave out', async () => {
	await using list = await openList({columns: 48, rows: 16});
	const {rentty} = list;
	rentty.type('/5090 x4 loc=SE\r');
	expect(top(await rentty.sees(/x4 +->/), 14)).toMatchInlineSnapshot(`
		"filter> gpu=RTX_5090 qty=4 ~ +verified +rentable
		price incl. 40G disk . on-demand        0 offers
		------------------------------------------------

		 No offer matches all 5 conditions.

		 Leave one out and you get:            (2 calls)

		 > 1  x4            ->      3 offers   best $0.~
		   2  loc=SE        ->      1 offer    best $1.~
		   3  5090          ->      0
		   4  verified      ->      0"
	`);
});

import {expect, test} from 'vitest';
import {noneReadable, openBrokenLists} from '../../../helpers/services/broken-lists.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

const offers = [['/api/v0/bundles/', 'offers']] as const;

test('at 80x24 the rule under the list says how many offers could not be read, and R names them', async () => {
	await using market = await openTestMarket({offers: 30});
	await using broken = await openBrokenLists(market, offers);
	await using rentty = openTestConsole({service: broken});
	expect(await rentty.sees(' of ')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand                                       16 offers
		--------------------------------------------------------------------------------
		  GPU             VRAM $/H ALL-IN AGAINST ALL OF ITS KIND  REL%  DOWN WHERE DAYS
		> 1x RTX 4080      16G     0.1980                          98.9   400 UA     33d
		  1x RTX 3080 Ti   12G     0.1612 --------*-------   +1 %  99.9   830 US      4d
		  1x RTX 3080 Ti   12G     0.1630 --------+*------   +3 %  99.1 4,926 US    478d
		  4x RTX 3080 Ti   12G     0.6271 --------*-------   -1 %  99.1 4,926 US    478d
		  8x RTX 3080 Ti   12G     1.2459 -------*+-------   -2 %  99.1 4,926 US    478d
		  2x RTX 3080 Ti   12G     0.3177 --------*-------    0 %  99.1 4,926 US    478d
		  2x RTX 5090      32G     1.4123                          99.5 3,034 SE     12d
		  3x RTX 5090      32G     2.1151                          99.5 3,034 SE     12d
		  1x RTX 5090      32G     0.7095                          99.5 3,034 SE     12d
		  6x RTX 4090      24G     2.2487                          88.5   688 CA     50d
		  1x H200         140G     2.2277                          97.4 8,403 AE     36d
		  2x H200         140G     4.4487                          97.4 8,403 AE     36d
		  4x H200         140G     8.8907                          97.4 8,403 AE     36d
		  1x PRO 6000 S    96G     1.3825                          99.8   826 US    119d
		  1x RTX A5000     24G     0.2359                          94.4   329 BG      3d
		- 2 of 18 could not be read - R names them ---------------------------- 1 of 16

		/ filter  Enter detail  r rent  > column  o order  b saved  m watch  ? help"
	`);
	rentty.type('R');
	expect(await rentty.sees(/16 offers\n[^]*with name nameless/)).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand                                       16 offers
		--------------------------------------------------------------------------------
		  GPU             VRAM $/H ALL-IN AGAINST ALL OF ITS KIND  REL%  DOWN WHERE DAYS
		> 1x RTX 4080      16G     0.1980                          98.9   400 UA     33d
		  1x RTX 3080 Ti   12G     0.1612 --------*-------   +1 %  99.9   830 US      4d
		  1x RTX 3080 Ti   12G     0.1630 --------+*------   +3 %  99.1 4,926 US    478d
		  4x RTX 3080 Ti   12G     0.6271 --------*-------   -1 %  99.1 4,926 US    478d
		  8x RTX 3080 Ti   12G     1.2459 -------*+-------   -2 %  99.1 4,926 US    478d
		  2x RTX 3080 Ti   12G     0.3177 --------*-------    0 %  99.1 4,926 US    478d
		  2x RTX 5090      32G     1.4123                          99.5 3,034 SE     12d
		  3x RTX 5090      32G     2.1151                          99.5 3,034 SE     12d
		  1x RTX 5090      32G     0.7095                          99.5 3,034 SE     12d
		  6x RTX 4090      24G     2.2487                          88.5   688 CA     50d
		  1x H200         140G     2.2277                          97.4 8,403 AE     36d
		  2x H200         140G     4.4487                          97.4 8,403 AE     36d
		  4x H200         140G     8.8907                          97.4 8,403 AE     36d
		  1x PRO 6000 S    96G     1.3825                          99.8   826 US    119d
		  1x RTX A5000     24G     0.2359                          94.4   329 BG      3d
		- 2 of 18 could not be read - R names them ---------------------------- 1 of 16
		2 of 18 offers could not be read: number 2 with name nameless (id is missing),
		number 3 (it is null)."
	`);
});

test('the note gives way to what is marked and what waits', async () => {
	await using market = await openTestMarket({offers: 30});
	await using broken = await openBrokenLists(market, offers);
	await using rentty = openTestConsole({service: broken});
	await rentty.sees(' of ');
	rentty.type('* ');
	await rentty.sees('marked');
	expect(lastRule(await rentty.shown())).toMatchInlineSnapshot(
		`"- 15 marked: $/H ALL-IN 0.1612 to 8.8907 - 2 of 18 could not be read -- 2 of 16"`,
	);
});

test('on a narrow terminal the note is short', async () => {
	await using market = await openTestMarket({offers: 30});
	await using broken = await openBrokenLists(market, offers);
	await using rentty = openTestConsole({service: broken, columns: 48, rows: 14});
	await rentty.sees(' of ');
	expect(lastRule(await rentty.shown())).toMatchInlineSnapshot(
		`"- 2 of 18 could not be read ----------- 1 of 16"`,
	);
});

test('a list of which nothing can be read is not called empty', async () => {
	await using market = await openTestMarket({offers: 30});
	await using broken = await openBrokenLists(market, offers, noneReadable);
	await using rentty = openTestConsole({service: broken});
	expect(await rentty.sees('could be read')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand              0 offers, none of 16 could be read
		--------------------------------------------------------------------------------

		 None of 16 offers could be read.

		 The service may speak another version of its API.
		 R tries again.

		   number 1 with name nameless (id is missing)
		   number 2 with name nameless (id is missing)
		   number 3 with name nameless (id is missing)
		   number 4 with name nameless (id is missing)
		   number 5 with name nameless (id is missing)
		   number 6 with name nameless (id is missing)
		   number 7 with name nameless (id is missing)
		   number 8 with name nameless (id is missing)
		   number 9 with name nameless (id is missing)
		   number 10 with name nameless (id is missing)
		   number 11 with name nameless (id is missing)

		/ filter  b saved  m watch  w columns  R refresh  ? help  a actions  q quit"
	`);
});

test('an offer that cannot be read any more is not called gone', async () => {
	await using market = await openTestMarket({offers: 30});
	await using broken = await openBrokenLists(market, []);
	await using rentty = openTestConsole({service: broken});
	await rentty.sees(' of ');
	broken.spoil(offers, noneReadable);
	rentty.type('\r');
	await rentty.sees('not read: id is missing');
	expect(await rentty.shown()).not.toContain('GONE');
});

function lastRule(frame: string): string | undefined {
	return frame.split('\n').findLast(line => line.startsWith('-'));
}

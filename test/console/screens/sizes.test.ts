import {expect, test} from 'vitest';
import {openUsedMarket} from '../../helpers/market/billing.ts';
import {openTestConsole} from '../../helpers/console/console.ts';

/** Keys that lead to screens, what each says when it is there, and a row of its list. */
const screens: ReadonlyArray<readonly [keys: string, title: RegExp, row: RegExp]> = [
	['1', /\[1 Off/, /^> .*\d× |^> .*\dx /m],
	['2', /\[2 Inst/, /^> .*\* run/m],
	['3', /\[3 T/, /^> PyTorch/m],
	['4', /\[4 Keys/, /^> test/m],
	['6', /\[6 Prof/, /^> practice/m],
	['$', /SPENDING/, /^> trainer .*\$27\.78/m],
	['\r', /VOLUMES/, /^> 1 +data/m],
];

test.each([
	[48, 14],
	[80, 24],
	[200, 60],
])('at %dx%d every screen shows its list, fits, and ends with its hints', async (columns, rows) => {
	await using market = await openUsedMarket();
	await using rentty = openTestConsole({service: market, columns, rows});
	await rentty.sees(/12:41/);
	for (const [keys, title, row] of screens) {
		rentty.type(keys);
		await rentty.sees(title);
		const lines = (await rentty.sees(row)).split('\n');
		expect([keys, lines.length]).toEqual([keys, rows]);
		expect(lines.at(-1)).toMatch(/\? help/);
		// What is wider than the screen would be found in the first column of the next line.
		expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(columns);
	}
});

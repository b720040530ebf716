import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

test('at 60x15 a sweep is read to its end before it counts, and survives a window too small for it', async () => {
	await using market = await openFleetMarket();
	let now = new Date(2026, 10, 21, 12, 41, 7).getTime();
	await using rentty = openTestConsole({
		service: market,
		columns: 60,
		rows: 15,
		now: () => new Date((now += 10)),
	});
	rentty.type('2');
	expect(await rentty.sees(/stuck.*1 of 4/s)).toMatch(/x destroy {2}X sweep/);
	rentty.type('X');
	await rentty.sees(/SWEEP: DESTROY.*PgDn reads on/s);
	now += 1000;
	for (const letter of 'y') rentty.type(letter);
	await rentty.sees('Not yet: read it to its end first');
	rentty.resize(40, 10);
	await rentty.sees('rentty needs 48x14');
	rentty.resize(60, 15);
	await rentty.sees(/SWEEP: DESTROY.*PgDn reads on/s);
	rentty.type('\u001B[6~');
	await rentty.sees('PgUp reads it again');
	rentty.type('y');
	await rentty.sees('u takes it back');
});

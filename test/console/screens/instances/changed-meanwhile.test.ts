import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console.ts';
import {openFleetMarket} from '../../../helpers/fleet.ts';

test('what became another between its review and its end is left, and the line says what changed', async () => {
	await using market = await openFleetMarket();
	let now = new Date(2026, 10, 21, 12, 41, 7).getTime();
	await using rentty = openTestConsole({
		service: market,
		columns: 120,
		now: () => new Date((now += 10)),
	});
	rentty.type('2');
	await rentty.sees(/stuck.*1 of 4/s);
	rentty.type('x');
	await rentty.sees(/DESTROY.*train-c/s);
	now += 1000;
	await market.database.updateTable('instances').set({label: 'prod'}).where('id', '=', 2).execute();
	rentty.type('y');
	expect(await rentty.sees(/its label was/)).toContain('its label was train-c, and is prod now');
	const found = market.database.selectFrom('instances').select(['label', 'destroyed_at']);
	expect(await found.where('id', '=', 2).execute()).toEqual([{label: 'prod', destroyed_at: null}]);
});

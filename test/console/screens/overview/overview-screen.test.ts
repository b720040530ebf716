import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

test.each([
	[60, 15, /1 IN TROUBLE {3}train-c x stuck/],
	[80, 24, /^>x stuck train-c /m],
	[140, 40, /BURN, today, UTC/],
])(
	'at %dx%d 0 shows the fleet in one look, and Enter goes to what is in trouble',
	async (columns, rows, shows) => {
		await using market = await openFleetMarket();
		await using rentty = await openFleetConsole(market, {columns, rows});
		rentty.type('0');
		await rentty.sees(shows);
		await rentty.sees(/\[0 Ov/);
		rentty.type('\r');
		await rentty.sees(/train-c .*stuck|stuck.*train-c/);
		await rentty.sees(/\[2 Inst/);
		rentty.type('\u001B');
		await rentty.sees(shows);
	},
);

test('X sweeps what is stuck after its review, and u takes it back', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('0');
	await rentty.sees('x stuck train-c');
	rentty.type('X');
	await rentty.reads(/destroy/i);
	rentty.type('\u001B');
	await rentty.sees('x stuck train-c');
	expect(await rentty.listed()).toContain(market.stuck.id);
});

test('V leads to the run of the instance under the cursor, and Esc comes back to it', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('0');
	await rentty.sees('USE, 60 min');
	rentty.type('\t\t');
	await rentty.sees(/^>train-a .*1x/m);
	rentty.type('%');
	await rentty.sees(/\[Usage\]/);
	rentty.type('\u001B');
	await rentty.sees(/^>train-a .*1x/m);
	rentty.type(',');
	await rentty.sees('USE, 6 h');
});

test('an account without instances, a service that is silent and one that fails are said', async () => {
	await using market = await openTestMarket();
	await using empty = openTestConsole({service: market});
	empty.type('0');
	await empty.sees('Nothing is running.');
	await using silent = openTestConsole();
	silent.type('0');
	await silent.sees('Asking what is rented');
	await using refused = openTestConsole({service: {url: market.url, key: 'wrong'}});
	refused.type('0');
	await refused.sees('R tries again.');
});

test('R asks for the charges of the last days, too', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {columns: 140, rows: 40});
	rentty.type('0');
	expect(await rentty.sees(/LAST DAYS[\s\S]* 0 \|/)).not.toContain('$400');
	await market.database
		.updateTable('charges')
		.set({amount_micros: 400_000_000})
		.where('item', '=', 'gpu')
		.execute();
	rentty.type('R');
	await rentty.sees('$400');
});

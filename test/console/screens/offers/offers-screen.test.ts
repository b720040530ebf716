import {createServer} from 'node:http';
import {expect, test} from 'vitest';
import {settingsWithIds} from '../../../helpers/settings-store.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

test('a terminal that is too small is told so, and its keys are off but for quitting', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, columns: 47, rows: 14});
	expect(await rentty.sees('needs 48x14')).toMatchInlineSnapshot(`
		"rentty needs 48x14 (now 47x14).
		Keys are off until it fits, except
		q quit."
	`);
	rentty.type('?');
	rentty.resize(80, 24);
	expect(await rentty.sees(' of ')).not.toContain('HELP');
	rentty.resize(40, 10);
	await rentty.sees('now 40x10');
	rentty.type('q');
	await expect(rentty.left).resolves.toBe('');
});

test('coming back from the detail finds the cursor where it was left or led to', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type('jjj');
	await rentty.sees('4 of ');
	rentty.type('\r');
	await rentty.sees('WHAT YOU PAY');
	rentty.type(']');
	await rentty.sees(/Offers > .* 5 of /);
	rentty.type('q');
	expect(await rentty.sees('ALL-IN')).toContain('5 of ');
});

test('columns are picked and ordered by, best first, then reversed, then as they came', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, settings: settingsWithIds()});
	const first = async (what: RegExp) => what.exec(await rentty.sees(what))?.[1];
	const asItCame = await first(/^> *(\d+)/m);
	// What is not picked is the price with everything.
	rentty.type('o');
	await rentty.sees('ALL-IN^');
	rentty.type('oo');
	await rentty.sees('ALL-IN ');
	rentty.type('<o');
	await rentty.sees(/VRAMv/);
	rentty.type('>o');
	await rentty.sees('ALL-IN^');
	const price = /^> *\d+ .*? \d+G +([\d.]+) /m;
	const cheapest = await first(price);
	rentty.type('o');
	await rentty.sees('ALL-INv');
	const dearest = await first(price);
	expect(Number(cheapest)).toBeLessThan(Number(dearest));
	rentty.type('o');
	await rentty.sees(/ALL-IN /);
	expect(await first(/^> *(\d+)/m)).toBe(asItCame);
});

test('without colour nothing is coloured, and the cursor can still be seen', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, environment: {NO_COLOR: '1'}});
	await rentty.sees('> ');
	// oxlint-disable-next-line no-control-regex -- these are the sequences that set a colour
	expect(rentty.written()).not.toMatch(/\u001B\[(?:[\d;]*;)?(?:3|4|9|10)[0-8]m/);
});

test('nothing that a service sends commands the terminal', async () => {
	const evil = '\u001B]0;owned\u0007\u001B[2J\u009B31mRTX\u202E 4090\n';
	const server = createServer((_, response) => {
		const offers = [{id: 1, gpu_name: evil, geolocation: evil, verification: evil, num_gpus: 1}];
		response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({offers}));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	try {
		await using rentty = openTestConsole({
			service: {url: `http://127.0.0.1:${port}`, key: 'k'},
			columns: 140,
		});
		await rentty.sees('1 of 1');
		expect(rentty.written()).not.toContain('\u001B]0;owned');
		expect(rentty.written()).not.toContain('\u009B');
		rentty.type('\r');
		expect(await rentty.sees('WHAT YOU GET')).toContain('1x');
		expect(rentty.written()).not.toContain('\u202E');
	} finally {
		server.closeAllConnections();
		server.close();
	}
});

test('a refresh that fails keeps the table, marks it as stale and says why', async () => {
	const market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	await market[Symbol.asyncDispose]();
	rentty.type('R');
	await rentty.sees('nothing listens at its address');
	expect(await rentty.sees(' offers stale')).toContain('1 of ');
});

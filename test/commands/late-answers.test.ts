import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openFaultProxy} from '../helpers/services/fault-proxy.ts';
import {passOn} from '../helpers/services/faults.ts';
import {keepHeard} from '../helpers/market/instances.ts';
import {openRentable} from '../helpers/market/rentable.ts';

test('an answer that comes late is to the price that was asked about, or rents nothing', async () => {
	for (const [micros, code] of [
		[2_000_000, 8],
		[1000, 0],
	] as const) {
		await using market = await openRentable();
		await using proxy = await openFaultProxy(market.url);
		await keepHeard(market.database);
		proxy.next({path: '/api/v0/bundles/'}, async exchange => {
			await passOn(exchange);
			await market.database.updateTable('offers').set({dph_base_micros: micros}).execute();
			await market.pass(60);
		});
		const run = commandsOf({...market, url: proxy.url}, {answers: 'y\n'});
		const words = [String(market.offer.id), '--image', 'ubuntu:24.04', '--spend', '99'];
		const ran = await run('rent', ...words);
		expect(ran.code).toBe(code);
		const refused = /It costs \$2\.\d+\/h by now, and not \$.*Nothing was created/.test(ran.err);
		expect(refused).toBe(code === 8);
		expect(jsonOf(await run('ps', '--json'))).toHaveLength(code === 8 ? 0 : 1);
	}
});

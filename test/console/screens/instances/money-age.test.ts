import {expect, test} from 'vitest';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {answered} from '../../../helpers/services/faults.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

test('credit and charges that cannot be asked for any more have an age, in header and pane', async () => {
	await using market = await openFleetMarket();
	await using proxy = await openFaultProxy(market.url);
	await using rentty = await openFleetConsole(market, {through: proxy, columns: 140, rows: 40});
	const later = async () => {
		await rentty.pass(60);
		return rentty.shown();
	};
	await expect.poll(later).toMatch(/lasts [^ ]+ [^]*\| credit \$/);
	expect(await rentty.shown()).not.toMatch(/lasts \S+, /);
	proxy.next({path: '/api/v0/users/current'}, answered({status: 500}), Infinity);
	await expect.poll(later).toMatch(/lasts [^ ]+, 1\d min ago[^]*\n.*\| 1\d min ago/);
	proxy.calm();
	await expect.poll(later).not.toMatch(/lasts \S+, /);
});

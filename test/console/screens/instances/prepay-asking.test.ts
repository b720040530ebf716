import {expect, test} from 'vitest';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {dropReply} from '../../../helpers/services/faults.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {dollarsAhead, openPrepaid} from '../../../helpers/market/prepaid.ts';
import {waitFor} from '../../../helpers/wait-for.ts';

/** The console of a renter whose instance can be paid ahead, behind a line that can lose replies. */
async function openPaying(given: Parameters<typeof openPrepaid>[0] = {}) {
	const world = await openPrepaid(given);
	const proxy = await openFaultProxy(world.url);
	const service = {url: world.url, key: world.key, clock: world.clock};
	const rentty = await openFleetConsole(service, {through: proxy});
	return {
		...rentty,
		proxy,
		ahead: async () => dollarsAhead(await world.row()),
		payments: () =>
			proxy.requests.filter(({method, path}) => method === 'PUT' && path.includes('/prepay/')),
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await proxy.close();
			await world[Symbol.asyncDispose]();
		},
	};
}

test('a sum is paid ahead once it is typed twice, and its reply being lost pays no second one', async () => {
	await using rentty = await openPaying();
	rentty.proxy.next({method: 'PUT', path: /prepay/}, dropReply, 9);
	rentty.type(':');
	await rentty.enter('pay ahead');
	await rentty.sees(/pay ahead for it, at a discount/);
	rentty.type('\r');
	await rentty.sees('From the credit');
	await rentty.enter('576');
	await rentty.sees(/Discount: 20\.0 % off computing and disk/);
	rentty.type('\r');
	const review = await rentty.reads('PAY AHEAD FOR INSTANCE');
	expect(review).toMatch(/Sum +\$576\.00 from the credit/);
	expect(review).toMatch(/\$212\.40 after half/);
	expect(rentty.payments()).toEqual([]);
	await rentty.enter('pay 576');
	rentty.type('\r');
	await rentty.sees('paying ahead');
	await waitFor(async () => {
		await rentty.pass(1);
		expect(await rentty.shown()).toMatch(
			/\$576\.00 is paid ahead for instance \d+, at 20\.0 % off/,
		);
	});
	expect(await rentty.ahead()).toBe(576);
	expect(rentty.payments()).toHaveLength(1);
});

test('an instance without a discount cannot be paid ahead, and no sum is asked for', async () => {
	await using rentty = await openPaying({most: 0});
	rentty.type(':');
	await rentty.enter('pay ahead');
	await rentty.sees('its machine gives no d');
});

import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {answered} from '../../helpers/services/faults.ts';
import {createHandTime} from '../../helpers/hand-time.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

async function openPaced() {
	const market = await openTestMarket({offers: 1});
	const proxy = await openFaultProxy(market.url);
	const time = createHandTime();
	const client = openClient({url: proxy.url, key: market.key, time, repeats: 0});
	return {
		proxy,
		client,
		time,
		async [Symbol.asyncDispose]() {
			await client.close();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('more searches than a burst wait for their turn, and the urgent ones go first', async () => {
	await using world = await openPaced();
	const {client, proxy, time} = world;
	const order: string[] = [];
	const search = async (name: string, isUrgent: boolean) =>
		client.offers.search({}, {isUrgent}).then(() => order.push(name));
	const first = Array.from({length: 9}, async () => search('first', false));
	const polls = [search('poll 1', false), search('poll 2', false)];
	await Promise.all(first);
	expect(proxy.requests).toHaveLength(9);
	await search('person 1', true);
	const person = search('person 2', true);
	await time.pass(5900);
	expect(order.slice(9)).toEqual(['person 1']);
	await time.pass(100);
	await person;
	expect(order.slice(9)).toEqual(['person 1', 'person 2']);
	await time.pass(12_000);
	await polls[0];
	expect(order.at(-1)).toBe('poll 1');
	await time.pass(6000);
	await polls[1];
	expect(proxy.requests).toHaveLength(13);
});

test('whoever gives up leaves the queue to the others', async () => {
	await using world = await openPaced();
	const {client, time} = world;
	await Promise.all(Array.from({length: 9}, async () => client.offers.search()));
	const controller = new AbortController();
	const left = client.offers.search({}, {signal: controller.signal});
	const stays = client.offers.search();
	controller.abort(new Error('left the screen'));
	await expect(left).rejects.toThrow('left the screen');
	await time.pass(6000);
	expect((await stays).offers).toHaveLength(1);
});

test('a queue ends with its client', async () => {
	await using world = await openPaced();
	await Promise.all(Array.from({length: 9}, async () => world.client.offers.search()));
	const waits = world.client.offers.search().catch((error: unknown) => String(error));
	await world.client.close();
	expect(await waits).toContain('the client was closed');
});

test('the pace and the reason for it can be read, and listeners hear of changes', async () => {
	await using world = await openPaced();
	const {client, proxy, time} = world;
	const heard: number[] = [];
	const unsubscribe = client.pace.subscribe(() => heard.push(client.pace.read().length));
	await client.instances.list();
	expect(client.pace.read()).toBe(client.pace.read());
	expect(client.pace.read()).toEqual([
		{
			endpoint: 'GET /api/v1/instances/',
			call: 'list your instances',
			intervalSeconds: 1,
			usualSeconds: 1,
			slowness: 1,
			reason: undefined,
			refusals: 0,
		},
	]);
	const headers = {'retry-after': '3'};
	const body = {detail: 'API requests too frequent endpoint threshold=2.0'};
	proxy.next({}, answered({status: 429, body, headers}));
	await expect(client.instances.list()).rejects.toMatchObject({
		status: 429,
		retryAfterSeconds: 3,
		thresholdSeconds: 2,
	});
	expect(client.pace.read()).toMatchObject([
		{intervalSeconds: 3, usualSeconds: 2, slowness: 1.5, refusals: 1},
	]);
	expect(client.pace.read()[0]?.reason).toBe(
		'The service wants fewer calls (list your instances): 1.5 times slower, and soon faster again',
	);
	const before = heard.length;
	const next = client.instances.list();
	await time.pass(3000);
	await next;
	expect(heard.length).toBe(before + 1);
	unsubscribe();
});

test('a market with the limits of the contract refuses none of many calls', async () => {
	await using market = await openTestMarket({offers: 1, rateScale: 1});
	const time = createHandTime();
	const client = openClient({url: market.url, key: market.key, time, repeats: 0});
	const searches = Array.from({length: 30}, async () => client.offers.search());
	await Promise.all(searches.slice(0, 9));
	for (const search of searches.slice(9)) {
		market.clock.pass(6);
		await time.pass(6000);
		await search;
	}
	expect(client.pace.read()).toMatchObject([{slowness: 1, refusals: 0}]);
	await client.close();
});

import {createServer} from 'node:http';
import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {
	ApiError,
	MarketError,
	NetworkError,
	ReplyError,
	RequestError,
	TimeoutError,
} from '../../../source/client/exchange/errors.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {
	type Fault,
	answered,
	createGate,
	cutReply,
	delayed,
	dropReply,
	dropRequest,
	html,
	hungUp,
	overtaken,
	redirected,
	silent,
	typed,
} from '../../helpers/services/faults.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

/** A market behind a proxy, and a client that sends everything once. */
async function openOnce({offers = 20, timeoutMs = 5000} = {}) {
	const market = await openTestMarket({offers});
	const proxy = await openFaultProxy(market.url);
	const client = openClient({url: proxy.url, key: market.key, repeats: 0, paceScale: 0, timeoutMs});
	return {
		market,
		proxy,
		client,
		async [Symbol.asyncDispose]() {
			await client.close();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	return promise.then(
		value => expect.fail(`answered ${inspect(value)}`),
		(error: unknown) => error,
	);
}

test('each way in which an answer is lost has its error, and each says what it means', async () => {
	await using world = await openOnce({timeoutMs: 3000});
	const cases: ReadonlyArray<
		readonly [Fault, abstract new (...parts: never[]) => MarketError, string]
	> = [
		[dropRequest, NetworkError, 'the connection broke'],
		[dropReply, NetworkError, 'the connection broke'],
		[cutReply(0), NetworkError, 'the connection broke'],
		[cutReply(100), NetworkError, 'the connection broke'],
		[silent(), TimeoutError, 'no answer within 3 s'],
		[html(), ReplyError, 'the answer is a page, as proxies and sign-in pages send it, and no JSON'],
		[answered({status: 502, body: '<html>'}), ApiError, 'the service failed (502)'],
		[
			answered({status: 500, body: 'No database.'}),
			ApiError,
			'the service failed (500 No database.)',
		],
	];
	for (const [fault, kind, why] of cases) {
		world.proxy.next({path: '/api/v0/bundles/'}, fault);
		const error = await failureOf(world.client.offers.search());
		expect(error).toBeInstanceOf(kind);
		expect(error).toMatchObject({
			why,
			mayHaveActed: true,
			message: `Could not search the offers that can be rented: ${why}. What runs goes on, and is charged`,
		});
	}
});

test('a reply arrives by whatever name it has, late, out of turn, and before the line is cut', async () => {
	await using world = await openOnce();
	const {client, proxy} = world;
	const gate = createGate();
	for (const fault of [typed('text/plain'), typed('application/json; charset=utf-8'), hungUp]) {
		proxy.next({}, fault);
		expect((await client.offers.search()).offers).toHaveLength(20);
	}
	proxy.next({}, delayed(gate.opened));
	proxy.next({}, overtaken);
	const late = client.offers.search({limit: 1});
	const early = client.offers.search({limit: 2});
	await expect.poll(() => proxy.requests.length).toBe(5);
	const account = await client.account.current();
	expect(account.id).toBeGreaterThan(0);
	expect((await early).offers).toHaveLength(2);
	gate.open();
	expect((await late).offers).toHaveLength(1);
});

test('connections are kept, and one that was closed meanwhile loses nothing', async () => {
	await using world = await openOnce();
	for (let call = 0; call < 5; call++) await world.client.offers.search();
	expect(world.proxy.socketCount()).toBeLessThanOrEqual(2);
	world.proxy.closeSockets();
	await expect.poll(world.proxy.socketCount).toBe(0);
	expect((await world.client.offers.search()).offers).toHaveLength(20);
	await Promise.all(Array.from({length: 30}, async () => world.client.offers.search()));
	expect(world.proxy.socketCount()).toBeLessThanOrEqual(8);
});

test('what the service does not take is not sent, and is no failure of the network', async () => {
	await using world = await openOnce();
	const rental = world.client.instances.change(1, {});
	const error = await failureOf(rental);
	expect(error).toBeInstanceOf(RequestError);
	expect(error).toMatchObject({
		mayHaveActed: false,
		message:
			'Could not start, stop or label an instance: that is not what the service takes (state or label must be given). Nothing was changed: it is charged as before',
	});
	expect(world.proxy.requests).toEqual([]);
});

test('a refused rental says that nothing was created', async () => {
	await using market = await openRentable();
	const client = openClient({url: market.url, key: market.key});
	const error = await failureOf(client.instances.create(999_999, {image: 'debian', disk: 10}));
	expect(error).toMatchObject({status: 404, mayHaveActed: false});
	expect(String(error)).toMatch(
		/^ApiError: Could not rent an offer: the service does not know it \(404 .*\)\. Nothing was created, and nothing is charged$/,
	);
	await client.close();
});

test('a place on another host never hears the key, whatever the method', async () => {
	const heard: Array<string | undefined> = [];
	const server = createServer((request, response) => {
		heard.push(request.headers.authorization);
		response.end('{}');
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	await using world = await openOnce();
	for (const status of [301, 302, 303, 307, 308]) {
		world.proxy.next({}, redirected(`http://localhost:${port}/api/v0/instances/`, status), 2);
		const told = 'the service is elsewhere, and that is not followed';
		await expect(world.client.instances.list()).rejects.toThrow(told);
		await expect(world.client.instances.destroy(1)).rejects.toThrow(told);
	}
	expect(heard).toEqual([]);
	server.close();
});

test('a service that repeats the key does not bring it into messages', async () => {
	await using world = await openOnce();
	const {key} = world.market;
	const body = {error: `bad ${key}`, msg: `Invalid key Bearer ${key}!`};
	world.proxy.next({}, answered({status: 401, body}));
	world.proxy.next({}, answered({status: 401, body: JSON.stringify(`No: ${key}`)}));
	for (const says of ['Invalid key Bearer (the key)!', 'No: (the key)']) {
		const error = await failureOf(world.client.account.current());
		expect(error).toMatchObject({serverSays: says});
		expect(inspect(error, {depth: 9, showHidden: true}) + JSON.stringify(error)).not.toContain(key);
	}
	const refused = answered({status: 200, body: {success: false, ...body}});
	const {instances, account} = world.client;
	const calls = [
		async () => instances.list(),
		async () => account.current(),
		async () => instances.stop(1),
		async () => instances.destroy(1),
		async () => instances.reboot(1),
	];
	for (const call of calls) {
		world.proxy.next({}, refused);
		const error = await failureOf(call());
		expect(error).toMatchObject({serverSays: 'Invalid key Bearer (the key)!'});
		expect(inspect(error, {depth: 9, showHidden: true}) + JSON.stringify(error)).not.toContain(key);
	}
	expect(inspect(world.client, {depth: 9, showHidden: true})).not.toContain(key);
	expect(JSON.stringify(world.client)).not.toContain(key);
});

test('a key that no header can carry is refused without being shown', () => {
	for (const key of ['', 'two words', 'a\nb: c', 'ключ']) {
		const open = () => openClient({url: 'http://127.0.0.1:1', key});
		expect(open).toThrow('the API key must be printable characters without spaces');
	}
});

import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {
	ApiError,
	NetworkError,
	ReplyError,
	TimeoutError,
} from '../../source/client/exchange/errors.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {openTestClient, openToldService} from '../helpers/services/told-service.ts';

const json = {'content-type': 'application/json'};

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	return promise.then(
		value => expect.fail(`answered ${inspect(value)}`),
		(error: unknown) => error,
	);
}

test('offers of a real market arrive in the order asked for', async () => {
	await using market = await openTestMarket({offers: 200});
	await using client = openTestClient({url: market.url, key: market.key});
	const {offers} = await client.offers.search({
		filter: [{field: 'num_gpus', operator: 'gte', value: 2}],
		order: [['dph_total', 'asc']],
		limit: 20,
	});
	expect(offers.length).toBe(20);
	const prices = offers.map(offer => offer.dph_total ?? Number.NaN);
	expect(prices).toEqual(prices.toSorted((a, b) => a - b));
	expect(offers.every(({num_gpus: gpus}) => (gpus ?? 0) >= 2)).toBe(true);
});

test('a key that the market does not know is refused with the words of the market', async () => {
	await using market = await openTestMarket({offers: 1});
	await using client = openTestClient({url: market.url, key: 'f'.repeat(64)});
	const error = await failureOf(client.offers.search());
	expect(error).toBeInstanceOf(ApiError);
	expect(error).toMatchObject({
		status: 401,
		code: 'auth_error',
		message:
			'Could not search the offers that can be rented: the key is not accepted (401 Invalid user key)',
	});
});

test('a refused connection is a NetworkError that says nothing listens there', async () => {
	const service = await openToldService(() => {});
	await service[Symbol.asyncDispose]();
	await using client = openTestClient({url: service.url, key: 'k'});
	const error = await failureOf(client.offers.search());
	expect(error).toBeInstanceOf(NetworkError);
	expect(error).toMatchObject({code: 'ECONNREFUSED'});
	expect(String(error)).toContain('nothing listens at its address');
});

test('a reply that is not JSON is a ReplyError', async () => {
	await using service = await openToldService((_, response) => response.end('<html>'));
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await failureOf(client.offers.search())).toBeInstanceOf(ReplyError);
});

test('a reply of another shape is a ReplyError that names the place', async () => {
	await using service = await openToldService((_, response) =>
		response.writeHead(200, json).end('{"offers":7}'),
	);
	await using client = openTestClient({url: service.url, key: 'k'});
	const error = await failureOf(client.offers.search());
	expect(error).toBeInstanceOf(ReplyError);
	expect(String(error)).toContain('offers: Invalid input');
});

test('a reply that is cut off is a NetworkError', async () => {
	await using service = await openToldService((_, response) => {
		response.writeHead(200, {...json, 'content-length': '1000'});
		response.write('{"offers":[', () => response.destroy());
	});
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await failureOf(client.offers.search())).toBeInstanceOf(NetworkError);
});

test('silence before or within the reply is a TimeoutError when the time is up', async () => {
	await using silent = await openToldService(() => {});
	await using stalling = await openToldService((_, response) => {
		response.writeHead(200, json).write('{"offers":[');
	});
	for (const {url} of [silent, stalling]) {
		await using client = openTestClient({url, key: 'k', timeoutMs: 100});
		const error = await failureOf(client.offers.search());
		expect(error).toBeInstanceOf(TimeoutError);
		expect(String(error)).toContain('no answer within 0.1 s');
	}
});

test('a caller who gives up ends the call with its own reason', async () => {
	await using silent = await openToldService(() => {});
	await using client = openTestClient({url: silent.url, key: 'k'});
	const controller = new AbortController();
	const call = failureOf(client.offers.search({}, {signal: controller.signal}));
	controller.abort(new Error('left the screen'));
	expect(String(await call)).toBe('Error: left the screen');
});

test('a redirect is not followed, so that nobody else gets the key', async () => {
	const seen: Array<string | undefined> = [];
	await using other = await openToldService((request, response) => {
		seen.push(request.headers.authorization);
		response.end('{"offers":[]}');
	});
	await using service = await openToldService((_, response) =>
		response.writeHead(307, {location: `${other.url}/api/v0/bundles/`}).end(),
	);
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await failureOf(client.offers.search())).toMatchObject({status: 307});
	expect(seen).toEqual([]);
});

test('the words of a service reach nobody with control characters in them', async () => {
	await using service = await openToldService((_, response) =>
		response.writeHead(400, json).end(JSON.stringify({error: 'x', msg: 'a\u001B[2Jb\nc'})),
	);
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await failureOf(client.offers.search())).toMatchObject({serverSays: 'a [2Jb c'});
});

test('the key travels in the Authorization header and shows nowhere else', async () => {
	const key = 'a-key-that-must-not-show';
	const requests: string[] = [];
	await using service = await openToldService((request, response) => {
		requests.push(request.headers.authorization ?? '', request.url ?? '');
		response.writeHead(500).end('no');
	});
	await using client = openTestClient({url: service.url, key, repeats: 0});
	const error = await failureOf(client.offers.search());
	expect(requests).toEqual([`Bearer ${key}`, '/api/v0/bundles/']);
	expect(inspect(error, {depth: 9}) + inspect(client, {depth: 9, showHidden: true})).not.toContain(
		key,
	);
});

test('unknown fields are kept, missing ones stay missing, unfit ones become undefined', async () => {
	const sent = {id: 7, gpu_name: null, dph_total: 'cheap', aura: 'blue'};
	await using service = await openToldService((_, response) =>
		response.writeHead(200, json).end(JSON.stringify({offers: [sent], more: 1})),
	);
	await using client = openTestClient({url: service.url, key: 'k'});
	const [offer] = (await client.offers.search()).offers;
	expect(offer).toEqual({id: 7, gpu_name: null, dph_total: undefined, aura: 'blue'});
	expect(offer?.num_gpus).toBeUndefined();
});

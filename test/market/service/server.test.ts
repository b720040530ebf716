import {expect, test} from 'vitest';
import {idsOf, openTestMarket, refusal} from '../../helpers/market/market.ts';
import type {CallInit} from '../../helpers/market/market.ts';

const filter = {num_gpus: {eq: '2'}, verified: {eq: true}, limit: 5};
const filterText = JSON.stringify(filter);
const inQuery = `?q=${encodeURIComponent(filterText)}`;
const asQ = JSON.stringify({select_cols: ['*'], q: filter});

test.each<readonly [method: string, path: string, body: string | null]>([
	['POST', '/api/v0/bundles/', filterText],
	['POST', '/api/v0/bundles', filterText],
	['PUT', '/api/v0/bundles/', filterText],
	['PUT', '/api/v0/bundles', filterText],
	['GET', `/api/v0/bundles/${inQuery}`, null],
	['GET', `/api/v0/bundles${inQuery}`, null],
	['PUT', '/api/v0/search/asks/', asQ],
	['PUT', '/api/v0/search/asks', asQ],
])('%s %s searches the offers', async (method, path, body) => {
	await using market = await openTestMarket({offers: 300});
	const expected = await market.search(filter);
	const reply = await market.call(path, {method, body});
	expect(reply.status).toBe(200);
	expect(reply.headers.get('content-type')).toBe('application/json');
	expect(idsOf(reply)).toEqual(expected.map(({id}) => id));
	expect(expected).toHaveLength(5);
});

test.each<readonly [body: string, msg: string]>([
	['{"nonsense": {"eq": 1}}', 'Error in query parameters: nonsense is not a valid search key'],
	['{"num_gpus": {"like": 1}}', 'like is not a valid search op'],
	['{"num_gpus": {"eq": "many"}}', 'num_gpus: expected a number, got "many"'],
	[
		'{"order": [["nonsense", "asc"]]}',
		'Error in query parameters: order: "nonsense" is not a valid search key',
	],
	['{"limit": 0}', 'Error in query parameters: limit takes a whole number of at least 1'],
	['{"type": "spot"}', 'type is one of on-demand, ondemand, bid, interruptible, reserved'],
	[JSON.stringify({id: {in: Array(1001).fill(1)}}), 'id: in takes at most 1000 values'],
])('the search %.40s is refused by name', async (body, msg) => {
	await using market = await openTestMarket({offers: 1});
	const reply = await market.call('/api/v0/bundles/', {method: 'POST', body});
	expect(reply).toMatchObject({status: 400, body: refusal('invalid_request', msg)});
	expect(reply.headers.get('content-type')).toBe('application/json');
});

test.each<readonly [path: string, init: CallInit, msg: string]>([
	['/api/v0/bundles/?q=[1]', {method: 'GET'}, 'q must be a JSON object.'],
	['/api/v0/bundles/?q={', {method: 'GET'}, 'Error in query parameters: q is not valid JSON.'],
	['/api/v0/search/asks/', {method: 'PUT', body: '{"q": 1}'}, 'q must be a JSON object.'],
	[
		'/api/v0/search/asks/',
		{method: 'PUT', body: '{"x": 1}'},
		'Error in query parameters: x is not a valid search key',
	],
])('%s with a search of another kind is refused', async (path, init, msg) => {
	await using market = await openTestMarket();
	const reply = await market.call(path, init);
	expect(reply).toMatchObject({status: 400, body: refusal('invalid_request', msg)});
});

test('the field chunked of a search is accepted, and changes nothing in its answer', async () => {
	await using market = await openTestMarket({offers: 20});
	const body = JSON.stringify({...filter, chunked: true});
	const reply = await market.call('/api/v0/bundles/', {method: 'POST', body});
	const found = (await market.search(filter)).map(({id}) => id);
	expect(found).not.toEqual([]);
	expect(idsOf(reply)).toEqual(found);
	const rooms = await market.call('/api/v0/volumes/search/', {
		method: 'POST',
		body: '{"chunked": {"eq": false}}',
	});
	expect(rooms.status).toBe(200);
});

test('a search without a body finds what any search finds', async () => {
	await using market = await openTestMarket({offers: 100});
	const expected = (await market.search({})).map(({id}) => id);
	expect(idsOf(await market.call('/api/v0/bundles/', {method: 'POST'}))).toEqual(expected);
	expect(idsOf(await market.call('/api/v0/bundles/'))).toEqual(expected);
	expect(idsOf(await market.call('/api/v0/search/asks/', {method: 'PUT'}))).toEqual(expected);
	expect(expected).toHaveLength(64);
});

test.each(['/', '/api/v0/nothing/', '/api/v0/bundles/1/', '/%zz', '/api/v0/<script>'])(
	'nothing is at %s, and its name is not repeated',
	async path => {
		await using market = await openTestMarket();
		const reply = await market.call(path);
		const body = refusal('not_found', 'There is nothing at this path.');
		expect(reply).toMatchObject({status: 404, body});
		expect(reply.headers.get('content-type')).toBe('application/json');
	},
);

test('another method than those of a path is refused, with those it takes', async () => {
	await using market = await openTestMarket();
	for (const method of ['DELETE', 'PATCH']) {
		const reply = await market.call('/api/v0/bundles', {method});
		const body = refusal('invalid_request', 'This path takes POST, PUT, GET, HEAD, OPTIONS.');
		expect(reply).toMatchObject({status: 405, body});
		expect(reply.headers.get('allow')).toBe('POST, PUT, GET, HEAD, OPTIONS');
		expect(reply.headers.get('content-type')).toBe('application/json');
	}
	const head = await market.call('/api/v0/search/asks/', {method: 'HEAD'});
	expect(head).toMatchObject({status: 405, text: ''});
});

test('HEAD is GET without the body, and OPTIONS names the methods', async () => {
	await using market = await openTestMarket({offers: 1});
	const head = await market.call('/api/v0/bundles/', {method: 'HEAD'});
	expect(head).toMatchObject({status: 200, text: ''});
	expect(head.headers.get('content-type')).toBe('application/json');
	const options = await market.call('/api/v0/bundles/', {
		method: 'OPTIONS',
		headers: {authorization: undefined},
	});
	expect(options).toMatchObject({status: 204, text: ''});
	expect(options.headers.get('allow')).toBe('POST, PUT, GET, HEAD, OPTIONS');
});

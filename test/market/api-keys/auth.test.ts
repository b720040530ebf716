import {expect, test} from 'vitest';
import {
	idsOf,
	openTestMarket,
	refusal,
	type CallInit,
	type TestMarket,
} from '../../helpers/market/market.ts';

type Write = (market: TestMarket) => {path?: string; headers: NonNullable<CallInit['headers']>};

const none = {authorization: undefined};

const ways: ReadonlyArray<readonly [name: string, Write]> = [
	['a bearer header', ({key}) => ({headers: {authorization: `Bearer ${key}`}})],
	['a bearer header in lower case', ({key}) => ({headers: {authorization: `bearer ${key}`}})],
	['a key in the query', ({key}) => ({path: `?api_key=${key}`, headers: none})],
	[
		'a header, whatever the query says',
		({key}) => ({path: '?api_key=wrong', headers: {authorization: `Bearer ${key}`}}),
	],
];

test.each(ways)('%s is a way to say who is calling', async (_, write) => {
	await using market = await openTestMarket({offers: 3});
	const {path = '', headers} = write(market);
	const reply = await market.call(`/api/v0/bundles/${path}`, {method: 'POST', headers});
	expect(idsOf(reply)).toHaveLength(3);
});

const strangers: typeof ways = [
	['an unknown key', () => ({headers: {authorization: `Bearer ${'f'.repeat(64)}`}})],
	['another scheme', ({key}) => ({headers: {authorization: `Basic ${key}`}})],
	['a key without a scheme', ({key}) => ({headers: {authorization: key}})],
	['an empty header', () => ({headers: {authorization: ''}})],
	['an unknown key in the query', () => ({path: '?api_key=f', headers: none})],
	[
		'a wrong header, although the query is right',
		({key}) => ({path: `?api_key=${key}`, headers: {authorization: 'Bearer f'}}),
	],
];

test.each(strangers)('%s is refused', async (_, write) => {
	await using market = await openTestMarket();
	const {path = '', headers} = write(market);
	const reply = await market.call(`/api/v0/bundles/${path}`, {method: 'POST', headers});
	expect(reply).toMatchObject({status: 401, body: refusal('auth_error', 'Invalid user key')});
	expect(reply.headers.get('content-type')).toBe('application/json');
});

test('a call without any key is told to log in', async () => {
	await using market = await openTestMarket();
	const reply = await market.call('/api/v0/template/', {headers: none});
	const body = refusal('auth_error', 'This action requires login.');
	expect(reply).toMatchObject({status: 401, body});
});

test.each(['v1/invoices/', 'v0/charges/'])(
	'bills of %s say so in statuses of their own',
	async path => {
		await using market = await openTestMarket();
		const login = refusal('auth_error', 'This action requires login.');
		expect(await market.call(`/api/${path}`, {headers: none})).toMatchObject({
			status: 403,
			body: login,
		});
		const headers = {authorization: `Bearer ${'f'.repeat(64)}`};
		const unknown = refusal('auth_error', 'Invalid user key');
		expect(await market.call(`/api/${path}`, {headers})).toMatchObject({
			status: 404,
			body: unknown,
		});
	},
);

test('who is calling is asked before what they want', async () => {
	await using market = await openTestMarket();
	const init = {method: 'POST', headers: none, body: '{"nonsense": 1'};
	expect(await market.call('/api/v0/template/', init)).toMatchObject({status: 401});
});

const open = [
	['POST', '/api/v0/bundles/'],
	['PUT', '/api/v0/search/asks'],
	['GET', '/api/v0/bundles'],
	['POST', '/api/v0/volumes/search/'],
	['GET', '/api/v0/gpu_names/unique/'],
] as const;

test.each(open)('%s %s shows the same with a key and without', async (method, path) => {
	await using market = await openTestMarket({offers: 3});
	const reply = await market.call(path, {method, headers: none});
	expect(reply.status).toBe(200);
	expect(reply.body).toEqual((await market.call(path, {method})).body);
});

test('searches without a key are paced by address, apart from those with one', async () => {
	await using market = await openTestMarket({rateScale: 1});
	const search = async (headers: NonNullable<CallInit['headers']>) =>
		(await market.call('/api/v0/bundles/', {method: 'POST', headers})).status;
	for (let calls = 0; calls < 10; calls++) expect(await search(none)).toBe(200);
	expect(await search(none)).toBe(429);
	expect(await search({})).toBe(200);
});

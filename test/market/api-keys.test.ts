import {expect, test} from 'vitest';
import {contract} from '../../source/contract/index.ts';
import {openTestMarket, refusal, TEST_NOW} from '../helpers/market/market.ts';
import type {Reply, TestMarket} from '../helpers/market/market.ts';

const path = '/api/v0/auth/apikeys/';

/** Calls with one of the keys; the market's own where none is said. */
async function send(
	market: TestMarket,
	[method, where, body]: readonly [method: string, path: string, body?: unknown],
	key = market.key,
): Promise<Reply> {
	const headers = {authorization: `Bearer ${key}`};
	return market.call(where, {
		method,
		headers,
		body: body === undefined ? null : JSON.stringify(body),
	});
}

async function create(market: TestMarket, permissions?: unknown, key?: string) {
	const reply = await send(market, ['POST', path, {name: 'made', permissions}], key);
	return contract.apiKeys.create.replies[200].parse(reply.body);
}

test('a new key works, and its value is shown once', async () => {
	await using market = await openTestMarket();
	const made = await create(market);
	expect(made).toEqual({success: true, id: 2, key: made.key, permissions: false});
	expect(made.key).toMatch(/^[\da-f]{64}$/);
	const list = await send(market, ['GET', path], made.key);
	expect(list.status).toBe(200);
	expect(list.text).not.toContain(made.key);
	const record = {
		id: 2,
		user_id: 1,
		name: 'made',
		permissions: false,
		rights: 'all',
		created_at: TEST_NOW,
		last_four: made.key.slice(-4),
		cap: null,
		capped_by: null,
	};
	expect(list.body).toEqual({apikeys: [expect.objectContaining({id: 1, name: 'test'}), record]});
	expect(await send(market, ['GET', `${path}2/`])).toMatchObject({status: 200, body: record});
});

test.each<readonly [permissions: unknown]>([
	[{manage_instances: true, manage_billing: false}],
	[{user_read: true}],
	[
		{
			api: {
				user_read: {},
				instance_read: {'api.instance.request_logs': {constraints: {id: {lte: 5}}}},
			},
		},
	],
])('the permissions %j are returned as they were given', async permissions => {
	await using market = await openTestMarket();
	const {id, permissions: returned} = await create(market, permissions);
	expect(returned).toEqual(permissions);
	expect((await send(market, ['GET', `${path}${id}/`])).body).toMatchObject({permissions});
});

test.each<readonly [body: unknown, msg: string]>([
	[{permissions: {read: true}}, 'Invalid permission format: read is not a permission.'],
	[{permissions: 'all'}, 'Invalid permission format: it must be a JSON object.'],
	[{permissions: [1]}, 'Invalid permission format: it must be a JSON object.'],
	[{key_params: {id: 5}}, 'key_params are not supported.'],
])('a key with %j is refused', async (body, msg) => {
	await using market = await openTestMarket();
	const reply = await send(market, ['POST', path, {name: 'x', ...Object(body)}]);
	expect(reply).toMatchObject({status: 400, body: refusal('invalid_permissions', msg)});
	expect((await send(market, ['GET', `${path}2/`])).status).toBe(404);
});

test('permissions that are too long are refused', async () => {
	await using market = await openTestMarket();
	const permissions = {api: {misc: {['x'.repeat(17_000)]: {}}}};
	const reply = await send(market, ['POST', path, {name: 'x', permissions}]);
	expect(reply).toMatchObject({status: 400, body: {error: 'invalid_permissions'}});
});

test('a key without a permission is told which it lacks', async () => {
	await using market = await openTestMarket();
	const {key} = await create(market, {user_read: true});
	expect(await send(market, ['GET', path], key)).toMatchObject({status: 200});
	const body = refusal('not_authorized', 'This key lacks the permission misc.');
	expect(await send(market, ['POST', '/api/v0/bundles/', {}], key)).toMatchObject({
		status: 403,
		body,
	});
	// Before anything is said about what was sent.
	const broken = {method: 'POST', headers: {authorization: `Bearer ${key}`}, body: '{'};
	expect(await market.call('/api/v0/bundles/', broken)).toMatchObject({status: 403});
});

test('a key for one id may name that and no other', async () => {
	await using market = await openTestMarket();
	const {key} = await create(market, {api: {user_read: {constraints: {id: {eq: 1}}}}});
	expect((await send(market, ['GET', `${path}1/`], key)).status).toBe(200);
	for (const other of [path, `${path}2/`, `${path}x/`, '/api/v0/users/current/']) {
		expect((await send(market, ['GET', other], key)).status).toBe(403);
	}
});

test('a key gives no right that it does not have', async () => {
	await using market = await openTestMarket();
	const {key, id} = await create(market, {user_write: true, user_read: true});
	expect((await create(market, {user_read: true}, key)).permissions).toEqual({user_read: true});
	for (const permissions of [undefined, {}, {misc: true}, {user_read: true, misc: true}]) {
		const reply = await send(market, ['POST', path, {name: 'x', permissions}], key);
		expect(reply).toMatchObject({status: 403, body: {error: 'not_authorized'}});
	}
	// The value of a wider key would be worth as much.
	const reply = await send(market, ['PUT', '/api/v0/commands/reset_apikey/', {id: 1}], key);
	expect(reply).toMatchObject({status: 403, body: {error: 'not_authorized'}});
	expect((await send(market, ['GET', path])).status).toBe(200);
	expect(id).toBe(2);
});

test('a key deletes those that it could make, and no others', async () => {
	await using market = await openTestMarket();
	const {key, id} = await create(market, {user_write: true, user_read: true});
	const lesser = await create(market, {user_read: true});
	const other = await create(market, {misc: true});
	for (const wider of [1, other.id]) {
		const reply = await send(market, ['DELETE', `${path}${wider}/`, {}], key);
		expect(reply).toMatchObject({status: 403, body: {error: 'not_authorized'}});
	}
	expect((await send(market, ['GET', path], market.key)).status).toBe(200);
	expect((await send(market, ['DELETE', `${path}${lesser.id}/`, {}], key)).status).toBe(200);
	expect((await send(market, ['DELETE', `${path}${id}/`, {}], key)).status).toBe(200);
});

test('a deleted key is dead at once, and gone', async () => {
	await using market = await openTestMarket();
	const {key, id} = await create(market);
	const reply = await send(market, ['DELETE', `${path}${id}/`, {}]);
	expect(reply).toMatchObject({status: 200, body: 'Successfully Deleted API Key'});
	expect(await send(market, ['GET', path], key)).toMatchObject({
		status: 401,
		body: refusal('auth_error', 'Invalid user key'),
	});
	const gone = {status: 404, body: refusal('not_found', 'API Key not found.')};
	expect(await send(market, ['GET', `${path}${id}/`])).toMatchObject(gone);
	expect(await send(market, ['DELETE', `${path}${id}/`])).toMatchObject(gone);
	expect((await send(market, ['GET', path])).body).toMatchObject({apikeys: [{id: 1}]});
});

test.each<readonly [name: string, body: unknown]>([
	['the calling key', {client_id: 'me'}],
	['the key that is named', {id: 1}],
	['the calling key, where null is named', {id: null}],
])('a reset gives %s a new value', async (_, body) => {
	await using market = await openTestMarket();
	const reply = await send(market, ['PUT', '/api/v0/commands/reset_apikey/', body]);
	const {new_api_key: value} = contract.apiKeys.reset.replies[200].parse(reply.body);
	expect(reply.body).toEqual({success: true, new_api_key: value, id: 1});
	expect((await send(market, ['GET', path])).status).toBe(401);
	const list = await send(market, ['GET', path], value);
	expect(list.body).toMatchObject({apikeys: [{id: 1, last_four: value.slice(-4)}]});
});

test('a key that may do little may give itself a new value, and no other', async () => {
	await using market = await openTestMarket();
	const {key} = await create(market, {misc: true});
	const reset = '/api/v0/commands/reset_apikey/';
	const other = await send(market, ['PUT', reset, {id: 1}], key);
	const body = refusal('not_authorized', 'This key lacks the permission user_write.');
	expect(other).toMatchObject({status: 403, body});
	expect(await send(market, ['PUT', reset, {}], key)).toMatchObject({status: 200});
	expect(await send(market, ['PUT', reset, {id: 99}])).toMatchObject({status: 404});
});

import {expect, test} from 'vitest';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {refusal, TEST_NOW} from '../../helpers/market/market.ts';
import {openSharedMachine, type SharedMachine} from '../../helpers/market/shared-machine.ts';

const actions = [
	['PUT', '#/', {state: 'stopped'}],
	['PUT', '#/', {label: 'x'}],
	['DELETE', '#/', undefined],
	['PUT', 'reboot/#/', {}],
	['PUT', 'recycle/#/', {}],
	['PUT', 'update_template/#/', {image: 'a/b'}],
	['PUT', 'bid_price/#/', {price: 1}],
	['PUT', 'prepay/#/', {amount: 1}],
	['GET', 'balance/#/', undefined],
] as const;

/** The calls that say it in words of their own, as existing services do. */
const words = new Map<string, readonly [status: number, error: string, msg: string]>([
	['PUT reboot/#/', [400, 'invalid_args', 'invalid instance_id']],
	['PUT recycle/#/', [400, 'invalid_id', 'Invalid instance id.']],
]);

test.each(actions)('%s %s of what is not the caller’s is refused', async (method, path, body) => {
	await using machine = await openSharedMachine();
	const foreign = await machine.rent({gpus: [0], account_id: 1, bid: 0.4});
	const destroyed = await machine.halt({gpus: [1], destroyed_at: TEST_NOW});
	for (const id of [foreign, destroyed, 0, 999_999]) {
		const reply = await machine.act(method, path.replace('#', String(id)), body);
		const [status, error, msg] = words.get(`${method} ${path}`) ?? [
			404,
			'no_such_instance',
			`Instance ${id} not found.`,
		];
		expect(reply).toMatchObject({status, body: refusal(error, msg)});
	}
	const malformed = await machine.act(method, path.replace('#', '1.5'), body);
	expect(malformed).toMatchObject({
		status: 400,
		body: refusal('invalid_args', 'id: must be a whole number'),
	});
	expect(await machine.row(foreign)).toMatchObject({current: 'running', label: null});
});

test.each(actions)('%s %s needs its permission', async (method, path, body) => {
	await using machine = await openSharedMachine();
	const {account_id: accountId, id} = await machine.row(await machine.rent({gpus: [0]}));
	const permissions = {[method === 'GET' ? 'instance_write' : 'instance_read']: true};
	const key = {accountId, name: 'x', permissions, now: TEST_NOW};
	const {value} = await createKey(machine.database, key);
	const headers = {authorization: `Bearer ${value}`};
	const reply = await machine.act(method, path.replace('#', String(id)), body, headers);
	expect(reply).toMatchObject({status: 403, body: {error: 'not_authorized'}});
});

/** Calls with the key that an instance has of its own. */
async function withOwnKey(machine: SharedMachine, id: number) {
	const {account_id: accountId} = await machine.row(id);
	const constraints = {id: {eq: id}};
	const {value} = await createKey(machine.database, {
		accountId,
		name: `instance ${id}`,
		permissions: {api: {instance_write: {'api.instance': {constraints}}}},
		instanceId: id,
		now: TEST_NOW,
	});
	const headers = {authorization: `Bearer ${value}`};
	return {
		act: async (method: string, path: string, body?: unknown) =>
			machine.act(method, path, body, headers),
		call: async (path: string, method = 'GET', body: unknown = {}) =>
			machine.call(path, {method, body: method === 'GET' ? null : JSON.stringify(body), headers}),
	};
}

test('the key of an instance stops, starts and destroys it, and dies with it', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0]});
	const own = await withOwnKey(machine, id);
	const done = {status: 200, body: {success: true}};
	expect(await own.act('PUT', `${id}/`, {state: 'stopped'})).toMatchObject(done);
	expect(await own.act('PUT', `${id}/`, {state: 'running'})).toMatchObject(done);
	expect(await machine.running(id)).toEqual([true]);
	expect(await own.act('DELETE', `${id}/`)).toMatchObject(done);
	expect(await own.act('DELETE', `${id}/`)).toMatchObject({
		status: 401,
		body: refusal('auth_error', 'Invalid user key'),
	});
});

test('the key of an instance is for nothing else', async () => {
	await using machine = await openSharedMachine();
	const [id, other] = [await machine.rent({gpus: [0]}), await machine.rent({gpus: [1]})];
	const own = await withOwnKey(machine, id);
	const calls = [
		own.act('PUT', `${id}/`, {label: 'x'}),
		own.act('PUT', `${id}/`, {state: 'stopped', label: 'x'}),
		own.act('PUT', `${id}/`, {label: ''}),
		own.act('PUT', `${other}/`, {state: 'stopped'}),
		own.act('DELETE', `${other}/`),
		own.act('PUT', '', {state: 'stopped', ids: [id]}),
		own.act('POST', 'start/', {IDs: [id]}),
		own.act('DELETE', '', {instance_ids: [id]}),
		own.act('PUT', `reboot/${id}/`),
		own.act('PUT', `recycle/${id}/`),
		own.act('PUT', `update_template/${id}/`, {image: 'a/b'}),
		own.act('PUT', `bid_price/${id}/`, {price: 1}),
		own.act('PUT', `prepay/${id}/`, {amount: 1}),
		own.act('GET', `balance/${id}/`),
		own.act('GET', `${id}/`),
		own.act('GET', ''),
		own.call('/api/v1/instances/'),
		own.call('/api/v0/auth/apikeys/'),
		own.call('/api/v0/auth/apikeys/', 'POST', {name: 'wider'}),
		own.call('/api/v0/users/current/'),
		own.call('/api/v0/bundles/', 'POST'),
		own.call(`/api/v0/asks/${id}/`, 'PUT', {image: 'a/b'}),
	];
	for (const reply of await Promise.all(calls)) expect(reply).toMatchObject({status: 403});
	expect(await machine.row(id)).toMatchObject({current: 'running', label: null});
	expect(await machine.running(other)).toEqual([true]);
});

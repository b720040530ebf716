import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {attachAccountKeys, countKeys} from '../../../source/market/ssh-keys/store.ts';
import {openTestMarketFile, readInstance, rentRunning} from '../../helpers/market/instances.ts';
import {refusal, TEST_NOW, type Reply, type TestMarket} from '../../helpers/market/market.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';
import {openTestHost} from '../../helpers/market/tasks.ts';

type Caller = Pick<TestMarket, 'call'>;

async function send(market: Caller, method: string, path: string, body?: unknown): Promise<Reply> {
	const text = body === undefined ? null : JSON.stringify(body);
	return market.call(`/api/v0/${path}`, {method, body: text});
}

const listed = z.looseObject({success: z.literal(true), ssh_keys: z.string()});

async function keysOf(market: Caller, id: number): Promise<unknown> {
	const reply = await send(market, 'GET', `instances/${id}/ssh/`);
	return JSON.parse(z.parse(listed, reply.body).ssh_keys);
}

/** A market in which an instance runs, without any key, and its account has one. */
async function openWorld() {
	const market = await openTestMarketFile({offers: 10});
	const {id} = await rentRunning(market.database);
	await send(market, 'POST', 'ssh/', {ssh_key: sshKeyText(1, 'ann@laptop')});
	const host = await openTestHost(market);
	return {
		...market,
		id,
		path: `instances/${id}/ssh/`,
		revision: async () => (await readInstance(market.database, id)).revision,
		publicKeys: async () => (await host.work()).work.flatMap(work => work.public_keys ?? []),
	};
}

test('a key of the account is attached and detached, and its host is told', async () => {
	await using world = await openWorld();
	const {id, path} = world;
	expect(await keysOf(world, id)).toEqual([]);
	const before = await world.revision();
	const attached = await send(world, 'POST', path, {ssh_key: sshKeyText(1, 'other name')});
	expect(attached).toMatchObject({
		status: 200,
		body: {success: true, msg: `SSH key 1 may enter instance ${id}.`},
	});
	expect(await world.revision()).toBe(before + 1);
	const text = sshKeyText(1, 'ann@laptop');
	expect(await keysOf(world, id)).toEqual([{id: 1, name: 'ann@laptop', public_key: text}]);
	expect(await world.publicKeys()).toEqual([text]);
	const detached = await send(world, 'DELETE', `${path}1/`, {});
	expect(detached).toMatchObject({status: 200, body: {success: true}});
	expect(await world.revision()).toBe(before + 2);
	expect(await keysOf(world, id)).toEqual([]);
	expect(await send(world, 'GET', 'ssh/')).toMatchObject({body: [{id: 1}]});
});

test('another key becomes one of the instance alone', async () => {
	await using world = await openWorld();
	const {id, path} = world;
	await send(world, 'POST', path, {ssh_key: `${sshKeyText(2)}\n`});
	expect(await keysOf(world, id)).toEqual([{id: 2, name: '', public_key: sshKeyText(2)}]);
	expect(await send(world, 'GET', 'ssh/')).toMatchObject({body: [{id: 1}]});
	expect(await send(world, 'DELETE', 'ssh/2/')).toMatchObject({status: 400});
	expect(await send(world, 'PUT', 'ssh/2/', {ssh_key: sshKeyText(3)})).toMatchObject({status: 400});
	expect(await send(world, 'POST', 'ssh/', {ssh_key: sshKeyText(2)})).toMatchObject({
		body: {key: {id: 3}},
	});
	expect(await send(world, 'DELETE', `${path}2/`)).toMatchObject({status: 200});
	expect(await keysOf(world, id)).toEqual([]);
	const own = world.database.selectFrom('ssh_keys').selectAll().where('id', '=', 2);
	expect(await own.executeTakeFirst()).toMatchObject({deleted_at: TEST_NOW});
});

test.each([1, 2])('attaching the key %d again changes nothing', async number => {
	await using world = await openWorld();
	await send(world, 'POST', world.path, {ssh_key: sshKeyText(number)});
	const before = await world.revision();
	const again = await send(world, 'POST', world.path, {ssh_key: sshKeyText(number, 'x')});
	expect(again).toMatchObject({
		status: 200,
		body: {success: true, msg: 'SSH key already associated with instance.'},
	});
	expect(await world.revision()).toBe(before);
	expect(await keysOf(world, world.id)).toHaveLength(1);
});

test.each<readonly [key: unknown, msg: RegExp]>([
	[undefined, /No ssh key provided/],
	[null, /No ssh key provided/],
	[5, /No ssh key provided/],
	['', /No ssh key provided/],
	['-----BEGIN OPENSSH PRIVATE KEY-----', /private key/],
	['~/.ssh/id_ed25519.pub', /name of a file/],
	['ssh-ed25519 rubbish', /damaged/],
])('the key %j is not attached', async (key, msg) => {
	await using world = await openWorld();
	const reply = await send(world, 'POST', world.path, {ssh_key: key});
	expect(reply).toMatchObject({status: 400, body: {success: false, error: 'no_ssh_key'}});
	expect(reply.body).toHaveProperty('msg', expect.stringMatching(msg));
	expect(await keysOf(world, world.id)).toEqual([]);
});

test('a key that may not enter cannot be detached', async () => {
	await using world = await openWorld();
	for (const key of [1, 99]) {
		expect(await send(world, 'DELETE', `${world.path}${key}/`, {})).toMatchObject({
			status: 404,
			body: refusal('no_such_ssh_key', `Instance ${world.id} has no SSH key ${key}.`),
		});
	}
	expect(await send(world, 'DELETE', `${world.path}x/`, {})).toMatchObject({
		status: 400,
		body: {error: 'invalid_args'},
	});
});

test.each<readonly [method: string, rest: string]>([
	['GET', ''],
	['POST', ''],
	['DELETE', '1/'],
])('%s of the keys of no instance is refused', async (method, rest) => {
	await using world = await openWorld();
	const body = method === 'GET' ? undefined : {ssh_key: sshKeyText(1)};
	expect(await send(world, method, `instances/99/ssh/${rest}`, body)).toMatchObject({
		status: 404,
		body: refusal('no_such_instance', 'Instance 99 not found.'),
	});
	expect(await send(world, method, `instances/x/ssh/${rest}`, body)).toMatchObject({
		status: 400,
		body: {error: 'invalid_args'},
	});
	const {id: other} = await soleAccount(world.database, 'host', TEST_NOW);
	await world.database.updateTable('instances').set({account_id: other}).execute();
	expect(await send(world, method, `${world.path}${rest}`, body)).toMatchObject({status: 404});
});

test('a new instance is entered with the present keys of its account alone', async () => {
	await using world = await openWorld();
	const {database, id} = world;
	await send(world, 'POST', 'ssh/', {ssh_key: sshKeyText(2)});
	await send(world, 'POST', 'ssh/', {ssh_key: sshKeyText(3)});
	await send(world, 'DELETE', 'ssh/2/');
	await send(world, 'POST', world.path, {ssh_key: sshKeyText(4)});
	const {account_id: account} = await readInstance(database, id);
	expect(await countKeys(database, account)).toBe(2);
	expect(await countKeys(database, 99)).toBe(0);
	const next = await rentRunning(database);
	await attachAccountKeys(database, next.id, account);
	expect(await keysOf(world, next.id)).toMatchObject([{id: 1}, {id: 3}]);
});

test('a key that is replaced enters no more, and its host is told of the new one', async () => {
	await using world = await openWorld();
	await send(world, 'POST', world.path, {ssh_key: sshKeyText(1)});
	const before = await world.revision();
	expect(await send(world, 'PUT', 'ssh/1/', {ssh_key: sshKeyText(2)})).toMatchObject({status: 200});
	expect(await world.revision()).toBe(before + 1);
	expect(await world.publicKeys()).toEqual([sshKeyText(2)]);
});

import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {machineFacts} from '../../../source/contract/nouns/hosts.ts';
import {createApp} from '../../../source/market/service/server.ts';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {openDatabase} from '../../helpers/market/postgres.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {
	askHost,
	openHostMarket,
	openRentedMarket,
	reportOf,
	testAsk,
	testFacts,
	testPublication,
} from '../../helpers/host/hosts.ts';
import {readInstance} from '../../helpers/market/instances.ts';
import {createHandClock, refusal, TEST_NOW, testServices} from '../../helpers/market/market.ts';

const unfitMachines: ReadonlyArray<[why: string, changes: Record<string, unknown>]> = [
	['an ask of a GPU that it does not have', {asks: [testAsk({gpu_ids: [2]})]}],
	['a GPU that it does not have in use', {busy_gpus: [2]}],
	['two asks of the same GPUs', {asks: [testAsk({gpu_ids: [0, 1]}), testAsk({gpu_ids: [1, 0]})]}],
	['an ask that names a GPU twice', {asks: [testAsk({gpu_ids: [1, 1]})]}],
	['an ask of none of its GPUs', {asks: [testAsk({gpu_ids: []})]}],
	['a GPU below 0', {asks: [testAsk({gpu_ids: [-1]})]}],
	['a price below 0', {asks: [testAsk({dph_base: -1})]}],
	['no name', {name: ''}],
	['no facts', {facts: null}],
	['too many GPUs', {facts: {...testFacts, num_gpus: 53}}],
	['a fact of another type', {facts: {...testFacts, cpu_ram: 'much'}}],
];

test.each(unfitMachines)('a machine with %s is refused', async (_, changes) => {
	await using market = await openHostMarket();
	const reply = await market.callAsHost('PUT', 'machines/', {...testPublication(), ...changes});
	expect(reply).toMatchObject({status: 400, body: {success: false, error: 'invalid_args'}});
	expect(await market.host.list()).toEqual([]);
});

test('facts as small as nothing, which PostgreSQL would not divide, are nothing', () => {
	const facts = {...testFacts, dlperf: 5e-324, total_flops: 1e-9};
	expect(machineFacts.parse(facts)).toMatchObject({dlperf: 0, total_flops: 1e-9});
});

test('facts that nobody knows may be left out', async () => {
	await using market = await openHostMarket();
	const reply = await market.callAsHost('PUT', 'machines/', {
		...testPublication(),
		facts: {num_gpus: 2, gpu_name: 'RTX 4090'},
	});
	expect(reply).toMatchObject({status: 200});
	expect((await market.search({}))[0]).toMatchObject({dlperf: 94.6, score: null, gpu_ram: null});
});

test.each(['', '?after=x', '?after=-1', '?after=1.5', '?after=0&wait=x', '?wait=1'])(
	'work is not taken with the query %j',
	async query => {
		await using market = await openRentedMarket();
		const reply = await market.callAsHost('GET', `work/${query}`);
		expect(reply).toMatchObject({status: 400, body: {error: 'invalid_args'}});
	},
);

const unfitReports: ReadonlyArray<[what: string, report: Record<string, unknown>]> = [
	['an unknown status', {status: 'sleeping'}],
	['a boot that is no number', {boot: 'x'}],
	['a share beyond all', {usage: {gpu_util: 101}}],
	['bytes below 0', {traffic: {up: -1, down: 0}}],
	['bytes beyond numbers', {traffic: {up: 2 ** 53, down: 0}}],
	['a host that is none', {access: {ssh_host: 'a b', ssh_port: 22}}],
	['a port that is none', {access: {ssh_host: 'a', ssh_port: 70_000}}],
	['half a character', {status_msg: '\uD800'}],
];

test.each(unfitReports)('a report with %s is refused, and those beside it', async (_, report) => {
	await using market = await openRentedMarket();
	const {instance, database} = market;
	const fit = reportOf(instance);
	const reply = await market.callAsHost('POST', 'reports/', {reports: [fit, {...fit, ...report}]});
	expect(reply).toMatchObject({status: 400, body: {error: 'invalid_args'}});
	expect(await readInstance(database, instance.id)).toEqual(instance);
});

test('a task is told until it is answered', async () => {
	await using market = await openRentedMarket();
	const {host, stranger, database, instance} = market;
	const id = await askHost(database, instance, {kind: 'logs', tail: 5, filter: 'x'});
	const task = {id, instance_id: instance.id, kind: 'logs', tail: 5, filter: 'x'};
	const {tasks, revision} = await host.takeWork({after: 0});
	expect(tasks).toEqual([task]);
	expect((await host.takeWork({after: revision - 1})).tasks).toEqual([task]);
	expect((await host.takeWork({after: revision})).tasks).toEqual([]);
	await expect(stranger.answer(id, 'y')).rejects.toMatchObject({status: 404});
	await host.answer(id, 'line\n');
	expect((await host.takeWork({after: 0})).tasks).toEqual([]);
	const read = database.selectFrom('tasks').select('answer').executeTakeFirstOrThrow();
	expect(await read).toEqual({answer: 'line\n'});
	const again = await market.callAsHost('POST', `tasks/${id}/`, {text: 'other'});
	expect(again).toMatchObject({
		status: 404,
		body: refusal('no_such_task', `Your machines have no task ${id} that is to be answered.`),
	});
});

test('an answer may be empty', async () => {
	await using market = await openRentedMarket();
	const id = await askHost(market.database, market.instance, {kind: 'execute', command: 'rm x'});
	expect((await market.host.takeWork({after: 0})).tasks).toMatchObject([
		{id, kind: 'execute', command: 'rm x'},
	]);
	await market.host.answer(id, '');
	expect((await market.host.takeWork({after: 0})).tasks).toEqual([]);
});

const made = z.looseObject({key: z.string()});

test('a key needs the permissions of its calls', async () => {
	await using market = await openHostMarket();
	const reply = await market.call('/api/v0/auth/apikeys/', {
		method: 'POST',
		headers: {authorization: `Bearer ${market.hostKey}`},
		body: JSON.stringify({name: 'x', permissions: {api: {machine_read: {}}}}),
	});
	const headers = {authorization: `Bearer ${made.parse(reply.body).key}`};
	const statusOf = async (method: string, path: string) =>
		(await market.call(`/api/v0/hosts/${path}`, {method, headers})).status;
	expect(await statusOf('GET', 'machines/')).toBe(200);
	expect(await statusOf('GET', 'work/?after=0')).toBe(200);
	expect(await statusOf('PUT', 'machines/')).toBe(403);
	expect(await statusOf('DELETE', 'machines/1/')).toBe(403);
	expect(await statusOf('POST', 'heartbeat/')).toBe(403);
	expect(await statusOf('POST', 'disconnect/')).toBe(403);
	expect(await statusOf('POST', 'reports/')).toBe(403);
	expect(await statusOf('POST', 'tasks/1/')).toBe(403);
});

test('whoever goes is waited with no longer', async () => {
	const database = await openDatabase(':memory:');
	const app = createApp(testServices(database, createHandClock(TEST_NOW)), line =>
		expect.fail(line),
	);
	const {id: accountId} = await soleAccount(database, 'host', TEST_NOW);
	const {value} = await createKey(database, {accountId, name: 'x', now: TEST_NOW});
	const leaving = new AbortController();
	const replying = app.request('/api/v0/hosts/work/?after=0&wait=25', {
		headers: {authorization: `Bearer ${value}`},
		signal: leaving.signal,
	});
	leaving.abort();
	expect((await replying).status).toBe(200);
	await database.destroy();
});

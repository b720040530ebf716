import {expect, test} from 'vitest';
import {openTestMarketFile, rentDirectly, rentRunning} from '../../helpers/market/instances.ts';
import {refusal, TEST_NOW} from '../../helpers/market/market.ts';
import type {Reply, TestMarket} from '../../helpers/market/market.ts';
import {openTestHost, resultPathIn} from '../../helpers/market/tasks.ts';

/** A market in which an instance runs, with its host. */
async function openWorld() {
	const market = await openTestMarketFile({offers: 10});
	const instance = await rentRunning(market.database);
	return {...market, instance, host: await openTestHost(market)};
}

async function put(market: Pick<TestMarket, 'call'>, path: string, body: unknown): Promise<Reply> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return market.call(`/api/v0/instances/${path}`, {method: 'PUT', body: text});
}

/** Reads an address as whoever knows it does: without a key. */
async function readAnswer(market: Pick<TestMarket, 'call'>, path: string): Promise<Reply> {
	return market.call(path, {headers: {authorization: undefined, 'content-type': undefined}});
}

test('logs are asked of the host, and are read where its answer will be', async () => {
	await using world = await openWorld();
	const {id} = world.instance;
	const body = {tail: '20', filter: 'error', daemon_logs: 'true'};
	const reply = await put(world, `request_logs/${id}/`, body);
	expect(reply).toMatchObject({status: 200, body: {success: true}});
	const [task] = await world.host.tasks();
	expect(task).toEqual({
		id: 1,
		instance_id: id,
		kind: 'logs',
		tail: 20,
		filter: 'error',
		daemon_logs: true,
	});
	const path = resultPathIn(reply.body);
	const early = await readAnswer(world, path);
	expect(early).toMatchObject({status: 404, body: {success: false, error: 'not_found'}});
	await world.host.answer('line 1\nlíne 2\n');
	const answer = await readAnswer(world, path);
	expect(answer).toMatchObject({status: 200, text: 'line 1\nlíne 2\n'});
	expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
	expect(answer.headers.get('cache-control')).toBe('no-store');
	expect(await readAnswer(world, path.replace(/\/$/, ''))).toMatchObject({status: 200});
	expect(await world.host.tasks()).toEqual([]);
});

test('the address of an answer is where the market was called, and cannot be guessed', async () => {
	await using world = await openWorld();
	const {id} = world.instance;
	const reply = await put(world, `request_logs/${id}`, {});
	const again = await put(world, `request_logs/${id}`, {});
	expect(reply.body).toHaveProperty('result_url', expect.stringContaining(`${world.url}/`));
	const [one, other] = [resultPathIn(reply.body), resultPathIn(again.body)];
	expect(one).toMatch(/^\/api\/v0\/results\/[\w-]{43}\/$/);
	expect(one).not.toBe(other);
	const rows = await world.database.selectFrom('tasks').selectAll().execute();
	expect(JSON.stringify(rows)).not.toContain(one.split('/').at(-2));
});

test('an answer is gone after ten minutes', async () => {
	await using world = await openWorld();
	const path = resultPathIn((await put(world, `request_logs/${world.instance.id}/`, {})).body);
	await world.host.answer('text');
	world.clock.pass(599);
	expect(await readAnswer(world, path)).toMatchObject({status: 200});
	world.clock.pass(1);
	expect(await readAnswer(world, path)).toMatchObject({status: 404});
	expect(await world.database.selectFrom('tasks').selectAll().execute()).toHaveLength(1);
	await world.sweep();
	expect(await world.database.selectFrom('tasks').selectAll().execute()).toEqual([]);
});

test.each<readonly [body: unknown, task: object]>([
	[{}, {tail: 1000, daemon_logs: false}],
	[
		{tail: null, filter: null, daemon_logs: null},
		{tail: 1000, daemon_logs: false},
	],
	[
		{tail: 5, daemon_logs: 'false', filter: ''},
		{tail: 5, daemon_logs: false},
	],
	[
		{tail: '10000', daemon_logs: true},
		{tail: 10_000, daemon_logs: true},
	],
])('logs with %j are asked for as %j', async (body, task) => {
	await using world = await openWorld();
	await put(world, `request_logs/${world.instance.id}/`, body);
	const [{id: _, instance_id: __, ...asked} = expect.fail('nothing asked')] =
		await world.host.tasks();
	expect(asked).toEqual({kind: 'logs', ...task});
});

test.each<readonly [body: unknown, msg: string]>([
	[{tail: 0}, 'tail must be a whole number from 1 to 10000'],
	[{tail: 10_001}, 'tail must be a whole number from 1 to 10000'],
	[{tail: 'all'}, 'tail must be a whole number from 1 to 10000'],
	[{filter: 5}, 'filter must be text of at most 1024 characters'],
	[{filter: 'x'.repeat(1025)}, 'filter must be text of at most 1024 characters'],
	[{daemon_logs: 'maybe'}, 'daemon_logs must be true or false'],
	['{', 'Invalid json body'],
])('logs with %.40j are refused', async (body, msg) => {
	await using world = await openWorld();
	const reply = await put(world, `request_logs/${world.instance.id}/`, body);
	expect(reply).toMatchObject({status: 400, body: refusal('invalid_args', msg)});
	expect(await world.host.tasks()).toEqual([]);
});

test.each(['request_logs', 'command'])('%s of no instance is refused', async path => {
	await using world = await openWorld();
	const {id} = world.instance;
	const body = {command: 'ls'};
	const missing = await put(world, `${path}/99/`, body);
	expect(missing).toMatchObject({
		status: 404,
		body: refusal('no_such_instance', 'Instance 99 not found.'),
	});
	expect(await put(world, `${path}/x/`, body)).toMatchObject({
		status: 400,
		body: {error: 'invalid_args'},
	});
	const hostKey = await world.createKey('other', 'host');
	const foreign = await world.call(`/api/v0/instances/${path}/${id}/`, {
		method: 'PUT',
		body: JSON.stringify(body),
		headers: {authorization: `Bearer ${hostKey}`},
	});
	expect(foreign).toMatchObject({status: 404, body: {error: 'no_such_instance'}});
	await world.database.updateTable('instances').set({destroyed_at: TEST_NOW}).execute();
	expect(await put(world, `${path}/${id}/`, body)).toMatchObject({status: 404});
});

test('an instance that its host never had has nothing to read', async () => {
	await using market = await openTestMarketFile({offers: 10});
	const {id} = await rentDirectly(market.database);
	for (const path of [`request_logs/${id}/`, `command/${id}/`]) {
		expect(await put(market, path, {command: 'ls'})).toMatchObject({
			status: 200,
			body: {
				success: false,
				msg: `Instance ${id} was not started yet: there is nothing to read.`,
			},
		});
	}
	expect(await market.database.selectFrom('tasks').selectAll().execute()).toEqual([]);
});

test('the host of a machine that is offline is asked nothing', async () => {
	await using market = await openTestMarketFile({offers: 10});
	const {id} = await rentRunning(market.database);
	await market.pass(3600);
	const reply = await put(market, `request_logs/${id}/`, {});
	expect(reply).toMatchObject({
		status: 200,
		body: {success: false, msg: `The machine of instance ${id} is offline.`},
	});
});

test('a command is asked of the host', async () => {
	await using world = await openWorld();
	const {id} = world.instance;
	const reply = await put(world, `command/${id}/`, {command: ' ls -la /workspace/ä '});
	expect(reply).toMatchObject({
		status: 200,
		body: {success: true, writeable_path: '/workspace/'},
	});
	expect(await world.host.tasks()).toMatchObject([
		{instance_id: id, kind: 'execute', command: 'ls -la /workspace/ä'},
	]);
	await world.host.answer('total 0\n');
	expect(await readAnswer(world, resultPathIn(reply.body))).toMatchObject({text: 'total 0\n'});
});

test.each(['ls', 'rm -rf /workspace/a.txt', 'du -sh --max-depth=1 /'])(
	'the command %j is taken',
	async command => {
		await using world = await openWorld();
		expect(await put(world, `command/${world.instance.id}/`, {command})).toMatchObject({
			body: {success: true},
		});
	},
);

test.each<unknown>([
	undefined,
	null,
	5,
	'',
	'cat /etc/passwd',
	'lsof',
	'/bin/ls',
	'LS',
	'ls; reboot',
	'ls && reboot',
	'ls | sh',
	'ls > /etc/passwd',
	'ls $(reboot)',
	'ls `reboot`',
	'ls *',
	'ls ~',
	"ls 'a",
	'ls\nreboot',
	'ls\treboot',
	'ls a\u2028b',
	'ls \uD800',
	`ls ${'x'.repeat(510)}`,
])('the command %.30j is refused', async command => {
	await using world = await openWorld();
	const reply = await put(world, `command/${world.instance.id}/`, {command});
	expect(reply).toMatchObject({
		status: 400,
		body: refusal('invalid_args', 'Invalid command given.'),
	});
	expect(await world.host.tasks()).toEqual([]);
});

test('an address that nobody was given has no answer', async () => {
	await using world = await openWorld();
	for (const path of ['/api/v0/results/x/', '/api/v0/results/%00/', '/api/v0/results/']) {
		expect(await readAnswer(world, path)).toMatchObject({
			status: 404,
			body: {success: false, error: 'not_found'},
		});
	}
});

import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {contract} from '../../source/contract/index.ts';
import {readTestLines, TEST_WORD} from '../../source/market/machine-tests/rules.ts';
import {reportOf} from '../helpers/host/hosts.ts';
import {wholeReply} from '../helpers/market/market.ts';
import {
	instanceServer,
	listening,
	openTested,
	sshServer,
} from '../helpers/market/tested-machine.ts';

const DAY = 86_400;

const good = [
	['disk', 'passed', 900],
	['memory', 'passed', 8],
	['limits', 'failed'],
	['gpus', 'passed', 2],
	['gpu_busy', 'passed', 300],
] as const;

test('a machine that passes its test is verified, and all checks are kept with who saw them', async () => {
	await using market = await openTested();
	const {id, provider} = market;
	const number = await provider.machines.test(id);
	expect(await provider.machines.test(id)).toBe(number);
	const {row, secret} = await market.ordered();
	expect(row).toMatchObject({is_bid: 1, gpu_micros: 0, storage_micros: 0, gpu_mask: 3});
	await using ssh = await sshServer();
	await using instance = await instanceServer(secret);
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	const ended = await market.last();
	expect(ended).toMatchObject({id: number, outcome: 'passed', note: 'It has passed its test.'});
	const checks = (ended?.checks ?? []).map(
		({name, outcome, said_by: by}) => `${name} ${outcome} ${by}`,
	);
	expect(checks).toEqual([
		'disk passed host',
		'gpu_bandwidth passed market',
		'gpu_busy passed host',
		'gpu_int8 passed market',
		'gpu_memory passed market',
		'gpu_proof passed market',
		'gpus passed host',
		'image passed host',
		'inet_down passed market',
		'inet_up passed market',
		'isolation passed host',
		'limits failed host',
		'memory passed host',
		'port passed market',
		'ssh_direct passed market',
		'ssh_door passed market',
	]);
	expect(JSON.stringify(ended)).not.toContain(secret);
	expect(await market.shown()).toBe('verified');
	expect(await market.search({verified: {eq: true}, rentable: {eq: true}})).toHaveLength(3);
	expect((await provider.instances.list()).instances).toEqual([]);
});

test('what a test measured is found among the benchmarks, by filters and in older words', async () => {
	await using market = await openTested();
	await market.provider.machines.test(market.id);
	await using ssh = await sshServer();
	const {row, secret} = await market.ordered();
	await using instance = await instanceServer(secret);
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	const find = async (query: Readonly<Record<string, string>>) => {
		const reply = await market.call(`/api/v0/benchmarks?${new URLSearchParams(query).toString()}`);
		return reply.status === 200
			? wholeReply(contract.gpuMarket.benchmarks, reply.body).benchmarks
			: reply;
	};
	const disk = {contract_id: row.id, machine_id: market.id, type: 'disk', value: 900, score: 900};
	const filters = {gpu_name: {eq: 'RTX_4090'}, num_gpus: {gte: '2'}, type: {eq: 'disk'}};
	expect(await find({select_filters: JSON.stringify(filters), select_cols: '["*"]'})).toMatchObject(
		[{...disk, gpu_name: 'RTX 4090', num_gpus: 2, template_hash: null, name: null}],
	);
	const least = {
		select_filters: JSON.stringify({type: {in: ['disk', 'memory', 'perf']}}),
		order_by: '[{"col":"value","dir":"asc"}]',
		limit: '2',
		select_cols: '["type","value"]',
	};
	expect(await find(least)).toEqual([
		{type: 'memory', value: 8},
		{type: 'perf', value: 300},
	]);
	expect(await find({query: 'gpu_name="RTX 4090" score>100 type=perf'})).toMatchObject([
		{value: 300},
	]);
	expect(await find({query: 'score > 1000000000'})).toEqual([]);
	for (const query of [
		{query: 'score'},
		{query: 'x>1'},
		{select_filters: '{"x":1}'},
		{limit: '0'},
	]) {
		expect(await find(query)).toMatchObject({status: 400});
	}
	const first = {filter: [], order: [], columns: undefined, limit: 1};
	const {benchmarks} = await market.provider.gpuMarket.benchmarks(first);
	expect(benchmarks).toMatchObject([{machine_id: market.id}]);
});

test('a verified machine is tested again in about a week, and loses its mark where it fails', async () => {
	await using market = await openTested({patience: {silentAfter: 30 * DAY, lostAfter: 60 * DAY}});
	await market.provider.machines.test(market.id);
	await using ssh = await sshServer();
	await using instance = await instanceServer((await market.ordered()).secret);
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	await market.pass(3.5 * DAY - 60);
	await market.host.heartbeat([market.id]);
	await market.test();
	expect(await market.last()).toMatchObject({reason: 'asked'});
	await market.pass(7 * DAY + 61);
	await market.host.heartbeat([market.id]);
	await market.test();
	expect(await market.last()).toMatchObject({reason: 'due', outcome: null});
	const {row} = await market.ordered();
	await market.host.report([reportOf(row, {status: 'failed', status_msg: 'no such image'})]);
	await market.test();
	expect(await market.last()).toMatchObject({outcome: 'failed', note: 'image: no such image.'});
	expect(await market.shown()).toBe('deverified');
});

test('a verified machine that was lost is tested as soon as it is heard again', async () => {
	await using market = await openTested();
	await market.provider.machines.test(market.id);
	await using ssh = await sshServer();
	await using instance = await instanceServer((await market.ordered()).secret);
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	await market.pass(300);
	await market.host.heartbeat([market.id]);
	await market.test();
	expect(await market.last()).toMatchObject({reason: 'asked'});
	await market.pass(700);
	await market.host.heartbeat([market.id]);
	await market.test();
	expect(await market.last()).toMatchObject({reason: 'due', outcome: null});
});

test('a machine in quarantine passes its test, and can be rented again', async () => {
	await using market = await openTested();
	const key = await market.createOperatorKey('operator');
	const operator = openClient({url: market.url, key, paceScale: 0});
	await operator.operator.markMachine(market.id, {quarantined: true, why: 'It burns.'});
	const rentable = async () => (await market.search({rentable: {eq: true}})).length;
	expect(await rentable()).toBe(0);
	await market.provider.machines.test(market.id);
	await using ssh = await sshServer();
	await using instance = await instanceServer((await market.ordered()).secret);
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	expect(await rentable()).toBe(3);
	await operator.operator.markMachine(market.id, {verification: 'deverified', why: 'I say so.'});
	await market.provider.machines.test(market.id);
	await using second = await instanceServer((await market.ordered()).secret);
	await market.runs(second.port, ssh.port);
	await market.tells(...good);
	expect(await market.last()).toMatchObject({outcome: 'passed'});
	expect(await market.shown()).toBe('deverified');
	await operator.close();
});

test('a test that was begun before a quarantine does not end it, and another one follows', async () => {
	await using market = await openTested();
	const key = await market.createOperatorKey('operator');
	const operator = openClient({url: market.url, key, paceScale: 0});
	const rentable = async () => (await market.search({rentable: {eq: true}})).length;
	await market.provider.machines.test(market.id);
	await market.pass(60);
	await market.host.heartbeat([market.id]);
	await operator.operator.markMachine(market.id, {quarantined: true, why: 'It burns.'});
	await using ssh = await sshServer();
	await using instance = await instanceServer((await market.ordered()).secret);
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	expect(await market.last()).toMatchObject({reason: 'asked', outcome: 'passed'});
	expect(await rentable()).toBe(0);
	await market.test();
	expect(await market.last()).toMatchObject({reason: 'due', outcome: null});
	await using second = await instanceServer((await market.ordered()).secret);
	await market.runs(second.port, ssh.port);
	await market.tells(...good);
	expect(await rentable()).toBe(3);
	await operator.close();
});

test('somebody else behind the port, or a GPU that proves nothing, verifies nothing', async () => {
	await using market = await openTested();
	await market.provider.machines.test(market.id);
	await using ssh = await sshServer();
	await using stranger = await instanceServer('another secret');
	await market.runs(stranger.port, ssh.port);
	await market.tells(...good);
	const port = `port: port ${stranger.port} cannot be reached, or does not answer.`;
	expect(await market.last()).toMatchObject({outcome: 'failed', note: port});
	expect(await market.shown()).toBe('unverified');
	await market.provider.machines.test(market.id);
	const none = 'the image has nothing';
	await using instance = await instanceServer((await market.ordered()).secret, {none});
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	expect(await market.last()).toMatchObject({
		outcome: 'unfinished',
		note: `Not all could be checked: gpu_proof: GPU 0 cannot answer: ${none}; GPU 1 cannot answer: ${none}.`,
	});
	expect(await market.shown()).toBe('unverified');
});

test('the market connects to no private address unless it is allowed to', async () => {
	await using market = await openTested({webhooks: {targets: 'public'}});
	await market.provider.machines.test(market.id);
	let calls = 0;
	await using inside = await listening(() => (calls += 1));
	await market.runs(inside.port, inside.port);
	await market.tells(...good);
	expect(await market.last()).toMatchObject({outcome: 'unfinished'});
	expect(calls).toBe(0);
});

test('whoever rents the machine goes before its test, which is then tried again', async () => {
	await using market = await openTested();
	await market.provider.machines.test(market.id);
	const [offer] = await market.search({rentable: {eq: true}});
	await market.renter.instances.create(offer?.id ?? 0, {image: 'ubuntu:24.04'});
	await market.test();
	expect(await market.last()).toMatchObject({
		outcome: 'unfinished',
		note: 'Its GPUs were rented meanwhile.',
	});
	await market.pass(3601);
	await market.host.heartbeat([market.id]);
	await market.test();
	expect(await market.last()).toMatchObject({reason: 'due', outcome: null});
});

test('whoever rents the machine while the market looks at it fails no test', async () => {
	await using market = await openTested();
	await market.provider.machines.test(market.id);
	const [offer] = await market.search({rentable: {eq: true}});
	// Its agent ends what answered, as for every instance that another has taken the GPUs of.
	let rented: Promise<unknown> | undefined;
	await using ssh = await listening(socket => {
		rented ??= market.renter.instances.create(offer?.id ?? 0, {image: 'ubuntu:24.04'});
		void rented.then(() => socket.destroy());
	});
	await using instance = await instanceServer((await market.ordered()).secret);
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	expect(await market.last()).toMatchObject({
		outcome: 'unfinished',
		note: 'Its GPUs were rented meanwhile.',
	});
});

test('a host that answers before it has taken all shows no speed', async () => {
	await using market = await openTested();
	await market.provider.machines.test(market.id);
	await using ssh = await sshServer();
	const {secret} = await market.ordered();
	await using instance = await instanceServer(secret, {}, {isHasty: true});
	await market.runs(instance.port, ssh.port);
	await market.tells(...good);
	const checks = (await market.last())?.checks ?? [];
	expect(checks.find(({name}) => name === 'inet_down')).toMatchObject({outcome: 'failed'});
	expect(checks.find(({name}) => name === 'inet_up')).toMatchObject({outcome: 'passed'});
});

test('a market that is closed waits for no machine under test, and goes on with the test later', async () => {
	await using market = await openTested({webhooks: {targets: 'any', patienceMs: 600_000}});
	await market.provider.machines.test(market.id);
	const {promise: entered, resolve: enter} = Promise.withResolvers<void>();
	await using silent = await listening(() => enter());
	await market.runs(silent.port, silent.port);
	const told = market.tells(...good);
	await entered;
	await market.close();
	await told;
	expect((await market.ordered()).secret).not.toBe('');
});

test('a machine that is not heard or not listed cannot be tested, nor can another’s', async () => {
	await using market = await openTested();
	const {id} = market;
	await expect(market.renter.machines.test(id)).rejects.toMatchObject({status: 404});
	await market.provider.machines.unlist(id);
	await expect(market.provider.machines.test(id)).rejects.toThrow(/not listed/);
	await market.host.disconnect([id]);
	await expect(market.provider.machines.test(id)).rejects.toThrow(/host is not heard/);
});

test('what a host writes into the log of a test is read as far as it is a check', () => {
	const lines = [
		`${TEST_WORD} {"name":"ssh_door","outcome":"passed","detail":"me","value":null}`,
		`${TEST_WORD} {"name":"disk","outcome":"splendid","detail":"","value":null}`,
		`${TEST_WORD} {"name":"disk","outcome":"passed","detail":"${'x'.repeat(999)}","value":1}`,
		`${TEST_WORD} {`,
		'nothing',
	];
	const read = readTestLines(lines.join('\n'));
	expect(read).toMatchObject([{name: 'disk', outcome: 'passed', value: 1}]);
	expect(read[0]?.detail).toHaveLength(255);
});

import {expect, test} from 'vitest';
import type {Access, Report, Work} from '../../../source/contract/nouns/host-work.ts';
import {calmRates, type FailureRates} from '../../../source/host/simulated/script.ts';
import {simulate, type SimulationOptions} from '../../../source/host/simulated/simulated.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {entrancesAt, workOf} from '../../helpers/host/host.ts';

function open(rates: Partial<FailureRates> = {}, options: SimulationOptions = {}) {
	const scheduler = createHandScheduler();
	const told: Report[] = [];
	const given = {speed: 8, scheduler, rates: {...calmRates, ...rates}, ...options};
	const runtime = simulate(given)(report => told.push(report));
	const statuses = () => told.map(({status}) => status).filter(status => status !== undefined);
	return {...runtime, scheduler, told, statuses, last: () => statuses().at(-1)};
}

const logs = {id: 1, instance_id: 7, kind: 'logs'} as const;

test('an instance loads, runs, says where it is reached, and then what it uses every ten seconds', async () => {
	const {start, scheduler, told, last, statuses} = open();
	await start(workOf());
	await scheduler.until(() => last() === 'running');
	expect(statuses()[0]).toBe('loading');
	const running = told.find(({status}) => status === 'running');
	expect(running).toMatchObject({instance_id: 7, boot: 1, access: {ssh_host: 'ssh2.example.net'}});
	const before = told.length;
	await scheduler.pass(100);
	const usage = told.slice(before);
	expect(usage).toHaveLength(10);
	expect(usage.every(each => each.usage !== undefined && each.status === undefined)).toBe(true);
	const down = usage.map(({traffic}) => traffic?.down ?? 0);
	expect(down).toEqual(down.toSorted((a, b) => a - b));
});

test('nothing is planned where nothing runs', async () => {
	const {start, stop, scheduler, last, told} = open();
	expect(scheduler.planned()).toBe(0);
	await start(workOf());
	await scheduler.until(() => last() === 'running');
	await stop(7);
	const before = told.length;
	await scheduler.pass(600);
	expect([scheduler.planned(), told.length - before]).toEqual([0, 0]);
});

test('a stopped instance starts again without a pull, and its traffic goes on growing', async () => {
	const {start, stop, scheduler, last, told} = open();
	await start(workOf());
	await scheduler.until(() => last() === 'running');
	await scheduler.pass(100);
	await stop(7);
	const before = told.length;
	await start(workOf({boot: 2, api_key: null}));
	await scheduler.pass(10);
	const since = told.slice(before);
	expect(since[0]).toMatchObject({boot: 2, status: 'loading', status_msg: 'Starting container'});
	const down = told.map(({traffic}) => traffic?.down).filter(bytes => bytes !== undefined);
	expect(down).toEqual(down.toSorted((a, b) => a - b));
	expect(down.at(-1)).toBeGreaterThan(0);
});

test('an instance that is stopped or removed while it loads says nothing more', async () => {
	for (const end of ['stop', 'remove'] as const) {
		const {scheduler, told, ...runtime} = open();
		await runtime.start(workOf());
		await scheduler.pass(1);
		await runtime[end](7);
		const before = told.length;
		await scheduler.pass(600);
		expect([told.length - before, scheduler.planned()]).toEqual([0, 0]);
	}
});

test('an instance that is removed and started anew is pulled anew', async () => {
	const {start, remove, scheduler, last, told} = open();
	await start(workOf());
	await scheduler.until(() => last() === 'running');
	await remove(7);
	const before = told.length;
	await start(workOf({boot: 2, container: 2}));
	await scheduler.pass(0);
	expect(told[before]?.status_msg).toBe('Pulling image: ubuntu:24.04');
});

test.each<readonly [rates: Partial<FailureRates>, work: Partial<Work>, status: string]>([
	[{stuck: 1}, {}, 'loading'],
	[{crash: 1}, {}, 'exited'],
	[{}, {image: 'me/does-not-exist'}, 'failed'],
	[{}, {}, 'running'],
])(
	'at %j, %j comes to be %s, and is so after the host was started again',
	async (rates, work, status) => {
		const first = open(rates);
		await first.start(workOf(work));
		await first.scheduler.pass(1000);
		expect(first.last()).toBe(status);
		await first.close();
		const second = open(rates);
		const held = await second.adopt([workOf({...work, api_key: null})]);
		expect([...held]).toEqual([[7, {boot: 1, container: 1, isStarted: true}]]);
		await second.scheduler.pass(0);
		expect(second.statuses()).toEqual([status]);
	},
);

test('an instance that was never reported is not there already, and a stopped one is there to be started', async () => {
	const {adopt, start, scheduler, told} = open();
	const held = await adopt([
		workOf({instance_id: 1}),
		workOf({instance_id: 2, api_key: null, wanted: 'stopped'}),
		workOf({instance_id: 3, api_key: null, wanted: 'gone'}),
	]);
	expect([...held]).toEqual([[2, {boot: 1, container: 1, isStarted: false}]]);
	await start(workOf({instance_id: 2, boot: 2}));
	await scheduler.pass(0);
	expect(told[0]).toMatchObject({instance_id: 2, boot: 2, status_msg: 'Starting container'});
});

test.each([
	['silence', 'silent'],
	['disconnect', 'away'],
] as const)(
	'%s makes the machine %s for some minutes, and its instance keeps running',
	async (what, illness) => {
		const {start, unwell, scheduler, last, told, logs: read} = open({[what]: 1});
		await start(workOf());
		await scheduler.until(() => unwell().size > 0);
		expect([...unwell()]).toEqual([[1, illness]]);
		await expect(read(logs)).rejects.toThrow('its machine does not answer');
		const before = told.length;
		await scheduler.pass(50);
		expect(told).toHaveLength(before);
		await scheduler.until(() => unwell().size === 0);
		expect(last()).toBe('running');
		expect(told.length).toBeGreaterThan(before);
	},
);

test('logs and commands are of one container, and there are none where there is no container', async () => {
	const {start, execute, logs: read, scheduler, last} = open();
	await expect(read(logs)).rejects.toThrow('it has no container yet');
	await start(workOf());
	await scheduler.until(() => last() === 'running');
	expect(await read(logs)).toContain('Server listening on :: port 22.');
	expect(await read({...logs, daemon_logs: true})).toContain('C.7: Pulling image');
	const command = {...logs, kind: 'execute', command: 'ls /workspace'} as const;
	expect(await execute(command)).toContain('train.py');
});

test('what stops is shut, and what is removed leaves nothing', async () => {
	const entrances = entrancesAt(async () => ({ssh_host: '127.0.0.1', ssh_port: 2222}));
	const {start, stop, remove, scheduler, last} = open({}, {entrances});
	await start(workOf());
	await scheduler.until(() => last() === 'running');
	expect(entrances.shutOnes).toEqual([]);
	await stop(7);
	expect([entrances.shutOnes, entrances.removedOnes]).toEqual([[7], []]);
	await remove(7);
	expect(entrances.removedOnes).toEqual([7]);
});

test('somebody else can say how an instance is reached', async () => {
	const access = {ssh_host: '127.0.0.1', ssh_port: 2222};
	const {start, scheduler, told, last} = open({}, {entrances: entrancesAt(async () => access)});
	await start(workOf());
	await scheduler.until(() => last() === 'running');
	expect(told.find(({status}) => status === 'running')?.access).toEqual(access);
});

test('an instance that cannot be made reachable ends, and says why', async () => {
	const {start, scheduler, told, last} = open(
		{},
		{entrances: entrancesAt(async () => Promise.reject(new Error('no port is free')))},
	);
	await start(workOf());
	await scheduler.until(() => last() === 'exited');
	expect(told.at(-1)?.status_msg).toBe('It cannot be reached: no port is free');
});

test('what was stopped while it was made reachable does not run, and uses nothing', async () => {
	const made = Promise.withResolvers<Access>();
	const {start, stop, scheduler, told, last} = open(
		{},
		{entrances: entrancesAt(async () => made.promise)},
	);
	await start(workOf());
	await scheduler.pass(60);
	await stop(7);
	const before = told.length;
	made.resolve({ssh_host: '127.0.0.1', ssh_port: 2222});
	await scheduler.pass(60);
	expect([last(), told.length - before]).toEqual(['loading', 0]);
});

test('only what runs uses anything', async () => {
	const {start, scheduler, told} = open(
		{},
		{
			entrances: entrancesAt(async ({instance_id: id}) => {
				if (id === 8) throw new Error('no port is free');
				return {ssh_host: '127.0.0.1', ssh_port: 2222};
			}),
		},
	);
	await start(workOf());
	await start(workOf({instance_id: 8}));
	await start(workOf({instance_id: 9, image: 'me/does-not-exist'}));
	await scheduler.pass(100);
	const users = told.filter(({usage}) => usage !== undefined).map(each => each.instance_id);
	expect(new Set(users)).toEqual(new Set([7]));
});

/** How long an instance takes to run on a machine with such a line. */
async function secondsWith(inet_down: number): Promise<number> {
	const facts = {inet_down, public_ipaddr: '198.51.100.4'};
	const {start, scheduler, last, told} = open({}, {factsOf: () => facts});
	const begun = scheduler.now();
	await start(workOf());
	await scheduler.until(() => last() === 'running');
	const running = told.find(({status}) => status === 'running');
	expect(running?.access?.public_ipaddr).toBe('198.51.100.4');
	return scheduler.now() - begun;
}

test('a machine of which something is known has its own line and address', async () => {
	expect(await secondsWith(10)).toBeGreaterThan(await secondsWith(10_000));
});

test('closing leaves nothing planned', async () => {
	const {start, close, scheduler, last} = open({silence: 1});
	await start(workOf());
	await start(workOf({instance_id: 8, machine_id: 2}));
	await scheduler.until(() => last() === 'running');
	await close();
	expect(scheduler.planned()).toBe(0);
});

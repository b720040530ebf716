import process from 'node:process';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import * as fc from 'fast-check';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {guarded, MADE} from '../../helpers/commands/guarded.ts';
import {createTurns} from '../../../source/renter/leases/guard.ts';
import {runs} from '../../helpers/property.ts';

const END = MADE + 3600;
const lease = (fields: string) => `train [lease1 ${fields}]`;

test('a deadline ends an instance at the second look, with evidence and proof', async () => {
	const world = guarded({label: lease(`e${END} td`)});
	await world.looks(60, 3540, 12);
	expect(world.calls).toEqual(['destroy 7']);
	expect(world.told.filter(({kind}) => kind === 'ended')).toMatchObject([
		{
			kind: 'ended',
			id: 7,
			label: 'train',
			act: 'destroy',
			evidence:
				'lease deadline: deadline 2025-11-24T17:00:00Z, two lists at 2025-11-24T17:00:00Z and 2025-11-24T17:00:12Z',
			proof: 'gone',
		},
	]);
});

test('nothing without a lease is touched, nor what is kept, nor what is not understood', async () => {
	const labels = [null, 'train', lease('i60 td k'), 'train [lease2 e1 x]', lease(`e${END} z`)];
	const worlds = labels.map(label => guarded({label}));
	for (const world of worlds) await world.looks(9000, 30, 30, 30, 30);
	expect(worlds.flatMap(({calls}) => calls)).toEqual([]);
	expect(worlds.flatMap(({told}) => told).map(({kind}) => kind)).toEqual([
		'unknown lease',
		'unknown lease',
	]);
});

test('answers without a date end nothing', async () => {
	const silent = guarded({label: lease(`e${END} td`), hasDate: false});
	expect((await silent.looks(3600, 30, 30))?.problem).toBe('the service sends no date');
	expect(silent.calls).toEqual([]);
});

const idles = {gpu_util: 0, cpu_util: 0, disk_usage: 3, inside: 'bytes=5000 sessions=0\n'};

test.each([
	['shows it', {isWhole: false}],
	['leaves it out', {isWhole: false, instances: []}],
])(
	'where a list that is not whole %s, its own record, read twice, ends it at its deadline alone',
	async (_, list) => {
		const world = guarded({label: lease(`e${END} i60 c0.01 td`), ...idles});
		await world.looks(60);
		world.setList(list);
		const {calls} = world;
		expect((await world.looks(60, 60, 60, 3300))?.problem).toBe(
			'the list of instances is not whole',
		);
		expect(calls).toEqual([]);
		await world.looks(60);
		expect(calls).toEqual([]);
		await world.looks(60);
		expect(calls).toEqual(['destroy 7']);
		expect(world.told.map(({kind}) => kind)).not.toContain('late');
	},
);

test.each<readonly [string, Partial<Instance>, readonly string[], readonly string[]]>([
	['is rounded or not', {start_date: MADE + 0.7}, ['destroy 7'], []],
	['is another at each look', {start_date: MADE + 5}, [], ['late']],
	['is not said', {start_date: null}, [], ['late']],
	['is its own in no record', {label: 'other'}, [], ['late']],
])(
	'an instance whose start or lease %s ends at its deadline, or is told as late',
	async (_, other, calls, told) => {
		const [label, world] = [lease(`e${END} td`), guarded({label: lease(`e${END} td`)})];
		await world.looks(60, 3530);
		for (let look = 0; look < 8; look++) {
			const isOther = look % 2 === 1 || other.start_date === null;
			world.set({start_date: MADE, ...(isOther && other), label});
			world.onShow(() => world.set(other));
			await world.looks(15);
		}
		const late = world.told.filter(({kind}) => kind === 'late').map(({kind}) => kind);
		expect([world.calls, late]).toEqual([calls, told]);
	},
);

test('an instance that was stopped as agreed is not late, also where no list is whole', async () => {
	const stopped = {actual_status: 'exited', cur_state: 'stopped', intended_status: 'stopped'};
	const world = guarded({label: lease(`e${END} ts`), ...stopped});
	await world.looks(60, 3530, 60, 60, 60);
	world.setList({isWhole: false, instances: []});
	await world.looks(30, 30);
	expect(world.told.map(({kind}) => kind)).not.toContain('late');
});

test('an instance that cannot be judged a minute after its deadline is told as late, once', async () => {
	const world = guarded({label: lease(`e${END} td`), isUnreadable: true});
	await world.looks(60);
	world.setList({isWhole: false, instances: []});
	await world.looks(3530, 30, 30, 30, 30);
	expect(world.calls).toEqual([]);
	const late = world.told.filter(({kind}) => kind === 'late');
	expect(late).toMatchObject([{kind: 'late', id: 7, label: 'train', seconds: 80}]);
});

test('a lease that changes begins anew, also between the look and the act', async () => {
	const world = guarded({label: lease(`e${END} td`)});
	await world.looks(3600);
	world.set({label: lease(`e${END + 1} td`)});
	await world.looks(20);
	expect(world.calls).toEqual([]);
	world.set({label: lease(`e${END} td`)});
	await world.looks(1);
	world.onShow(() => world.set({label: lease(`e${END + 9000} td`)}));
	await world.looks(30);
	expect(world.calls).toEqual([]);
});

test.each([3 * 3600, -3 * 3600])(
	"a service's clock that jumps by %d s and stays there ends nothing early or late, and is told once",
	async seconds => {
		const world = guarded({label: lease(`e${END} td`)});
		await world.looks(1800, 30);
		world.jump(seconds);
		await world.looks(30, 30, 600, 600, 450);
		expect(world.calls).toEqual([]);
		await world.looks(60, 30);
		expect(world.calls).toEqual(['destroy 7']);
		const clocks = world.told.filter(({kind}) => kind === 'clock');
		expect(clocks).toMatchObject([{kind: 'clock', seconds}]);
		const ended = world.told.filter(({kind}) => kind === 'ended');
		expect(JSON.stringify(ended)).not.toContain('late');
	},
);

test('a clock that jumps again and again is told once, until it has gone on for as long', async () => {
	const world = guarded({label: lease(`e${END} td`)});
	const told = () => world.told.filter(({kind}) => kind === 'clock').length;
	await world.looks(30, 30);
	for (const seconds of [1200, -1200, 1200, 600, -1800, 1200, -1200]) {
		world.jump(seconds);
		await world.looks(30);
		world.restart();
	}
	expect(told()).toBe(1);
	await world.looks(30, 600, 540);
	world.jump(1200);
	await world.looks(30);
	expect(told()).toBe(1);
	await world.looks(1200, 30);
	world.jump(-1200);
	await world.looks(30);
	expect(told()).toBe(2);
});

test('a lease that is made after a jump ends by the clock that it was made by', async () => {
	for (const seconds of [3 * 3600, -3 * 3600]) {
		const world = guarded({label: lease(`e${END} td`)});
		await world.looks(60, 30);
		world.jump(seconds);
		await world.looks(30);
		world.set({label: lease(`e${MADE + 120 + seconds + 1800} td`)});
		await world.looks(30, 30, 600, 600, 500);
		expect(world.calls).toEqual([]);
		await world.looks(60, 30);
		expect(world.calls).toEqual(['destroy 7']);
	}
});

test('only the guard that leads acts', async () => {
	const world = guarded({label: lease(`e${END} td`), mayAct: async () => false});
	await world.looks(3600, 30, 30);
	expect(world.calls).toEqual([]);
});

test('an idle instance is measured inside, and what is done there counts as busy', async () => {
	const idle = {gpu_util: 0, cpu_util: 0, disk_usage: 3};
	const world = guarded({label: lease('i120 ts'), ...idle, inside: 'bytes=5000 sessions=0\n'});
	await world.looks(600, 60, 60, 60);
	expect(world.calls).toEqual(['stop 7']);
	const entered = guarded({label: lease('i120 ts'), ...idle, inside: 'bytes=5000 sessions=1\n'});
	await entered.looks(600, 60, 60, 60, 60, 60);
	const closed = guarded({label: lease('i120 ts'), ...idle, inside: undefined});
	await closed.looks(600, 60, 60, 60, 60, 60);
	expect([...entered.calls, ...closed.calls]).toEqual([]);
});

test('what is stopped first for idling gets a deadline for its end', async () => {
	const idle = {gpu_util: 0, cpu_util: 0, disk_usage: 3};
	const world = guarded({label: lease('i60 tsd'), ...idle, inside: 'bytes=5000 sessions=0\n'});
	await world.looks(600, 60, 60);
	expect(world.calls).toEqual(['stop 7', `label 7 train [lease1 e${MADE + 720 + 3600} td]`]);
});

test('results are saved before the end', async () => {
	const world = guarded({label: lease(`e${END} td b60/300 rtrue`), inside: 'code=0\n'});
	await world.looks(60, 3540, 12);
	expect(world.calls).toEqual([]);
	await world.looks(12);
	expect(world.calls).toEqual(['destroy 7']);
	const [ended] = world.told;
	expect(ended?.kind === 'ended' && ended.evidence).toMatch(/results saved$/);
});

test('a failing command postpones the end by its grace, once', async () => {
	const world = guarded({label: lease(`e${END} td b60/300 rfalse`), inside: 'code=1\n'});
	await world.looks(60, 3540, 12, 12, 100, 100);
	expect(world.calls).toEqual([]);
	await world.looks(100, 12, 12);
	expect(world.calls).toEqual(['destroy 7']);
	expect(world.scripts.map(script => /mkdir b(\d)/.exec(script)?.[1])).toEqual(['1', '2']);
	expect(world.told.map(({kind}) => kind)).toEqual(['postponed', 'ended']);
});

test('the command stands in the environment where the label has no room for it', async () => {
	const extra_env = [['RENTTY_BEFORE', "rsync -a 'out dir' me:"] as const];
	const world = guarded({label: lease(`e${END} td b60/300`), extra_env, inside: 'code=0\n'});
	await world.looks(60, 3540, 12, 12);
	expect(world.scripts[0]).toContain(String.raw`B='rsync -a '\''out dir'\'' me:'`);
});

test('an end is announced an hour, ten minutes and one minute before, each once', async () => {
	const world = guarded({label: lease(`e${END + 3600} td`)});
	await world.looks(3590, 20, 2900, 200, 300, 130, 30);
	const seconds = world.told.flatMap(event => (event.kind === 'ending' ? [event.seconds] : []));
	expect(seconds).toEqual([3590, 490, 60]);
});

test('an end that was set for less than an hour is not announced as it is set', async () => {
	const world = guarded({label: lease(`e${MADE + 1200} td`)});
	await world.looks(5, 12, 600, 12);
	const seconds = world.told.flatMap(event => (event.kind === 'ending' ? [event.seconds] : []));
	expect(seconds).toEqual([583]);
});

test('a day of looks at fifty instances leaves nothing behind in memory', async () => {
	setFlagsFromString('--expose-gc');
	const world = guarded({list: fifty});
	const looks = async (count: number) => world.looks(...Array.from({length: count}, () => 30));
	await looks(400);
	const before = usedBytes();
	const last = await looks(2880);
	expect(last).toMatchObject({instances: 50, problem: undefined});
	expect(Object.keys(last?.leases ?? {})).toHaveLength(50);
	expect(usedBytes() - before).toBeLessThan(500_000);
});

const fifty = {
	instances: Array.from({length: 50}, (_, index) => ({
		id: index + 1,
		label: lease(`e${END + 864_000} i${1800 + index} td`),
		start_date: MADE,
		actual_status: 'running',
		cur_state: 'running',
		gpu_util: 80,
	})),
	total: 50,
};

function usedBytes(): number {
	runInNewContext('gc()');
	return process.memoryUsage().heapUsed;
}

const quiet = {gpu_util: 0, cpu_util: 0, disk_usage: 3};
const heard = 'bytes=5000 sessions=0\n';

// Two looks: the network and the disk are compared with the look before.
test.each([
	['i60 td', {...quiet, inside: heard}, [[7], []]],
	['i60 td', {...quiet, inside: undefined}, [[7], [7]]],
	['i60 td', {...quiet, inside: 'who are you'}, [[7], [7]]],
	['i60 td', {...quiet, cpu_util: null, inside: heard}, [[7], [7]]],
	['i60 td', {...quiet, gpu_util: -1, inside: heard}, [[7], [7]]],
	['i60 td xns', {...quiet, inside: undefined}, [[7], []]],
	['i60 td', {...quiet, gpu_util: 90, inside: heard}, [[7], [7]]],
	['i60 td k', {...quiet, inside: undefined}, [[], []]],
	[`e${END} td`, {...quiet, inside: undefined}, [[], []]],
] as const)(
	'of the lease %j and an instance %j the guard says whose idleness it has not measured',
	async (fields, instance, unmeasured) => {
		const world = guarded({label: lease(fields), ...instance});
		const looks = [await world.looks(10), await world.looks(10)];
		expect(looks.map(look => look?.unmeasured)).toEqual(unmeasured);
	},
);

test('what was measured once is known while it is busy, and not once nobody gets in', async () => {
	const world = guarded({label: lease('i6000 td'), ...quiet, inside: heard});
	await world.looks(10, 10);
	world.set({gpu_util: 90});
	expect((await world.looks(10))?.unmeasured).toEqual([]);
	world.set({gpu_util: 0, cpu_util: null});
	expect((await world.looks(10, 10))?.unmeasured).toEqual([7]);
});

test('however many are due, so many are read at a time, and each has its turn', () => {
	const due = fc.uniqueArray(fc.nat(1000), {minLength: 1, maxLength: 60});
	fc.assert(
		fc.property(due, fc.integer({min: 1, max: 20}), (ids, most) => {
			const inTurn = createTurns(most);
			const rounds = Array.from({length: Math.ceil(ids.length / most)}, () => inTurn(ids));
			for (const turn of rounds) expect(turn.length).toBeLessThanOrEqual(most);
			expect(rounds.flat()).toEqual(ids);
			expect(inTurn(ids)).toEqual(ids.slice(0, most));
		}),
		{numRuns: runs(300)},
	);
});

test('where all of a turn are gone, the others are not kept waiting', () => {
	const inTurn = createTurns(2);
	expect([inTurn([1, 2, 3]), inTurn([1, 2]), inTurn([4])]).toEqual([[1, 2], [1, 2], [4]]);
});

import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {applyList} from '../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet, type FleetState} from '../../../source/renter/fleet/fleet-state.ts';
import {
	groupKey,
	groupRows,
	labelPrefix,
	countedFields,
	countValues,
} from '../../../source/renter/fleet/groups.ts';
import type {Grouping} from '../../../source/renter/settings/default-settings.ts';
import {listOf, lookAt, startDate} from '../../helpers/fleet/looks.ts';
import {gpusIn, parseFleetQuery, selectInstances} from '../../../source/renter/fleet/query.ts';

function rowsOf(instances: readonly Instance[]) {
	const minutes = Array.from({length: 40}, (_, minute) => minute);
	const look = (state: FleetState, minute: number) =>
		applyList(state, listOf(instances), lookAt(minute));
	return minutes.reduce(look, unseenFleet).rows;
}

const runs = {actual_status: 'running', intended_status: 'running', cur_state: 'running'};

const rows = rowsOf([
	{
		id: 1,
		...runs,
		label: 'train-a [lease1 e9999999999 td]',
		gpu_name: 'H100 SXM',
		num_gpus: 8,
		gpu_util: 80,
		dph_total: 16,
		host_id: 7,
		image_uuid: 'vllm/vllm:1',
		template_name: 'vllm',
	},
	{
		id: 2,
		...runs,
		label: 'train-b',
		gpu_name: 'RTX 4090',
		gpu_util: 20,
		dph_total: 0.5,
		host_id: 7,
	},
	{id: 3, ...runs, label: 'job12', gpu_name: 'RTX 4090', dph_total: 0.25, host_id: 8},
	{
		id: 4,
		actual_status: 'exited',
		intended_status: 'running',
		label: 'job13',
		dph_total: 0.125,
		start_date: startDate(-100),
	},
	{id: 5, ...runs, label: null, gpu_name: 'RTX 4090'},
]);

test.each([
	['train-a', 'train'],
	['train_a_12', 'train_a'],
	['exp/lr3/12', 'exp/lr3'],
	['job12', 'job'],
	['job', 'job'],
	['4090', '4090'],
	['-a', '-a'],
	['a-', 'a-'],
	['', ''],
])('the label %j is put together with others by %j', (label, prefix) => {
	expect(labelPrefix(label)).toBe(prefix);
});

const groupings: ReadonlyArray<readonly [Grouping, string]> = [
	['label', 'job:3,4 train:1,2 :5'],
	['gpu', ':4 H100 SXM:1 RTX 4090:2,3,5'],
	['host', ':4,5 7:1,2 8:3'],
	['image', ':2,3,4,5 vllm/vllm:1:1'],
	['template', ':2,3,4,5 vllm:1'],
	['service', 'market.example:1,2,3,4,5'],
];

test.each(groupings)(
	'by %s instances are in groups, trouble first and then cost',
	(by, expected) => {
		const groups = groupRows(rows, row => groupKey(row, by, 'market.example'));
		const written = groups.map(({key, rows: own}) => {
			const ids = own.map(({instance}) => instance.id).toSorted((a, b) => a - b);
			return `${key}:${ids.join(',')}`;
		});
		expect(written.join(' ')).toBe(expected);
	},
);

test('a group says how many run, what is wrong, what it costs and how busy it is', () => {
	const [jobs, train, other] = groupRows(rows, row => groupKey(row, 'label'));
	expect(jobs).toMatchObject({running: 1, troubles: {dead: 1, stuck: 0, undead: 0}, now: 0.25});
	expect(train).toMatchObject({running: 2, now: 16.5, atMost: 16.5, unpriced: 0, use: 50});
	expect(other).toMatchObject({running: 1, now: 0, unpriced: 1, use: undefined});
});

test('grouping 1,000 instances reads the key of each of them once', () => {
	const many = rowsOf(
		Array.from({length: 1000}, (_, id) => ({id, ...runs, label: `job-${id % 40}-${id}`})),
	);
	let reads = 0;
	const groups = groupRows(many, row => {
		reads += 1;
		return groupKey(row, 'label');
	});
	expect(reads).toBe(1000);
	expect(groups).toHaveLength(40);
	expect(groups.reduce((sum, group) => sum + group.rows.length, 0)).toBe(1000);
});

const gpus = ['RTX 4090', 'RTX 3080 Ti', 'H100 SXM', undefined];
const statuses = ['running', 'exited', 'loading', null, 'frozen', 'offline'];
const places = ['Sweden, SE', 'Texas, US', undefined];

function instanceAt(id: number): Instance {
	return {
		id,
		actual_status: statuses[id % statuses.length],
		intended_status: id % 7 === 0 ? 'stopped' : 'running',
		cur_state: 'running',
		label: [`train ${id % 3}`, 'a"b', null, `job-${id % 4}`][id % 4],
		gpu_name: gpus[id % gpus.length],
		num_gpus: 1 + (id % 3),
		gpu_util: id % 5 === 0 ? 0 : (id * 37) % 101,
		dph_total: (id % 11) / 4,
		dph_base: (id % 11) / 4,
		storage_total_cost: 0.01,
		host_id: 50 + (id % 4),
		machine_id: id % 6,
		image_uuid: `vllm/vllm-openai:v${id % 3}`,
		template_name: id % 2 === 0 ? 'vLLM on one' : undefined,
		geolocation: places[id % places.length],
		disk_space: 16 * (1 + (id % 2)),
		start_date: startDate(-id * 40),
		end_date: startDate(id * 100),
		uptime_mins: id * 30,
		is_bid: id % 2 === 0,
	};
}

const instances = Array.from({length: 60}, (_, index) => instanceAt(index + 1));
const looks = Array.from({length: 40}, (_, minute) => minute);
const {rows: sixty} = looks.reduce(
	(state: FleetState, minute) => applyList(state, listOf(instances), lookAt(minute)),
	unseenFleet,
);

test.each(countedFields)(
	'the words for each value of %s find just the instances that have it',
	field => {
		const counts = countValues(sixty, field);
		expect(counts.reduce((sum, {rows: own}) => sum + own.length, 0)).toBe(sixty.length);
		for (const {query: line, rows: own} of counts) {
			if (line === undefined) continue;
			const query = parseFleetQuery(line, gpusIn(sixty));
			expect(query.problems).toEqual([]);
			const ids = selectInstances(query, sixty).rows.map(({instance: {id}}) => id);
			expect({query: line, ids: ids.toSorted((a, b) => a - b)}).toEqual({
				query: line,
				ids: own.map(({instance: {id}}) => id).toSorted((a, b) => a - b),
			});
		}
	},
);

test('values come with how many have them, the most first, and with what these cost', () => {
	const counts = countValues(sixty, 'state');
	const amounts = counts.map(({rows: own}) => own.length);
	expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
	for (const {rows: own, now, query} of counts) {
		expect(now).toBeCloseTo(own.reduce((sum, {rate}) => sum + (rate.now ?? 0), 0));
		expect(query).not.toBe(undefined);
	}
});

test('what has no value is counted as well, and no words find it', () => {
	const unnamed = countValues(sixty, 'gpu').find(({key}) => key === '');
	expect(unnamed).toMatchObject({query: undefined});
	expect(unnamed?.rows).toHaveLength(15);
});

test('numbers that hardly ever agree are counted between marks', () => {
	const counts = countValues(sixty, 'util');
	const idle = counts.find(({key}) => key === 'under 1%');
	expect(idle?.rows.every(({instance}) => (instance.gpu_util ?? 0) < 1)).toBe(true);
	expect(counts.map(({query}) => query)).toContain('util>=25 util<50');
});

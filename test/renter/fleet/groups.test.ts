import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {lookAtAll} from '../../../source/renter/fleet/fleet-looks.ts';
import {unseenFleet, type FleetState} from '../../../source/renter/fleet/fleet-state.ts';
import {groupKey, groupRows, labelPrefix} from '../../../source/renter/fleet/groups.ts';
import type {Grouping} from '../../../source/renter/settings/default-settings.ts';
import {listOf, lookAt, startDate} from '../../helpers/looks.ts';

function rowsOf(instances: readonly Instance[]) {
	const minutes = Array.from({length: 40}, (_, minute) => minute);
	const look = (state: FleetState, minute: number) =>
		lookAtAll(state, listOf(instances), lookAt(minute));
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

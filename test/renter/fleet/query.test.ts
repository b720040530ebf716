import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {unseenFleet, type FleetRow} from '../../../source/renter/fleet/fleet-state.ts';
import type {LastExamination} from '../../../source/renter/instance/examined.ts';
import {applyList} from '../../../source/renter/fleet/apply-polls.ts';
import {
	gpusIn,
	parseFleetQuery,
	printFleetQuery,
	selectInstances,
} from '../../../source/renter/fleet/query.ts';
import {fleetLexicon} from '../../../source/renter/fleet/query-fields.ts';
import {completeLine} from '../../../source/renter/words/complete.ts';
import {listOf, lookAt, startDate} from '../../helpers/fleet/looks.ts';

const runs = {actual_status: 'running', intended_status: 'running', cur_state: 'running'} as const;
const loads = {...runs, actual_status: 'loading'} as const;

const instances: readonly Instance[] = [
	{
		id: 101,
		...runs,
		label: 'train-a',
		gpu_name: 'RTX 4090',
		num_gpus: 1,
		gpu_util: 90,
		uptime_mins: 2880,
		dph_base: 0.4,
		dph_total: 0.42,
		storage_total_cost: 0.02,
		start_date: startDate(-2880),
		end_date: startDate(120),
		host_id: 7,
		image_uuid: 'pytorch/pytorch:2.4',
		geolocation: 'Sweden, SE',
	},
	{
		id: 102,
		...loads,
		label: 'train-b',
		gpu_name: 'RTX 4090',
		num_gpus: 4,
		dph_total: 1.7,
		storage_total_cost: 0.02,
		dph_base: 1.68,
		start_date: startDate(-1),
		host_id: 8,
		image_uuid: 'vllm/vllm-openai',
		geolocation: 'Texas, US',
	},
	{
		id: 103,
		...runs,
		label: 'serve [lease1 e9999999999 td]',
		gpu_name: 'H100 SXM',
		num_gpus: 8,
		gpu_util: 0,
		dph_total: 18,
		start_date: startDate(-30),
		host_id: 8,
		is_bid: true,
		template_name: 'vLLM',
	},
	{
		id: 104,
		start_date: startDate(-60 * 24 * 5),
		label: 'old train',
		actual_status: 'exited',
		intended_status: 'stopped',
		cur_state: 'stopped',
		gpu_name: 'RTX 3090',
		num_gpus: 2,
		storage_total_cost: 0.01,
		dph_total: 0.3,
	},
];

/** The fleet after looks at it for so many minutes. */
function fleetOf(list: readonly Instance[], minutes = 40): readonly FleetRow[] {
	let state = unseenFleet;
	for (let minute = 0; minute <= minutes; minute++) {
		state = applyList(state, listOf(list), lookAt(minute));
	}
	return state.rows;
}

const rows = fleetOf(instances);

function found(line: string): readonly number[] {
	const query = parseFleetQuery(line, gpusIn(rows));
	expect(query.problems).toEqual([]);
	return selectInstances(query, rows)
		.rows.map(({instance: {id}}) => id)
		.toSorted((one, other) => one - other);
}

test.each<readonly [line: string, ids: readonly number[]]>([
	['', [101, 102, 103, 104]],
	['stuck', [102]],
	['idle', [103]],
	['running', [101, 103]],
	['running !idle', [101]],
	['stuck idle', [102, 103]],
	['stuck,stopped', [102, 104]],
	['!stuck !stopped', [101, 103]],
	['state!=stuck,stopped', [101, 103]],
	['trouble', [102]],
	['problem', [102, 103]],
	['exited', [104]],
	['4090', [101, 102]],
	['rtx 4090', [101, 102]],
	['!4090', [103, 104]],
	['gpu=h100,3090', [103, 104]],
	['gpu~rtx', [101, 102, 104]],
	['x4', [102]],
	['qty=2..8', [102, 103, 104]],
	['label~train', [101, 102, 104]],
	['label!~train', [103]],
	['label=train-a', [101]],
	['label~old,serve', [103, 104]],
	['image~vllm', [102]],
	['template~vllm', [103]],
	['host=8', [102, 103]],
	['host=7,8 !idle', [101, 102]],
	['price<0.5', [101, 102, 104]],
	['max>1', [102, 103]],
	['>1', [103]],
	['cost>15', [101, 104]],
	['age>1d', [101, 104]],
	['for>39m', [101, 102, 103, 104]],
	['idle>=40m', [103]],
	['ends<2h', [101]],
	['ends>2h', [103]],
	['ends=none', [101, 102, 104]],
	['ends!=none', [103]],
	['<0.30/gpu', [102, 104]],
	['price>=0.30/gpu', [101, 103]],
	['util>50', [101]],
	['loc=se', [101]],
	['loc=eu', [101]],
	['loc!=us', [101, 103, 104]],
	['bid', [103]],
	['lease', [103]],
	['stuck cost<0.5 label~train gpu=4090 max>1', [102]],
	['train', [101, 102, 104]],
	['train !old', [101, 102]],
	['"old train"', [104]],
	['103', [103]],
])('%s finds %j', (line, ids) => {
	expect(found(line)).toEqual(ids);
});

test.each([
	['destroing', 'destroing is no state and no text of an instance. Did you mean destroying?'],
	['zzzzzz', 'zzzzzz is no state and no text of an instance; Tab completes'],
	['labl', 'labl is no state and no text of an instance. Did you mean label?'],
])('%s finds nothing, and says what may be meant', (line, message) => {
	const query = parseFleetQuery(`running ${line}`, gpusIn(rows));
	expect(query.problems).toEqual([]);
	const {rows: none, problems} = selectInstances(query, rows);
	expect(none).toEqual([]);
	expect(problems).toEqual([{start: 8, end: 8 + line.length, message}]);
});

test.each([
	['cots>0.5', 'cots is not a field. Did you mean cost?'],
	['cost>abc', 'cost takes a number of $ per hour, not abc'],
	['ends<soon', 'ends takes a number of hours, or such as 30m or 2d, not soon'],
	['state>2', 'state can only be = or !=, not >'],
	['host~7', '~ asks for a part of a text, and host is none'],
	['label', 'label needs an operator and a value: label=…'],
	['label~', 'label~: expected a value behind ~'],
	['age=5h..2h', '5h..2h is empty: the smaller number comes first'],
	['!', '! needs a word behind it'],
])('%s is wrong at its place in the line', (word, message) => {
	const {problems} = parseFleetQuery(`running ${word}`, gpusIn(rows));
	expect(problems).toEqual([{start: 8, end: 8 + word.length, message}]);
});

test.each<readonly [line: string, ids: readonly number[]]>([
	['by=agent', [1, 2]],
	['by!=agent', [3, 4]],
	['by=claude', [1]],
	['by=you', [3, 4]],
])('%s is about who rented it, with or without a lease in the label', (line, ids) => {
	const labels = [
		'agent:claude',
		'train agent:my.bot [lease1 e1999999999 ad]',
		'agents',
		'agent:x y',
	];
	const named = fleetOf(labels.map((label, at) => ({id: at + 1, ...runs, label})));
	const query = parseFleetQuery(line, gpusIn(named));
	expect(selectInstances(query, named).rows.map(({instance: {id}}) => id)).toEqual(ids);
});

test('a text that is nearly a word of the fleet is taken for it, and that is said', () => {
	const selected = selectInstances(parseFleetQuery('trian'), rows);
	expect(
		selected.rows.map(({instance}) => instance.id).toSorted((one, other) => one - other),
	).toEqual([101, 102, 104]);
	expect([...selected.notes.values()]).toEqual(['trian is train']);
	const stuck = selectInstances(parseFleetQuery('stuk'), rows);
	expect(stuck.rows.map(({instance}) => instance.id)).toEqual([102]);
	expect([...stuck.notes.values()]).toEqual(['stuk is stuck']);
});

test.each([
	['train', 102],
	['train-a', 101],
	['101', 101],
	['a', 101],
	['stuck', undefined],
])('the best match of %s is instance %s', (line, id) => {
	expect(selectInstances(parseFleetQuery(line, gpusIn(rows)), rows).best).toBe(id);
});

test('reading what is printed asks for the same', () => {
	const words =
		'stuck !idle running,stopped 4090 !h100 x2..4 label~train label!~"a_b" ends<90m age>2d for>45s ' +
		'price<=0.5 loc=eu bid !lease some !other';
	fc.assert(
		fc.property(fc.subarray(words.split(' ')), chosen => {
			const query = parseFleetQuery(chosen.join(' '), gpusIn(rows));
			const clauses = query.words.flatMap(word => word.clauses);
			const printed = printFleetQuery(clauses, gpusIn(rows));
			const again = parseFleetQuery(printed, gpusIn(rows));
			expect(again.problems).toEqual([]);
			expect(again.words.flatMap(word => word.clauses)).toEqual(clauses);
		}),
	);
});

test.each([
	['stu', ['stuck']],
	['labe', ['label']],
	['label', ['label~', 'label=']],
	['cos', ['cost']],
	['gpu=40', ['RTX_4090']],
	['label~tr', ['train-a']],
	['!id', ['idle']],
])('Tab behind %s offers %j', (line, wanted) => {
	const seen = {gpus: gpusIn(rows), valuesOf: () => ['train-a']};
	const offered = completeLine(line, line.length, seen, fleetLexicon).candidates;
	expect(offered.map(({text}) => text)).toEqual(expect.arrayContaining(wanted));
});

test('a line about 1,000 instances looks at each of them a few times at most', () => {
	const few = ['stuck', 'running', 'label~train', 'cost>0.5', 'ends<2h', '4090', 'train', 'trian'];
	const many = Array.from({length: 1000}, (_, at): Instance => ({
		...instances[at % 4],
		id: 1000 + at,
	}));
	let reads = 0;
	const counted = fleetOf(many, 1).map(row => ({
		...row,
		get instance() {
			reads += 1;
			return row.instance;
		},
	}));
	const gpus = gpusIn(counted);
	for (const line of [...few, few.join(' ')]) {
		reads = 0;
		const query = parseFleetQuery(line, gpus);
		selectInstances(query, counted);
		const words = query.words.length;
		expect(reads).toBeLessThanOrEqual(many.length * (4 + 2 * words));
	}
});

test('instances are found by what their last examination found of their GPUs', () => {
	const gpu = {index: 0, health: 'watch', evidence: 'is hot'} as const;
	const examined: Readonly<Record<number, LastExamination>> = {
		101: {at: 1, grade: 'ok', gpus: []},
		102: {at: 1, grade: 'bad', gpus: [gpu, {...gpu, health: 'sick'}]},
		103: {at: 1, grade: 'bad', gpus: []},
	};
	const look = {...lookAt(0), examined: (id: number) => examined[id]};
	const seen = applyList(unseenFleet, listOf(instances), look).rows;
	const foundOf = (line: string) =>
		selectInstances(parseFleetQuery(line, []), seen).rows.map(({instance: {id}}) => id);
	expect(foundOf('health=healthy')).toEqual([101]);
	expect(foundOf('health=sick')).toEqual([102]);
	expect(foundOf('health=sick,lacking')).toEqual([102, 103]);
});

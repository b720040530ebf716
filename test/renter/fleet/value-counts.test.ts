import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {lookAtAll} from '../../../source/renter/fleet/fleet-looks.ts';
import {unseenFleet, type FleetState} from '../../../source/renter/fleet/fleet-state.ts';
import {gpusIn, parseFleetQuery, selectInstances} from '../../../source/renter/fleet/query.ts';
import {countedFields, countValues} from '../../../source/renter/fleet/groups.ts';
import {listOf, lookAt, startDate} from '../../helpers/looks.ts';

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
const {rows} = looks.reduce(
	(state: FleetState, minute) => lookAtAll(state, listOf(instances), lookAt(minute)),
	unseenFleet,
);

test.each(countedFields)(
	'the words for each value of %s find just the instances that have it',
	field => {
		const counts = countValues(rows, field);
		expect(counts.reduce((sum, {rows: own}) => sum + own.length, 0)).toBe(rows.length);
		for (const {words, rows: own} of counts) {
			if (words === undefined) continue;
			const query = parseFleetQuery(words, gpusIn(rows));
			expect(query.problems).toEqual([]);
			const ids = selectInstances(query, rows).rows.map(({instance: {id}}) => id);
			expect({words, ids: ids.toSorted((a, b) => a - b)}).toEqual({
				words,
				ids: own.map(({instance: {id}}) => id).toSorted((a, b) => a - b),
			});
		}
	},
);

test('values come with how many have them, the most first, and with what these cost', () => {
	const counts = countValues(rows, 'state');
	const amounts = counts.map(({rows: own}) => own.length);
	expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
	for (const {rows: own, now, words} of counts) {
		expect(now).toBeCloseTo(own.reduce((sum, {rate}) => sum + (rate.now ?? 0), 0));
		expect(words).not.toBe(undefined);
	}
});

test('what has no value is counted as well, and no words find it', () => {
	const unnamed = countValues(rows, 'gpu').find(({key}) => key === '');
	expect(unnamed).toMatchObject({words: undefined});
	expect(unnamed?.rows).toHaveLength(15);
});

test('numbers that hardly ever agree are counted between marks', () => {
	const counts = countValues(rows, 'util');
	const idle = counts.find(({key}) => key === 'under 1%');
	expect(idle?.rows.every(({instance}) => (instance.gpu_util ?? 0) < 1)).toBe(true);
	expect(counts.map(({words}) => words)).toContain('util>=25 util<50');
});

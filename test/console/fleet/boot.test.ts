import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/instance-record.ts';
import {defaultSettings} from '../../../source/console/default-settings.ts';
import {median, usualLoading} from '../../../source/console/fleet/boot-times.ts';
import {openFleetMemory} from '../../../source/console/fleet/fleet-memory.ts';
import {lookAtAll, unseenFleet} from '../../../source/console/fleet/fleet-state.ts';
import type {FleetState} from '../../../source/console/fleet/fleet-state.ts';
import {timelineOf} from '../../../source/console/fleet/timeline.ts';

const {limits} = defaultSettings;
const MINUTE = 60_000;

/** What is known after some looks, a minute each. */
function watch(
	looks: ReadonlyArray<readonly Instance[]>,
	from: FleetState = unseenFleet,
): FleetState {
	return looks.reduce(
		(state, instances, at) => lookAtAll(state, instances, {now: at * MINUTE, limits}),
		from,
	);
}

function instance(status: string | null, minute: number, id = 7): Instance {
	const wishes = {intended_status: 'running', cur_state: 'running'};
	const made = {id, image_uuid: 'pytorch', host_id: 3, duration: minute * 60};
	return {...made, ...wishes, actual_status: status};
}

const boot = [
	[instance(null, 0)],
	[instance('loading', 1)],
	[instance('loading', 2)],
	[instance('loading', 3)],
	[{...instance('running', 4), uptime_mins: 0.5}],
];

test('a boot that was watched is what is usual for its image, and else for its host', () => {
	const {boots} = watch(boot);
	expect(usualLoading(boots, instance('loading', 0))).toBe(2.5 * MINUTE);
	const other = {...instance('loading', 0), image_uuid: 'other'};
	expect(usualLoading(boots, other)).toBe(2.5 * MINUTE);
	expect(usualLoading(boots, {...other, host_id: 4})).toBeUndefined();
});

test('a boot of which the beginning was not seen says nothing about what is usual', () => {
	expect(watch(boot.slice(4)).boots).toEqual({});
});

test('the median is the middle, or between the two in the middle', () => {
	expect(median([5, 1, 3])).toBe(3);
	expect(median([4, 1, 3, 2])).toBe(2.5);
	expect(median([])).toBeUndefined();
});

test('the timeline has each step with its beginning and its length', () => {
	const [row] = watch(boot).rows;
	if (row === undefined) throw new Error('no row');
	expect(timelineOf(row).map(({name, at, lasted, isNow}) => [name, at, lasted, isNow])).toEqual([
		['accepted', 0, undefined, false],
		['provisioning', 0, MINUTE, false],
		['loading', MINUTE, 2.5 * MINUTE, false],
		['running', 3.5 * MINUTE, 0.5 * MINUTE, true],
		['ssh answers', undefined, undefined, false],
	]);
});

test('a row that one look misses is gone, and one that two looks miss is forgotten', () => {
	const state = watch([[instance('running', 0)], []]);
	expect(state.rows.map(({condition}) => condition)).toEqual(['gone']);
	expect(state.burn.count).toBe(0);
	expect(watch([[]], {...state}).rows).toEqual([]);
});

test('what was there at the first look did not happen, and what changes later did', () => {
	expect(watch([boot[0] ?? []]).events).toEqual([]);
	const events = watch(boot).events.map(({from, to}) => `${String(from)} ${to}`);
	expect(events).toEqual(['loading running', 'provisioning loading']);
});

test('what was seen is there at the next start, for the same service alone', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-fleet-'));
	try {
		const state = join(folder, 'state');
		const a = {name: 'a', url: undefined};
		const file = join(state, 'fleet-a.json');
		const seen = watch(boot);
		await openFleetMemory(state, a).remember(seen);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const {remembered, boots} = openFleetMemory(state, a).recall();
		expect(boots).toEqual(seen.boots);
		expect(remembered.get(7)?.phases).toEqual(seen.rows[0]?.seen.phases);
		for (const other of [
			{name: 'b', url: undefined},
			{name: 'a', url: 'https://elsewhere'},
		]) {
			expect(openFleetMemory(state, other).recall().remembered.size).toBe(0);
			// What is seen of another service takes nothing of it away.
			await openFleetMemory(state, other).remember(watch([]));
		}
		expect(openFleetMemory(state, a).recall().remembered.size).toBe(1);
		writeFileSync(file, '{"service":"a","seen":[{"id":"x"},3],"boots":[{}]}');
		expect(openFleetMemory(state, a).recall()).toEqual({remembered: new Map(), boots: {}});
	} finally {
		rmSync(folder, {recursive: true});
	}
});

import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {
	median,
	usualLoading,
	unseenFleet,
	type FleetState,
} from '../../../source/renter/fleet/fleet-state.ts';
import {openFleetMemory} from '../../../source/renter/fleet/fleet-memory.ts';
import {
	applyList,
	applyPage,
	noteGone,
	noteRented,
} from '../../../source/renter/fleet/apply-polls.ts';
import {evidenceFor} from '../../../source/renter/instance/condition.ts';
import {timelineOf} from '../../../source/renter/fleet/timeline.ts';
import {atMinute, listOf, lookAt, startDate} from '../../helpers/fleet/looks.ts';

const MINUTE = 60_000;

/** What is known after some looks, a minute each. */
function watch(
	looks: ReadonlyArray<readonly Instance[]>,
	from: FleetState = unseenFleet,
): FleetState {
	return looks.reduce(
		(state, instances, at) => applyList(state, listOf(instances), lookAt(at)),
		from,
	);
}

function instance(status: string | null, id = 7): Instance {
	const wishes = {intended_status: 'running', cur_state: 'running'};
	const made = {id, image_uuid: 'pytorch', host_id: 3, start_date: startDate(0)};
	return {...made, ...wishes, actual_status: status};
}

const boot = [
	[instance(null)],
	[instance('loading')],
	[instance('loading')],
	[instance('loading')],
	[{...instance('running'), uptime_mins: 0.5}],
];

test('a boot that was watched is what is usual for its image, and else for its host', () => {
	const {boots} = watch(boot);
	expect(usualLoading(boots, instance('loading'))).toBe(2.5 * MINUTE);
	const other = {...instance('loading'), image_uuid: 'other'};
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
		['accepted', atMinute(0), undefined, false],
		['provisioning', atMinute(0), MINUTE, false],
		['loading', atMinute(1), 2.5 * MINUTE, false],
		['running', atMinute(3.5), 0.5 * MINUTE, true],
		['ssh answers', undefined, undefined, false],
	]);
});

test('a row that a list misses is not listed, and one that is proven to be gone is forgotten', () => {
	const state = watch([[instance('running')], []]);
	expect(state.rows.map(({condition}) => condition)).toEqual(['unlisted']);
	expect(state.burn.count).toBe(1);
	expect(watch([[], [], []], state).rows).toHaveLength(1);
	const gone = noteGone(state, 7, lookAt(2));
	expect(gone.rows.map(({condition}) => condition)).toEqual(['gone']);
	expect(gone.burn.count).toBe(0);
	expect(watch([[]], gone).rows).toEqual([]);
	expect(watch([[]], gone).gone).toEqual(new Set([7]));
});

test('a list that is not whole says nothing of those that it leaves out', () => {
	const state = watch([[instance('running'), instance('running', 8)]]);
	const part = listOf([instance('running')], {total: 2, isWhole: false});
	const after = applyList(state, part, lookAt(1));
	expect(after.rows.map(({condition}) => condition)).toEqual(['running', 'running']);
	expect(after.incomplete).toEqual({read: 1, total: 2, unreadable: noneUnreadable});
});

test('an instance that was just rented is there before a list shows it, and costs', () => {
	const rented = noteRented(unseenFleet, {id: 7, dph_total: 1.5}, lookAt(0));
	expect(rented.rows).toMatchObject([{condition: 'unlisted', rate: {atMost: 1.5}}]);
	const missed = watch([[]], rented);
	expect(missed.rows).toMatchObject([{condition: 'unlisted'}]);
	const {events, rows} = watch([[], [instance('running')]], missed);
	expect(rows).toMatchObject([{condition: 'running'}]);
	expect(events).toMatchObject([{from: undefined, to: 'running'}]);
});

test('pages are taken one by one, and are not looked at again when the list ends', () => {
	const page = (id: number) => ({
		instances: [instance('running', id)],
		total: 2,
		next: 'x',
		unreadable: noneUnreadable,
	});
	const first = applyPage(unseenFleet, page(7), lookAt(0));
	expect(first.reading).toEqual({read: 1, total: 2, unreadable: noneUnreadable});
	const second = applyPage(first, page(8), lookAt(1));
	const end = applyList(second, listOf([instance('running'), instance('running', 8)]), lookAt(1));
	expect(end.reading).toBeUndefined();
	expect(end.incomplete).toBeUndefined();
	expect(end.rows.map(({instance: {id}, observation}) => [id, observation.state?.looks])).toEqual([
		[7, 1],
		[8, 1],
	]);
});

test('what was there at the first look did not happen, and what changes later did', () => {
	expect(watch([boot[0] ?? []]).events).toEqual([]);
	const events = watch(boot).events.map(({from, to}) => `${String(from)} ${to}`);
	expect(events).toEqual(['loading running', 'provisioning loading']);
});

test('what could not be kept is kept by the next look, also where nothing changed', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-fleet-'));
	try {
		const state = join(folder, 'state');
		const service = {name: 'a', url: undefined};
		const memory = openFleetMemory(state, service);
		writeFileSync(state, 'no folder');
		await memory.remember(watch(boot));
		rmSync(state);
		await memory.remember(watch(boot));
		expect(openFleetMemory(state, service).recall().remembered.size).toBe(1);
	} finally {
		rmSync(folder, {recursive: true});
	}
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
		const {use: _, ...kept} = seen.rows[0]?.observation ?? {};
		expect(remembered.get(7)).toMatchObject(kept);
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

test('what was rented as stopped does not boot, and its first start begins its boot', () => {
	const stopped = {...instance(null), intended_status: 'stopped', cur_state: 'stopped'};
	const rest = Array.from({length: 60}, () => [stopped]);
	const [resting] = watch(rest).rows;
	if (resting === undefined) throw new Error('no row');
	expect(resting.condition).toBe('stopped');
	const begun = timelineOf(resting).filter(({at}) => at !== undefined);
	expect(begun.map(({name}) => name)).toEqual(['accepted']);
	expect(evidenceFor(resting)).toMatch(/, stopped for 59 min/);
	const [started] = watch([...rest, [instance(null)], [instance(null)]]).rows;
	if (started === undefined) throw new Error('no row');
	expect(started.condition).toBe('provisioning');
	expect(timelineOf(started).find(({isNow}) => isNow)).toMatchObject({
		name: 'provisioning',
		lasted: MINUTE,
	});
});

import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {
	certainCost,
	isIdle,
	seeAgain,
	noSightings,
	type LeasePoll,
} from '../../../source/renter/leases/sightings.ts';

const MADE = 1_764_000_000;

const running: Instance = {
	id: 7,
	actual_status: 'running',
	cur_state: 'running',
	intended_status: 'running',
	start_date: MADE,
	uptime_mins: 30,
	gpu_util: 0,
	cpu_util: 1,
	disk_usage: 4,
	dph_base: 2,
	storage_total_cost: 0.1,
};

const look: LeasePoll = {
	date: (MADE + 3600) * 1000,
	steady: 0,
	measured: {networkBytes: 1000, sshSessions: 0},
	lease: {ignores: [], idleSeconds: 600},
};

test('an instance idles where all that counts was measured, and does nothing', () => {
	expect(isIdle(running, running, look)).toBe(true);
	const busy: ReadonlyArray<readonly [string, Partial<Instance>]> = [
		['its GPU is used', {gpu_util: 40}],
		['its GPU is not measured', {gpu_util: null}],
		['its processors are used', {cpu_util: 80}],
		['its disk fills', {disk_usage: 4.2}],
		['its disk is not measured', {disk_usage: -1}],
		['it boots', {actual_status: 'loading'}],
	];
	const idle = busy.filter(([, values]) => isIdle(running, {...running, ...values}, look));
	expect(idle).toEqual([]);
	expect(isIdle(undefined, running, look)).toBe(false);
	expect(isIdle(running, running, {...look, measured: undefined})).toBe(false);
	const measured = {networkBytes: 9_000_000, sshSessions: 0};
	expect(isIdle(running, running, {...look, measured})).toBe(false);
	expect(isIdle(running, running, {...look, measured: {networkBytes: 0, sshSessions: 1}})).toBe(
		false,
	);
});

test('an instance whose program has ended by itself idles, and one whose host is lost may not', () => {
	const ended = (values: Partial<Instance>) => {
		const record = {...running, gpu_util: null, disk_usage: -1, ...values};
		return isIdle(running, record, {...look, measured: undefined});
	};
	expect(ended({actual_status: 'exited'})).toBe(true);
	expect(ended({actual_status: 'offline'})).toBe(false);
	expect(ended({actual_status: 'loading'})).toBe(false);
	// One that was stopped is at rest as its owner wants.
	expect(ended({actual_status: 'exited', intended_status: 'stopped'})).toBe(false);
	const none = {...look, lease: {...look.lease, idleSeconds: undefined}};
	expect(isIdle(running, {...running, actual_status: 'exited'}, none)).toBe(false);
});

test('what a lease ignores does not count as busy', () => {
	const lease = {ignores: ['cpu', 'disk', 'network', 'ssh'], idleSeconds: 600} as const;
	const unmeasured = {...running, cpu_util: null, disk_usage: -1};
	expect(isIdle(undefined, unmeasured, {...look, measured: undefined, lease})).toBe(true);
	expect(isIdle(undefined, {...unmeasured, gpu_util: 90}, {...look, lease})).toBe(false);
});

/** Looks a minute apart at an instance, whose record each time is given. */
function watch(...records: readonly Instance[]) {
	return records.reduce(
		(seen, record, at) =>
			seeAgain(seen, record, {...look, date: look.date + at * MINUTE, steady: at * MINUTE}),
		noSightings,
	);
}

const MINUTE = 60_000;
const times = (count: number, record: Instance) => Array.from({length: count}, () => record);
const stopped: Instance = {
	...running,
	actual_status: 'exited',
	cur_state: 'stopped',
	intended_status: 'stopped',
	uptime_mins: null,
};

test('the certain cost is of what was watched alone, each piece at the lower price around it', () => {
	expect(certainCost(noSightings, running, look)).toBeUndefined();
	expect(watch(...times(61, running)).cost).toBeCloseTo(2.1);
	const dearer = {...running, dph_base: 4};
	expect(watch(...times(31, running), ...times(30, dearer)).cost).toBeCloseTo(1.05 + 2.05 - 1 / 30);
	expect(watch(...times(31, running), ...times(30, stopped)).cost).toBeCloseTo(1.05 + 0.05);
	const lie = {...running, dph_base: 1e5};
	expect(watch(...times(31, running), lie, ...times(29, running)).cost).toBeCloseTo(2.1);
	const prepaid = {...running, credit_discount: 0.5};
	expect(watch(...times(61, prepaid)).cost).toBeCloseTo(1.1);
});

test.each<readonly [string, Partial<Instance>]>([
	['a dearer disk', {storage_total_cost: 50}],
	['an earlier start', {start_date: MADE - 300 * 86_400}],
	['a longer run', {uptime_mins: 100_000}],
])('%s says nothing certain of the past', (_, change) => {
	const before = watch(...times(10, stopped)).cost ?? 0;
	const changed = {...stopped, ...change};
	expect(watch(...times(10, stopped), changed).cost ?? 0).toBeLessThan(before + 0.01);
});

test('what nobody watched is not certain, and a clock that jumps spends no money', () => {
	const seen = watch(...times(31, running));
	const apart = {...look, date: look.date + 40 * MINUTE, steady: 40 * MINUTE};
	expect(seeAgain(seen, running, apart).cost).toBeCloseTo(1.05);
	const jumped = {...look, date: look.date + 300 * MINUTE, steady: 30 * MINUTE};
	expect(seeAgain(seen, running, jumped).cost).toBeCloseTo(1.05);
});

const most = (...records: readonly Instance[]) =>
	watch(...records).sightings.at(-1)?.costAtMost ?? 0;

test('what it may have cost never falls', () => {
	const cheaper = {...running, dph_base: 0.1};
	const dear = most(...times(10, running));
	expect(most(...times(10, running), cheaper)).toBeGreaterThanOrEqual(dear);
	expect(most(...times(10, running), {...running, start_date: MADE + 3600})).toBeLessThan(dear);
});

test('a sighting says whether the GPUs are given back', () => {
	const shown = [running, stopped].map(record => seeAgain(noSightings, record, look).sightings[0]);
	expect(shown.map(sighting => sighting?.isStopped)).toEqual([false, true]);
});

import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {
	certainCost,
	isIdle,
	seeAgain,
	unseen,
	type Look,
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

const look: Look = {
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

test('the certain cost has the disk since it was made, and the GPUs since it runs', () => {
	expect(certainCost(unseen, running, look)).toBeCloseTo(0.1 + 1);
	expect(certainCost(unseen, {...running, start_date: null}, look)).toBeUndefined();
});

test('the certain cost never sinks, and goes on at the lower price of two looks', () => {
	const seen = seeAgain(seeAgain(unseen, running, look), running, look);
	const stopped = {...running, actual_status: 'exited', cur_state: 'stopped', uptime_mins: null};
	const later = {...look, date: look.date + 3_600_000, steady: 3_600_000};
	const next = seeAgain(seen, stopped, later);
	expect(next.cost).toBeCloseTo(1.1 + 0.1);
	// A date that jumped is no money spent.
	const jumped = {...look, date: look.date + 36_000_000, steady: 1000};
	expect(seeAgain(seen, {...stopped, storage_total_cost: 0}, jumped).cost).toBeCloseTo(1.1);
});

test('a price that one look alone shows is no certain cost', () => {
	for (const lie of [{dph_base: 1e5}, {storage_total_cost: 1e5}]) {
		const looks = [running, {...running, ...lie}, running, running];
		const seen = looks.reduce((before, record) => seeAgain(before, record, look), unseen);
		expect([lie, seen.cost]).toEqual([lie, expect.closeTo(1.1)]);
		const first = seeAgain(seeAgain(unseen, {...running, ...lie}, look), running, look);
		expect([lie, first.cost]).toEqual([lie, expect.closeTo(1.1)]);
	}
});

test('a sighting says whether the GPUs are given back', () => {
	const stopped = {...running, cur_state: 'stopped', intended_status: 'stopped'};
	const shown = [running, stopped].map(record => seeAgain(unseen, record, look).sightings[0]);
	expect(shown.map(sighting => sighting?.isStopped)).toEqual([false, true]);
});

import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {evidenceFor, type InstanceCondition} from '../../../source/renter/instance/condition.ts';
import {
	after,
	loads,
	MINUTE,
	old,
	runs,
	sightAfter,
	type Seen,
} from '../../helpers/fleet/conditions.ts';
import {atMinute, startDate} from '../../helpers/fleet/looks.ts';

const nothing = (minute: number): Seen => ({minute, actual_status: null});
const hasRun = (minute: number, uptime: number): Seen => ({...runs(minute), uptime_mins: uptime});
const rebooting = (minute: number): Seen => ({...loads(minute), status_msg: 'rebooting'});

const stopped: Seen = {
	minute: 1,
	actual_status: 'exited',
	intended_status: 'stopped',
	cur_state: 'stopped',
};

const cases: ReadonlyArray<readonly [InstanceCondition, string, readonly Seen[]]> = [
	['provisioning', 'nothing runs for it yet', [nothing(0), nothing(2)]],
	['slow', 'nothing runs for it after 3 minutes', [nothing(0), nothing(3)]],
	['stuck', 'nothing runs for it after 5 minutes', [nothing(0), nothing(5)]],
	['loading', 'it loads', [nothing(0), loads(1), loads(4)]],
	['slow', 'it loads for 5 minutes', [nothing(0), loads(1), loads(6)]],
	['stuck', 'it loads for 10 minutes', [nothing(0), loads(1), loads(11)]],
	['loading', 'its boot began again once', [loads(0), nothing(1), loads(2)]],
	[
		'stuck',
		'its boot began again twice, and lasts',
		[loads(0), nothing(1), loads(2), nothing(3), loads(10)],
	],
	[
		'provisioning',
		'its boot began again twice, and is new',
		[loads(0), nothing(1), loads(2), nothing(3)],
	],
	['failing', 'it ended at one look', [runs(0), {minute: 1, actual_status: 'exited'}]],
	['running', 'it runs', [loads(0), runs(1)]],
	['other', 'its state has a word of its own', [{minute: 0, actual_status: 'frozen'}]],
	['stopped', 'it was stopped', [runs(0), stopped]],
	['failed', 'an error stopped it', [loads(0), {...stopped, status_msg: ' Error: no such image'}]],
	[
		'waiting',
		'others have its GPUs',
		[runs(0), {minute: 1, actual_status: 'exited', cur_state: 'stopped'}],
	],
];

test.each(cases)('it is %s where %s', (condition, _, looks) => {
	expect(after(looks)).toBe(condition);
});

const reloads = (minute: number): Seen => ({...loads(minute), ...old});
const rerun = (minute: number): Seen => ({...runs(minute), ...old});
const young = (minute: number, actual_status: string | null): Seen => ({
	...old,
	minute,
	actual_status,
	start_date: startDate(0),
});
const clocks = (minute: number, localMinute: number): Seen => ({...reloads(minute), localMinute});

test('an old instance that begins to load is not stuck before looks have shown it for as long as the limit', () => {
	expect(after([reloads(0)])).toBe('loading');
	expect(after([reloads(0), reloads(9)])).toBe('slow');
	expect(after([reloads(0), reloads(5), reloads(10)])).toBe('stuck');
});

test('a new instance is not stuck however long its rental is, and however often its boot began again', () => {
	expect(after([young(2, 'loading')])).toBe('loading');
	const again = [young(2, 'loading'), young(3, null), young(4, 'loading'), young(5, null)];
	expect(after(again)).toBe('provisioning');
});

test('no clock that jumps makes an instance stuck', () => {
	expect(after([clocks(0, 0), clocks(1, 61), clocks(2, 62)])).toBe('loading');
	expect(after([clocks(0, 0), clocks(31, 1), clocks(32, 2)])).not.toBe('stuck');
	expect(after([clocks(0, 0), clocks(-60, 1), clocks(-59, 2)])).not.toBe('stuck');
	expect(after([clocks(0, 0), clocks(2, 2), clocks(11, 11)])).toBe('stuck');
});

test('looks more than an hour apart are no evidence of what was in between', () => {
	expect(after([reloads(0), reloads(61)])).toBe('slow');
	expect(after([reloads(0), reloads(60)])).toBe('stuck');
});

test('the evidence says of a container that was started between two looks how long it runs', () => {
	const restarted = evidenceFor(sightAfter([hasRun(0, 20), hasRun(15, 5)]));
	expect(restarted).toContain('running for 5 min (2 looks)');
	expect(evidenceFor(sightAfter([hasRun(0, 20), hasRun(15, 35)]))).toContain('running for 15 min');
});

test('restarts of a container that ran steadily in between do not add up', () => {
	const twice = [rerun(0), rerun(11), reloads(12), rerun(13), rerun(24), reloads(25)];
	expect(after([...twice, rerun(26), rerun(37), reloads(38)])).toBe('loading');
});

test('an age that cannot be counts as not said', () => {
	for (const start of [-5, 0, 1e13, Number.NaN, startDate(900), startDate(-20_000_000)]) {
		const odd = (minute: number): Seen => ({...loads(minute), start_date: start});
		expect(after([odd(0), odd(9)])).toBe('slow');
		expect(after([odd(0), odd(10)])).toBe('stuck');
	}
});

test('what its renter restarts does not count as a boot that began again by itself', () => {
	expect(after([runs(0), rebooting(1), runs(2), rebooting(3), runs(4), rebooting(5)])).toBe(
		'loading',
	);
});

test('an image that usually takes long is not called stuck before twice that time', () => {
	const usualMs = 12 * MINUTE;
	expect(after([loads(0), loads(15)], {usualMs})).toBe('loading');
	expect(after([loads(0), loads(24)], {usualMs})).toBe('stuck');
});

test('an image that usually takes a minute is slow after two', () => {
	expect(after([loads(0), loads(2)], {usualMs: MINUTE})).toBe('slow');
});

const idles = (minute: number): Seen => ({...runs(minute), gpu_util: 1});

/** Looks once a minute that show it idle, the last one included. */
const idlesFrom = (first: number, last: number): readonly Seen[] =>
	Array.from({length: last - first + 1}, (_, at) => idles(first + at));

test('running with idle GPUs is idle after half an hour without a break', () => {
	expect(after(idlesFrom(0, 29))).toBe('running');
	expect(after(idlesFrom(0, 30))).toBe('idle');
	expect(after([...idlesFrom(0, 28), runs(29), ...idlesFrom(30, 40)])).toBe('running');
});

test('what idled before a time that nobody watched, and idles after it, is not said to have idled in between', () => {
	expect(after([...idlesFrom(0, 10), ...idlesFrom(490, 500)])).toBe('running');
	expect(after([...idlesFrom(0, 10), ...idlesFrom(490, 520)])).toBe('idle');
	expect(after([...idlesFrom(0, 10), {...idles(11), localMinute: 500}])).toBe('running');
	expect(after([...idlesFrom(0, 10), {...idles(500), localMinute: 11}])).toBe('running');
});

test('what was destroyed and is listed a minute later is undead, whatever it says', () => {
	const note = {destroyedAt: atMinute(0)};
	expect(after([runs(0.5)], {note})).toBe('destroying');
	expect(after([runs(1)], {note})).toBe('undead');
});

test('a port for SSH that is silent for two minutes is said, and one that was never tried is not', () => {
	expect(after([runs(0), runs(5)])).toBe('running');
	expect(after([runs(0), runs(5)], {note: {sshSilentSince: atMinute(3)}})).toBe('noSsh');
});

test('whatever a service says and in whichever order, there is a condition for it', () => {
	const status = fc.option(
		fc.oneof(fc.constantFrom('loading', 'running', 'exited', 'offline'), fc.string()),
	);
	const look = fc.record({
		minute: fc.nat(60),
		actual_status: status,
		intended_status: fc.option(fc.constantFrom('running', 'stopped', 'frozen')),
		cur_state: fc.option(fc.constantFrom('running', 'stopped')),
		gpu_util: fc.option(fc.double({min: 0, max: 100, noNaN: true})),
		uptime_mins: fc.option(fc.nat(100)),
		duration: fc.option(fc.double()),
		start_date: fc.option(fc.double()),
		localMinute: fc.nat(60),
	});
	fc.assert(
		fc.property(fc.array(look, {minLength: 1, maxLength: 8}), looks => {
			const ordered = looks.toSorted((a, b) => a.minute - b.minute);
			expect(after(ordered)).toMatch(/^[a-z]+$/i);
		}),
	);
});

import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/instance-record.ts';
import {defaultSettings} from '../../../source/console/default-settings.ts';
import {conditionOf} from '../../../source/console/fleet/condition.ts';
import type {Condition} from '../../../source/console/fleet/condition.ts';
import {observe} from '../../../source/console/fleet/observations.ts';
import type {Observation} from '../../../source/console/fleet/observations.ts';

const {limits} = defaultSettings;
const MINUTE = 60_000;

type Seen = Partial<Omit<Instance, 'id'>> & {readonly minute: number};

/** Looks at one instance at several times, and says what it is at the last. */
function after(
	looks: readonly Seen[],
	known: {usualMs?: number; note?: Partial<Observation>} = {},
) {
	let seen: Observation | undefined;
	let instance: Instance = {id: 7};
	let now = 0;
	for (const {minute, ...fields} of looks) {
		now = minute * MINUTE;
		instance = {id: 7, intended_status: 'running', cur_state: 'running', ...fields};
		seen = observe(seen, instance, {now, idleBelow: limits.idleBelowPercent});
	}
	if (seen === undefined) throw new Error('nothing was looked at');
	const sight = {instance, seen: {...seen, ...known.note}, usualMs: known.usualMs, limits, now};
	return conditionOf(sight);
}

const nothing = (minute: number): Seen => ({minute, actual_status: null});
const loads = (minute: number): Seen => ({minute, actual_status: 'loading'});
const rebooting = (minute: number): Seen => ({...loads(minute), status_msg: 'rebooting'});
const runs = (minute: number): Seen => ({minute, actual_status: 'running', gpu_util: 90});

const cases: ReadonlyArray<readonly [Condition, string, readonly Seen[]]> = [
	['provisioning', 'nothing runs for it yet', [nothing(0), nothing(2)]],
	['slow', 'nothing runs for it after 3 minutes', [nothing(0), nothing(3)]],
	['stuck', 'nothing runs for it after 5 minutes', [nothing(0), nothing(5)]],
	['loading', 'it loads', [nothing(0), loads(1), loads(4)]],
	['slow', 'it loads for 5 minutes', [nothing(0), loads(1), loads(6)]],
	['stuck', 'it loads for 10 minutes', [nothing(0), loads(1), loads(11)]],
	['loading', 'its boot began again once', [loads(0), nothing(1), loads(2)]],
	['stuck', 'its boot began again twice', [loads(0), nothing(1), loads(2), nothing(3)]],
	['failing', 'it ended at one look', [runs(0), {minute: 1, actual_status: 'exited'}]],
	['running', 'it runs', [loads(0), runs(1)]],
	['other', 'its state has a word of its own', [{minute: 0, actual_status: 'frozen'}]],
	[
		'stopped',
		'it was stopped',
		[
			runs(0),
			{minute: 1, actual_status: 'exited', intended_status: 'stopped', cur_state: 'stopped'},
		],
	],
	[
		'waiting',
		'others have its GPUs',
		[runs(0), {minute: 1, actual_status: 'exited', cur_state: 'stopped'}],
	],
];

test.each(cases)('it is %s where %s', (condition, _, looks) => {
	expect(after(looks)).toBe(condition);
});

test.each(['exited', 'unknown', 'offline'])(
	'two looks in a row that show %s make it dead',
	status => {
		const ended = (minute: number): Seen => ({minute, actual_status: status});
		expect(after([runs(0), ended(1)])).toBe('failing');
		expect(after([runs(0), ended(1), ended(2)])).toBe('dead');
		expect(after([runs(0), ended(1), runs(2), ended(3)])).toBe('failing');
	},
);

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

test('running with idle GPUs is idle after half an hour without a break', () => {
	const idles = (minute: number): Seen => ({...runs(minute), gpu_util: 1});
	expect(after([idles(0), idles(29)])).toBe('running');
	expect(after([idles(0), idles(30)])).toBe('idle');
	expect(after([idles(0), runs(29), idles(30), idles(40)])).toBe('running');
});

test('what was destroyed and is listed a minute later is undead, whatever it says', () => {
	const note = {destroyedAt: 0};
	expect(after([runs(0.5)], {note})).toBe('destroying');
	expect(after([runs(1)], {note})).toBe('undead');
});

test('a port for SSH that is silent for two minutes is said, and one that was never tried is not', () => {
	expect(after([runs(0), runs(5)])).toBe('running');
	expect(after([runs(0), runs(5)], {note: {sshSilentSince: 3 * MINUTE}})).toBe('noSsh');
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
		duration: fc.option(fc.nat(10_000)),
	});
	fc.assert(
		fc.property(fc.array(look, {minLength: 1, maxLength: 8}), looks => {
			const ordered = looks.toSorted((a, b) => a.minute - b.minute);
			expect(after(ordered)).toMatch(/^[a-z]+$/i);
		}),
	);
});

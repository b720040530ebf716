import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {after, limits, old, runs} from '../../helpers/fleet/conditions.ts';
import type {Seen} from '../../helpers/fleet/conditions.ts';
import {startDate} from '../../helpers/fleet/looks.ts';
import {least, runs as times} from '../../helpers/property.ts';

test.each(['exited', 'unknown', 'offline'])(
	'looks in a row for as long as a boot may take that show %s make it dead, and fewer do not',
	status => {
		const ended = (minute: number): Seen => ({minute, actual_status: status});
		expect(after([runs(0), ended(1)])).toBe('failing');
		expect(after([runs(0), ended(1), ended(10.9)])).toBe('failing');
		expect(after([runs(0), ended(1), ended(11)])).toBe('dead');
		expect(after([runs(0), ended(1), runs(2), ended(3), ended(12)])).toBe('failing');
	},
);

const exits = (minute: number, more: Omit<Seen, 'minute'> = {}): Seen => ({
	...old,
	minute,
	actual_status: 'exited',
	...more,
});
const stops = (minute: number): Seen => exits(minute, {intended_status: 'stopped'});

/** Every way in which a start can be seen, each seen at minute 20 of an instance that is old and exited. */
const starts: ReadonlyArray<readonly [string, Seen, Omit<Seen, 'minute'>]> = [
	['intended_status', stops(19), {}],
	['cur_state', exits(19, {cur_state: 'stopped'}), {}],
	['next_state', exits(19, {next_state: 'stopped'}), {next_state: 'running'}],
	['start_date', exits(19), {start_date: startDate(19)}],
	['the own journal', exits(19), {startedMinute: 19.5}],
];

test.each(starts)(
	'a start that %s shows is waited for as long as a boot may take',
	(_, last, more) => {
		const before = [{...last, minute: 0}, last];
		expect(after([...before, exits(20, more)])).toBe('failing');
		expect(after([...before, exits(20, more), exits(29.9, more)])).toBe('failing');
		expect(after([...before, exits(20, more), exits(30, more)])).toBe('dead');
		const boots = [
			{...last, minute: 0, actual_status: 'loading'},
			{...last, actual_status: 'loading'},
		];
		const loading = {...more, actual_status: 'loading'};
		expect(after([...boots, exits(20, loading), exits(29, loading)])).not.toBe('stuck');
		expect(after([...boots, exits(20, loading), exits(30, loading)])).toBe('stuck');
	},
);

test('nothing is stuck or dead before a boot may have taken so long since anybody started it', () => {
	const status = fc.constantFrom(null, 'loading', 'running', 'exited', 'offline', 'unknown');
	const step = fc.record({
		passed: fc.constantFrom(0.2, 1, 5, 15, 59),
		shown: status,
		/** Somebody stops it, starts it, or restarts it from here, before the look. */
		act: fc.constantFrom(undefined, undefined, undefined, 'stop', 'start', 'reboot'),
	});
	let judged = 0;
	const check = fc.property(fc.array(step, {minLength: 1, maxLength: 12}), steps => {
		let [minute, startedAt, rebooted, intended] = [0, -14_400, Number.NaN, 'running'];
		const looks: Seen[] = [];
		for (const {passed, shown: actual_status, act} of steps) {
			if (act === 'stop') intended = 'stopped';
			if (act === 'start' && intended === 'stopped') [intended, startedAt] = ['running', minute];
			if (act === 'reboot') [rebooted, startedAt] = [minute, minute];
			minute += passed;
			const startedMinute = Number.isNaN(rebooted) ? undefined : rebooted;
			looks.push({...old, minute, actual_status, intended_status: intended, startedMinute});
			// A start that follows a stop between two looks is known from the own journal alone.
			if (act === 'start') looks.splice(-1, 0, {...stops(minute - passed), startedMinute});
			if (!['stuck', 'dead'].includes(after(looks))) continue;
			judged += 1;
			expect(minute - startedAt).toBeGreaterThanOrEqual(limits.nullStuckMinutes);
			if (actual_status !== null)
				expect(minute - startedAt).toBeGreaterThanOrEqual(limits.bootMinutes);
		}
	});
	fc.assert(check, {numRuns: times(2000)});
	expect(judged).toBeGreaterThan(least(20));
});

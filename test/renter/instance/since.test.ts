import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {isAtLeast} from '../../../source/renter/instance/condition.ts';
import {observe, type Observation} from '../../../source/renter/instance/observations.ts';
import {atMinute, startDate} from '../../helpers/fleet/looks.ts';

type Given = {
	readonly before?: Observation;
	/** The minutes of its last own start and stop. */
	readonly startedMinute?: number;
	readonly stoppedMinute?: number;
};

function look(minute: number, record: Omit<Partial<Instance>, 'id'>, given: Given = {}) {
	const {before, startedMinute, stoppedMinute} = given;
	const now = atMinute(minute);
	return observe(
		before,
		{id: 7, start_date: startDate(-14_400), ...record},
		{
			now,
			localNow: now,
			idleBelow: 3,
			bootMs: 600_000,
			startedAt: startedMinute === undefined ? undefined : atMinute(startedMinute),
			stoppedAt: stoppedMinute === undefined ? undefined : atMinute(stoppedMinute),
		},
	);
}

const exited = {actual_status: 'exited', intended_status: 'stopped'};
const runs = (uptime: number) => ({actual_status: 'running', uptime_mins: uptime});

function sinceOf(seen: Observation): readonly [since: number, isAtLeast: boolean] {
	return [seen.phases.at(-1)?.since ?? 0, isAtLeast(seen)];
}

test('two consoles count from the same moment what the service says of one that runs', () => {
	let early = look(0, runs(100));
	for (const at of [0.3, 0.6, 0.9]) early = look(at, runs(100), {before: early});
	let late = look(30.2, runs(130));
	for (const at of [30.5, 30.8, 31]) late = look(at, runs(at < 31 ? 130 : 131), {before: late});
	expect(sinceOf(early)).toEqual([atMinute(-100), false]);
	expect(Math.abs(sinceOf(late)[0] - sinceOf(early)[0])).toBeLessThan(13_000);
});

test('what stopped while nobody looked is stopped for at least as long as it was looked at', () => {
	const before = look(0, runs(100));
	expect(sinceOf(look(0.2, exited, {before}))).toEqual([atMinute(0.2), false]);
	expect(sinceOf(look(300, exited, {before}))).toEqual([atMinute(300), true]);
	expect(sinceOf(look(300, exited))).toEqual([atMinute(300), true]);
});

test('a stop and a start of its own are known from the journal, also by a console that opens later', () => {
	const before = look(0, runs(100));
	const stopped = {stoppedMinute: 20};
	expect(sinceOf(look(300, exited, {before, ...stopped}))).toEqual([atMinute(20), false]);
	expect(sinceOf(look(300, exited, stopped))).toEqual([atMinute(20), false]);
	expect(sinceOf(look(300, exited, {...stopped, startedMinute: 40}))).toEqual([
		atMinute(300),
		true,
	]);
	const boots = {actual_status: 'loading'};
	expect(sinceOf(look(300, boots, {startedMinute: 295}))).toEqual([atMinute(295), false]);
});

test('a stop before the last look says nothing about what that look did not show', () => {
	const before = look(30, runs(5));
	expect(sinceOf(look(300, exited, {before, stoppedMinute: 20}))[1]).toBe(true);
});

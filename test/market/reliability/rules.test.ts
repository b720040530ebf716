import {expect, test} from 'vitest';
import {reliabilityOf} from '../../../source/market/reliability/rules.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = 100 * DAY;

const quiet = {knownSince: NOW, now: NOW, silences: [], excused: [], rentals: 0, failed: 0};

function afterDays(days: number): number {
	return reliabilityOf({...quiet, knownSince: NOW - days * DAY}).value;
}

function afterRentals(rentals: number, failed: number): number {
	return reliabilityOf({...quiet, rentals, failed}).value;
}

test('a machine that nobody knows counts as 0.95, and rises to nearly 1 in a month', () => {
	expect([0, 1, 7, 30, 90].map(afterDays)).toEqual([0.95, 0.975, 0.9938, 0.9984, 0.9984]);
});

test('silence counts once however often it is kept, and no longer after a month', () => {
	const knownSince = NOW - 9 * DAY;
	const day = {since: NOW - 2 * DAY, until: NOW - DAY};
	const old = {since: NOW - 40 * DAY, until: NOW - 31 * DAY};
	const twice = reliabilityOf({...quiet, knownSince, silences: [day, day, old]});
	expect(twice).toEqual({value: 0.895, dueSeconds: 9 * DAY, silentSeconds: DAY});
	const long = reliabilityOf({...quiet, knownSince: 0, silences: [old]});
	expect(long).toMatchObject({dueSeconds: 30 * DAY, silentSeconds: 0});
});

test('silence in maintenance that was announced does not count, and what is longer does', () => {
	const knownSince = NOW - 9 * DAY;
	const silences = [{since: NOW - 4 * HOUR, until: NOW - HOUR}];
	const excused = [{since: NOW - 4 * HOUR, until: NOW - 2 * HOUR}];
	const {dueSeconds, silentSeconds} = reliabilityOf({...quiet, knownSince, silences, excused});
	expect([dueSeconds, silentSeconds]).toEqual([9 * DAY - 2 * HOUR, HOUR]);
});

test('one start that failed says less of many rentals than of few', () => {
	expect(
		[
			[1, 1],
			[20, 1],
			[3, 3],
			[0, 1],
		].map(([all = 0, failed = 0]) => afterRentals(all, failed)),
	).toEqual([0.7917, 0.912, 0.5938, 0.7917]);
});

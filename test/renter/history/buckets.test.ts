import {expect, test} from 'vitest';
import {
	bucketsIn,
	gapsIn,
	indexOf,
	bucketStartOf,
	ticksIn,
	windowAt,
} from '../../../source/renter/history/buckets.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 10, 23, 12);

test('a window stands still while time passes, and jumps by a quarter when it is full', () => {
	const at = (ms: number) => windowAt(NOON + ms, HOUR, {count: 60});
	const first = at(0);
	expect([bucketStartOf(first, 0), first.step]).toEqual([NOON - 45 * MINUTE, MINUTE]);
	for (let minute = 0; minute < 15; minute++) expect(at(minute * MINUTE)).toEqual(first);
	expect(bucketStartOf(at(15 * MINUTE), 0)).toBe(NOON - 30 * MINUTE);
});

test('a bucket is the same stretch of time, whenever it is looked at', () => {
	const looks = Array.from({length: 200}, (_, at) => ({
		at: NOON + at * 20 * SECOND,
		value: at % 7,
	}));
	const place = NOON + 20 * MINUTE;
	const values = [30, 40, 50, 60].map(minute => {
		const window = windowAt(NOON + minute * MINUTE, HOUR, {count: 60});
		const seen = looks.filter(({at}) => at <= NOON + minute * MINUTE);
		return bucketsIn(window, seen)[indexOf(window, place)];
	});
	expect(values[0]).toEqual({min: 4, max: 6, mean: 5});
	expect(new Set(values.map(value => JSON.stringify(value))).size).toBe(1);
});

test('a look counts until the next one, and nothing counts where none was for long', () => {
	const window = windowAt(NOON, 10 * MINUTE, {count: 60});
	const start = bucketStartOf(window, 0);
	const looks = [0, 30, 60, 300, 310].map(at => ({at: start + at * SECOND, value: at}));
	const means = bucketsIn(window, looks).map(bucket => bucket?.mean);
	expect(means.slice(0, 8)).toEqual([0, 0, 0, 30, 30, 30, 60, undefined]);
	expect(means.slice(29, 33)).toEqual([undefined, 300, 310, undefined]);
	expect(gapsIn(window, looks)).toEqual([[start + 60 * SECOND, start + 300 * SECOND]]);
});

test('every span has buckets of a round length, and a few ticks at round times', () => {
	const spans = [10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR, 72 * HOUR, 168 * HOUR];
	const windows = spans.map(span => windowAt(NOON, span, {count: 56}));
	expect(windows.map(({step}) => step / MINUTE)).toEqual([1 / 6, 1, 5, 20, 60, 180]);
	for (const window of windows) {
		const ticks = ticksIn(window, 6);
		expect(ticks.length).toBeGreaterThanOrEqual(3);
		expect(ticks.length).toBeLessThanOrEqual(6);
		const minutes = new Set(ticks.map(tick => bucketStartOf(window, tick) % (2 * MINUTE)));
		expect([...minutes]).toEqual([0]);
	}
});

test('days begin at midnight of the place where they are read', () => {
	const window = windowAt(NOON, 168 * HOUR, {count: 56, offsetMs: 2 * HOUR});
	const hours = ticksIn(window, 8).map(tick => new Date(bucketStartOf(window, tick)).getUTCHours());
	expect(new Set(hours)).toEqual(new Set([22]));
});

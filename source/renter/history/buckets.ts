/**
 * Time buckets of values. A bucket begins at a round time, not at the present less a span, so that
 * drawn values stay in place while time passes.
 */
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../contract/rules/durations.ts';

const SECOND = 1000;

const lengths = [
	...[10, 15, 20, 30].map(count => count * SECOND),
	...[1, 2, 3, 5, 10, 15, 20, 30].map(count => count * MINUTE_MS),
	...[1, 2, 3, 4, 6, 8, 12].map(count => count * HOUR_MS),
	...[1, 2, 7, 14].map(count => count * DAY_MS),
];

/** Consecutive buckets. Their numbers count from 1970, and so tell their times. */
export type Window = {
	/** Length of each bucket in milliseconds. */
	readonly step: number;
	readonly first: number;
	readonly count: number;
	/** Offset of this time zone from UTC, by which hours and days are counted. */
	readonly offsetMs: number;
};

/** Least part of the requested window: it may be shorter, so that buckets have a round length. */
const LEAST_PART = 0.75;
/** Parts of a window: it ends with one of them, and advances by one when it is full. */
const PARTS = 4;

/**
 * The window that shows a span before now in so many buckets; at most a quarter of it is in the
 * future.
 */
export function windowAt(
	now: number,
	spanMs: number,
	{count, offsetMs = 0}: {readonly count: number; readonly offsetMs?: number},
): Window {
	const step = lengths.find(ms => ms * count >= spanMs * LEAST_PART) ?? DAY_MS * 14;
	const part = Math.max(1, Math.floor(count / PARTS));
	const present = Math.floor((now + offsetMs) / step);
	const end = (Math.floor(present / part) + 1) * part;
	return {step, first: end - count, count, offsetMs};
}

/** The moment at which a bucket of the window begins; 0 is the first. */
export function bucketStartOf({step, first, offsetMs}: Window, index: number): number {
	return (first + index) * step - offsetMs;
}

/** Index of the bucket that a moment is in; it may be outside of the window. */
export function indexOf({step, first, offsetMs}: Window, at: number): number {
	return Math.floor((at + offsetMs) / step) - first;
}

export type Bucket = {readonly min: number; readonly max: number; readonly mean: number};

export type Valued = {readonly at: number; readonly value: number | undefined};

/** Longest time between two samples for which the earlier one still counts. */
const HELD_MS = 90_000;

/**
 * Values grouped by bucket. Between two close samples the earlier one counts; a longer gap has no
 * value.
 *
 * @param samples in the order of their times
 */
export function bucketsIn(
	window: Window,
	samples: readonly Valued[],
): ReadonlyArray<Bucket | undefined> {
	const sums = Array.from({length: window.count}, () => ({min: 0, max: 0, sum: 0, looks: 0}));
	const add = (index: number, value: number) => {
		const one = sums[index];
		if (one === undefined) return;
		one.min = one.looks === 0 ? value : Math.min(one.min, value);
		one.max = one.looks === 0 ? value : Math.max(one.max, value);
		one.sum += value;
		one.looks += 1;
	};
	let last: {readonly at: number; readonly value: number} | undefined;
	for (const {at, value} of samples) {
		if (value === undefined) continue;
		const index = indexOf(window, at);
		if (last !== undefined && at - last.at <= HELD_MS) {
			for (let held = Math.max(0, indexOf(window, last.at) + 1); held < index; held++) {
				add(held, last.value);
			}
		}
		add(index, value);
		last = {at, value};
	}
	return sums.map(({min, max, sum, looks: count}) =>
		count === 0 ? undefined : {min, max, mean: sum / count},
	);
}

/** Gaps of at least two minutes without measurements in a window, as moments from and until. */
export function gapsIn(
	window: Window,
	samples: ReadonlyArray<Pick<Valued, 'at'>>,
): ReadonlyArray<readonly [from: number, until: number]> {
	const start = bucketStartOf(window, 0);
	const least = Math.max(HELD_MS, window.step);
	return samples.flatMap(({at}, index) => {
		const before = samples[index - 1]?.at ?? at;
		return at > start && at - before > least ? [[Math.max(before, start), at] as const] : [];
	});
}

/** Indices of the buckets of a window in which a round time begins: at most so many. */
export function ticksIn({step, first, count}: Window, most: number): readonly number[] {
	const length = lengths.find(ms => ms > step && (count * step) / ms <= most) ?? count * step;
	const startOf = (index: number) => Math.ceil(((first + index) * step) / length);
	return Array.from({length: count}, (_, index) => index).filter(
		index => startOf(index) * length < (first + index + 1) * step,
	);
}

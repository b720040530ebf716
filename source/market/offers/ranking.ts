/** All rows in an order that many searches ask for, so that only the first of them need be tested. */
import {setImmediate} from 'node:timers/promises';
import {DEFAULT_DISK_GB, type OfferField} from '../../contract/nouns/offer-search.ts';
import type {OfferColumns} from './columns.ts';
import {compareBy, keysOf} from './column-order.ts';

export type RankedField = Extract<OfferField, 'score' | 'dph_total' | 'dlperf_per_dphtotal'>;

/** Those orders that the database has indexes for. */
export const rankedOrders: ReadonlyArray<readonly [RankedField, 'asc' | 'desc']> = [
	['score', 'desc'],
	['dph_total', 'asc'],
	['dlperf_per_dphtotal', 'desc'],
];

export type Ranking = {
	readonly rows: Int32Array;
	/** Rows that may be anywhere by now, or were not there when all were sorted. */
	readonly moved: ReadonlySet<number>;
	/** Ends noting what moves. */
	readonly end: () => void;
};

const RUN = 8192;

/** Sorts all rows, a part at a time: others are served in between. */
export async function rank(
	columns: OfferColumns,
	order: (typeof rankedOrders)[number],
	closing: AbortSignal,
): Promise<Ranking> {
	const moved = new Set<number>();
	const end = columns.listen((row, isRanked) => {
		if (!isRanked) moved.add(row);
	});
	const terms = {pricing: 'on-demand', diskGb: DEFAULT_DISK_GB, now: 0} as const;
	const [key = (): number => 0] = keysOf(columns, [order], terms);
	// What is written meanwhile moves in its own way: all that is sorted here is of before.
	const keys = new Float64Array(columns.count());
	let sorted = new Int32Array(keys.length);
	for (let start = 0; start < keys.length; start += RUN) {
		for (let row = start; row < Math.min(start + RUN, keys.length); row++) keys[row] = key(row);
		if (start % (RUN * 4) === 0) await setImmediate();
	}
	for (let start = 0; start < keys.length && !closing.aborted; start += RUN) {
		const run = Array.from({length: Math.min(RUN, keys.length - start)}, (_, at) => start + at);
		sorted.set(run.toSorted(compareBy([row => keys[row] ?? Infinity])), start);
		await setImmediate();
	}
	for (let size = RUN; size < keys.length && !closing.aborted; size *= 2) {
		const merged = new Int32Array(keys.length);
		for (let start = 0; start < keys.length; start += size * 2) {
			await merge(sorted, merged, {start, size, keys});
		}
		sorted = merged;
	}
	return {rows: sorted, moved, end};
}

type Runs = {readonly start: number; readonly size: number; readonly keys: Float64Array};

async function merge(from: Int32Array, to: Int32Array, {start, size, keys}: Runs): Promise<void> {
	const middle = Math.min(start + size, from.length);
	const end = Math.min(start + size * 2, from.length);
	let [left, right] = [start, middle];
	for (let index = start; index < end; index++) {
		const [one = 0, other = 0] = [from[left], from[right]];
		// Of those that are alike, the left ones have the smaller numbers.
		const isLeft = right >= end || (left < middle && (keys[one] ?? 0) <= (keys[other] ?? 0));
		to[index] = isLeft ? one : other;
		if (isLeft) left += 1;
		else right += 1;
		if (index % RUN === 0) await setImmediate();
	}
}

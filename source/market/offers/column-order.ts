/** The order of a search over columns, and rankings that many searches ask for; what is not known comes last. */
import {setImmediate} from 'node:timers/promises';
import {
	type OfferField,
	type OfferSearch,
	DEFAULT_DISK_GB,
} from '../../contract/nouns/offer-search.ts';
import {fieldOf} from './column-fields.ts';
import type {SearchTerms} from './table-rules.ts';
import type {OfferColumns} from './column.ts';

/** A number by which rows are sorted: the less, the earlier. */
type RowKey = (row: number) => number;

export function keysOf(
	columns: OfferColumns,
	order: OfferSearch['order'],
	terms: SearchTerms,
): readonly RowKey[] {
	// Only the first mention of a field can matter.
	const first = new Map(order.toReversed());
	const fields = [...new Set(order.map(([field]) => field))];
	return fields.map(field => keyOf(columns, field, first.get(field) ?? 'asc', terms));
}

function keyOf(
	columns: OfferColumns,
	field: OfferField,
	direction: 'asc' | 'desc',
	terms: SearchTerms,
): RowKey {
	const compute = valuesOf(columns, field, terms);
	const sign = direction === 'asc' ? 1 : -1;
	return row => {
		const value = compute(row);
		return Number.isNaN(value) ? Infinity : value * sign;
	};
}

function valuesOf(columns: OfferColumns, field: OfferField, terms: SearchTerms): RowKey {
	const source = fieldOf(columns, field, terms);
	if ('compute' in source) return source.compute;
	if ('constant' in source) return () => Number.NaN;
	if ('number' in source) return row => source.number.get(row);
	const ranks = source.text.ranks();
	return row => ranks[source.text.codes.get(row)] ?? Number.NaN;
}

/** Compares rows; those that are alike are in the order of their numbers. */
function compareBy(keys: readonly RowKey[]): (one: number, other: number) => number {
	return (one, other) => {
		for (const key of keys) {
			const [left, right] = [key(one), key(other)];
			if (left !== right) return left < right ? -1 : 1;
		}
		return one - other;
	};
}

/** The best of many rows, without sorting all of them. */
export type Best = {
	readonly add: (rows: Int32Array, count: number) => void;
	/** True if rows were left out for better ones. */
	readonly isCut: () => boolean;
	/** The best, in order. */
	readonly take: () => readonly number[];
};

/** @param most How many are wanted. */
export function createBest(keys: readonly RowKey[], most: number): Best {
	const compareRest = compareBy(keys.slice(1));
	const [first = (): number => 0] = keys;
	/** A heap: none is better than the two behind it, and the first is the worst of all. */
	const heap: number[] = [];
	/** The first keys of its rows, which are needed again and again. */
	const firsts: number[] = [];
	let isCut = false;

	function isWorse(one: number, other: number): boolean {
		const [left = 0, right = 0] = [firsts[one], firsts[other]];
		return left === right ? compareRest(heap[one] ?? 0, heap[other] ?? 0) > 0 : left > right;
	}

	function swap(one: number, other: number): void {
		[heap[one], heap[other]] = [heap[other] ?? 0, heap[one] ?? 0];
		[firsts[one], firsts[other]] = [firsts[other] ?? 0, firsts[one] ?? 0];
	}

	function rise(from: number): void {
		let at = from;
		while (at > 0) {
			const above = (at - 1) >> 1;
			if (!isWorse(at, above)) return;
			swap(at, above);
			at = above;
		}
	}

	function sink(): void {
		for (let at = 0; ;) {
			let worst = at;
			for (const below of [at * 2 + 1, at * 2 + 2]) {
				if (below < heap.length && isWorse(below, worst)) worst = below;
			}
			if (worst === at) return;
			swap(at, worst);
			at = worst;
		}
	}

	return {
		add(rows, count) {
			for (let index = 0; index < count; index++) {
				const row = rows[index] ?? 0;
				const key = first(row);
				if (heap.length < most) {
					heap.push(row);
					firsts.push(key);
					rise(heap.length - 1);
					continue;
				}
				isCut = true;
				const [worst = 0] = firsts;
				if (key > worst || (key === worst && compareRest(row, heap[0] ?? 0) >= 0)) continue;
				[heap[0], firsts[0]] = [row, key];
				sink();
			}
		},
		isCut: () => isCut,
		take: () => heap.toSorted(compareBy(keys)),
	};
}

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

/** The order of a search over columns, and the best rows by it; what is not known comes last. */
import {type OfferField, type OfferSearch} from '../../contract/nouns/offer-search.ts';
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

/** The order of a search over columns, and the best rows by it. Unknown values come last. */
import {type OfferField, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import {fieldOf} from './column-fields.ts';
import type {SearchTerms} from './table-rules.ts';
import type {OfferColumns} from './column.ts';

/** Sort number of a row: lower is earlier. */
type RowKey = (row: number) => number;

export function keysOf(
	columns: OfferColumns,
	order: OfferSearch['order'],
	terms: SearchTerms,
): readonly RowKey[] {
	// Later mentions of a field have no effect.
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

/** Compares rows; ties go to the lower id. */
function compareBy(keys: readonly RowKey[]): (one: number, other: number) => number {
	return (one, other) => {
		for (const key of keys) {
			const [left, right] = [key(one), key(other)];
			if (left !== right) return left < right ? -1 : 1;
		}
		return one - other;
	};
}

/** Collector of the best of many rows, without sorting all. */
export type Best = {
	readonly add: (rows: Int32Array, count: number) => void;
	/** True if rows were left out for better ones. */
	readonly isCut: () => boolean;
	/** Returns the best rows in order. */
	readonly take: () => readonly number[];
};

/** @param most The number of rows wanted. */
export function createBest(keys: readonly RowKey[], most: number): Best {
	const compareRest = compareBy(keys.slice(1));
	const [first = (): number => 0] = keys;
	/** Binary heap with the worst row at its root. */
	const heap: number[] = [];
	/** First sort keys of the heap's rows, cached for comparisons. */
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

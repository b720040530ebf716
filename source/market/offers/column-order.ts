/** The order of a search over columns, and the best rows by it. Unknown values come last. */
import {type OfferField, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import {fieldSourceOf, type RowNumber} from './column-fields.ts';
import type {SearchTerms} from './table-rules.ts';
import type {OfferColumns} from './column.ts';

/** Sort keys of rows: lower is earlier. */
export function sortKeysOf(
	columns: OfferColumns,
	order: OfferSearch['order'],
	terms: SearchTerms,
): readonly RowNumber[] {
	// A field counts only where it is first mentioned.
	const first = new Map(order.toReversed());
	const fields = [...new Set(order.map(([field]) => field))];
	return fields.map(field => {
		const compute = numbersOf(columns, field, terms);
		const sign = first.get(field) === 'desc' ? -1 : 1;
		return row => {
			const value = compute(row);
			return Number.isNaN(value) ? Infinity : value * sign;
		};
	});
}

function numbersOf(columns: OfferColumns, field: OfferField, terms: SearchTerms): RowNumber {
	const source = fieldSourceOf(columns, field, terms);
	if ('compute' in source) return source.compute;
	if ('constant' in source) return () => Number.NaN;
	if ('number' in source) return row => source.number.get(row);
	const ranks = source.text.ranks();
	return row => ranks[source.text.codes.get(row)] ?? Number.NaN;
}

/** Collector of the best of many rows, without sorting all. */
export type Best = {
	readonly add: (rows: Int32Array, count: number) => void;
	/** True if rows were left out for better ones. */
	readonly isCut: () => boolean;
	/** Returns the best rows in order. */
	readonly take: () => readonly number[];
};

/** Row with its first sort key, which decides most comparisons. */
type Ranked = {readonly row: number; readonly key: number};

/** @param most The number of rows wanted. */
export function createBest(keys: readonly RowNumber[], most: number): Best {
	const [first = (): number => 0, ...rest] = keys;
	let best: Ranked[] = [];
	/** The worst row worth keeping, once there are enough. */
	let last: Ranked | undefined;
	let isCut = false;

	/** Compares rows; ties go to the lower id. */
	function compare(one: Ranked, other: Ranked): number {
		if (one.key !== other.key) return one.key < other.key ? -1 : 1;
		for (const key of rest) {
			const [left, right] = [key(one.row), key(other.row)];
			if (left !== right) return left < right ? -1 : 1;
		}
		return one.row - other.row;
	}

	function cut(): void {
		best.sort(compare);
		if (best.length > most) isCut = true;
		best = best.slice(0, most);
		if (best.length === most) last = best.at(-1);
	}

	return {
		add(rows, count) {
			for (let index = 0; index < count; index++) {
				const row = rows[index] ?? 0;
				const key = first(row);
				if (last !== undefined && (key > last.key || compare({row, key}, last) > 0)) isCut = true;
				else if (best.push({row, key}) >= most * 2) cut();
			}
		},
		isCut: () => isCut,
		take() {
			cut();
			return best.map(({row}) => row);
		},
	};
}

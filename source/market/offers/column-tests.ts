/** The conditions of a search over columns, by the tests of `contract/grammar/filter-match.ts`. */
import {normal, testOfCondition} from '../../contract/grammar/filter-match.ts';
import type {Condition, Operator} from '../../contract/grammar/filter.ts';
import {
	searchableOffers,
	conditionsOf,
	type OfferField,
	type OfferSearch,
} from '../../contract/nouns/offer-search.ts';
import type {NumberColumn, OfferColumns} from './column.ts';
import {fieldSourceOf, type FieldSource} from './column-fields.ts';
import type {SearchTerms} from './table-rules.ts';

/** Moves passing rows to the front, and returns their number. */
export type RowTest = (rows: Int32Array, count: number) => number;

/** Row tests of an offer search, with those for offers on sale. */
export function rowTestsOf(
	columns: OfferColumns,
	search: OfferSearch,
	terms: SearchTerms,
): readonly RowTest[] {
	const {listed, end_date: end, min_bid_micros: bid} = columns.numbers;
	const asked = conditionsOf(search).map(condition =>
		rowTest(fieldSourceOf(columns, condition.field, terms), condition),
	);
	const bids = search.pricing === 'bid' ? [isWithin(bid, [-Infinity, Infinity])] : [];
	// An unknown end counts as no end.
	const isOpen = keeps(row => !(end.get(row) <= terms.now));
	return [...asked, ...bids, isWithin(listed, [1, 1]), isOpen];
}

function rowTest(source: FieldSource, condition: Condition<OfferField>): RowTest {
	const type = searchableOffers.fields[condition.field];
	const passes = testOfCondition(type, condition);
	if ('constant' in source) {
		const isMet = passes(normal(type, source.constant));
		return (_, count) => (isMet ? count : 0);
	}
	if ('text' in source) {
		const {codes, texts} = source.text;
		// Each distinct text is tested once, however many rows have it.
		const known: boolean[] = [];
		const isNull = passes(null);
		return keeps(row => {
			const code = codes.get(row);
			return Number.isNaN(code) ? isNull : (known[code] ??= passes(texts[code] ?? null));
		});
	}
	const range = 'number' in source ? rangeOf(condition) : undefined;
	if ('number' in source && range !== undefined) return isWithin(source.number, range);
	const compute = 'number' in source ? (row: number) => source.number.get(row) : source.compute;
	return keeps(row => {
		const found = compute(row);
		return passes(Number.isNaN(found) ? null : found);
	});
}

type Range = readonly [low: number, high: number];

/** Inclusive range of the numbers that meet a condition; undefined if they have none. */
function rangeOf({operator, value}: Condition): Range | undefined {
	const number = Number(value);
	const ranges: Partial<Record<Operator, Range>> = {
		eq: [number, number],
		lt: [-Infinity, -nextAbove(-number)],
		lte: [-Infinity, number],
		gt: [nextAbove(number), Infinity],
		gte: [number, Infinity],
	};
	return value === null ? undefined : ranges[operator];
}

const bits = new DataView(new ArrayBuffer(8));

function nextAbove(number: number): number {
	if (number === 0) return Number.MIN_VALUE;
	bits.setFloat64(0, number);
	bits.setBigInt64(0, bits.getBigInt64(0) + (number > 0 ? 1n : -1n));
	return bits.getFloat64(0);
}

/** Test of a column for known numbers in a range, over its array: the quickest. */
function isWithin(column: NumberColumn, [low, high]: Range): RowTest {
	return (rows, count) => {
		// Read at each call, because a column may have moved to a wider array.
		const {values} = column;
		const [least, most] = column.bounds(low, high);
		let kept = 0;
		for (let index = 0; index < count; index++) {
			const row = rows[index] ?? 0;
			const value = values[row] ?? Number.NaN;
			if (value >= least && value <= most) rows[kept++] = row;
		}
		return kept;
	};
}

function keeps(passes: (row: number) => boolean): RowTest {
	return (rows, count) => {
		let kept = 0;
		for (let index = 0; index < count; index++) {
			const row = rows[index] ?? 0;
			if (passes(row)) rows[kept++] = row;
		}
		return kept;
	};
}

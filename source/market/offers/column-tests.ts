/** The conditions of a search over columns; `database/search-sql.ts` is their twin. */
import {
	compareText,
	holdsNumber,
	isCountry,
	matches,
	normal,
} from '../../contract/grammar/filter-match.ts';
import type {Condition, Scalar} from '../../contract/grammar/filter.ts';
import {
	searchableOffers,
	conditionsOf,
	type OfferField,
	type OfferSearch,
} from '../../contract/nouns/offer-search.ts';
import type {NumberColumn, TextColumn, OfferColumns} from './column.ts';
import {fieldOf, type FieldSource} from './column-fields.ts';
import type {Constant, SearchTerms} from './table-rules.ts';

/** Moves passing rows to the front, and returns their number. */
export type RowTest = (rows: Int32Array, count: number) => number;

/** Row tests of an offer search, with those for offers on sale. The cheapest tests come first. */
export function testsOf(
	columns: OfferColumns,
	search: OfferSearch,
	terms: SearchTerms,
): readonly RowTest[] {
	const {listed, end_date: end, min_bid_micros: bid} = columns.numbers;
	const listedOnes = [within(listed, 1, 1), isOpenAt(end, terms.now)];
	const bids = search.pricing === 'bid' ? [isKnown(bid)] : [];
	const asked = conditionsOf(search).map(condition =>
		testOf(fieldOf(columns, condition.field, terms), condition),
	);
	return [...asked, ...bids, ...listedOnes];
}

function testOf(source: FieldSource, condition: Condition<OfferField>): RowTest {
	if ('constant' in source) {
		const isMet = matches(searchableOffers, [condition], source, ({constant}) => constant);
		return isMet ? always : never;
	}
	switch (condition.operator) {
		case 'eq':
			return isOneOf(source, condition.field, [condition.value]);
		case 'in':
			return isOneOf(source, condition.field, condition.value);
		case 'neq':
			return not(isOneOf(source, condition.field, [condition.value]));
		case 'notin':
			return not(isOneOf(source, condition.field, condition.value));
		case 'lt':
		case 'lte':
		case 'gt':
		case 'gte':
			return compares(source, condition.operator, comparable(condition.field, condition.value));
	}
}

/** Source of values that differ from row to row. */
type VaryingSource = Exclude<FieldSource, Constant>;

type Comparison = 'lt' | 'lte' | 'gt' | 'gte';

function compares(
	source: VaryingSource,
	operator: Comparison,
	value: number | string | null,
): RowTest {
	if (value === null) return never;
	if ('text' in source) {
		return byCode(source.text, text => isOrdered(operator, compareText(text, String(value))));
	}
	const number = Number(value);
	const [low, high] = {
		lt: [-Infinity, nextBelow(number)] as const,
		lte: [-Infinity, number] as const,
		gt: [nextAbove(number), Infinity] as const,
		gte: [number, Infinity] as const,
	}[operator];
	if ('number' in source) return within(source.number, low, high);
	const {compute} = source;
	return (rows, count) =>
		keep(rows, count, row => {
			const found = compute(row);
			return found >= low && found <= high;
		});
}

function isOrdered(operator: Comparison, order: number): boolean {
	if (operator === 'lt') return order < 0;
	if (operator === 'lte') return order <= 0;
	return operator === 'gt' ? order > 0 : order >= 0;
}

function isOneOf(source: VaryingSource, field: OfferField, values: readonly Scalar[]): RowTest {
	const hasNull = values.includes(null);
	const known = values.filter(value => value !== null);
	if ('text' in source && source.type === 'numbers') return holdsAny(source, known, hasNull);
	if ('text' in source) return isText(source, known, hasNull);
	const wanted = new Set(known.map(value => comparable(field, value)));
	const [only] = wanted;
	if ('number' in source && wanted.size === 1 && !hasNull && typeof only === 'number') {
		return within(source.number, only, only);
	}
	const compute = 'number' in source ? (row: number) => source.number.get(row) : source.compute;
	return (rows, count) =>
		keep(rows, count, row => {
			const found = compute(row);
			return Number.isNaN(found) ? hasNull : wanted.has(found);
		});
}

type TextSource = Extract<FieldSource, {readonly text: TextColumn}>;

/** Test for texts. For places, two letters are a country, longer text is a place. */
function isText(
	{text, type, country}: TextSource,
	values: ReadonlyArray<string | number | boolean>,
	hasNull: boolean,
): RowTest {
	const isCountryName = (value: unknown) => country !== undefined && isCountry(String(value));
	const normals = (some: readonly unknown[]) =>
		some.map(value => String(normal(type, String(value))));
	const others = normals(values.filter(value => !isCountryName(value)));
	const countries = normals(values.filter(isCountryName));
	const codes = codesOf(text, others);
	const [only] = codes;
	if (country === undefined && !hasNull && codes.size <= 1) {
		return only === undefined ? never : within(text.codes, only, only);
	}
	const countryCodes = country === undefined ? new Set<number>() : codesOf(country, countries);
	return (rows, count) =>
		keep(rows, count, row => {
			const code = text.codes.get(row);
			if (Number.isNaN(code)) return hasNull;
			return codes.has(code) || (country !== undefined && countryCodes.has(country.codes.get(row)));
		});
}

/** Test for lists of numbers, of which there are few different ones. */
function holdsAny({text}: TextSource, wanted: readonly Scalar[], hasNull: boolean): RowTest {
	return byCode(text, list => wanted.some(number => holdsNumber(list, number)), hasNull);
}

function codesOf(column: TextColumn, texts: readonly string[]): ReadonlySet<number> {
	return new Set(texts.flatMap(text => column.codeOf(text) ?? []));
}

function comparable(field: OfferField, value: Scalar): number | string | null {
	const compared = normal(searchableOffers.fields[field], value);
	return typeof compared === 'boolean' ? Number(compared) : compared;
}

/** Test for a number in an inclusive range. */
function within(column: NumberColumn, low: number, high: number): RowTest {
	return (rows, count) => {
		// Read at each call, for a column may have moved to wider numbers.
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

/** Test for a number above another, or null. */
function isOpenAt(column: NumberColumn, now: number): RowTest {
	return (rows, count) => {
		const {values} = column;
		const [least, most] = column.bounds(-Infinity, now);
		let kept = 0;
		for (let index = 0; index < count; index++) {
			const row = rows[index] ?? 0;
			const value = values[row] ?? Number.NaN;
			if (!(value >= least && value <= most)) rows[kept++] = row;
		}
		return kept;
	};
}

function isKnown(column: NumberColumn): RowTest {
	return within(column, -Infinity, Infinity);
}

/** @param isNull True if null passes */
function byCode(column: TextColumn, passes: (text: string) => boolean, isNull = false): RowTest {
	const known: boolean[] = [];
	return (rows, count) => {
		while (known.length < column.texts.length) known.push(passes(column.texts[known.length] ?? ''));
		return keep(rows, count, row => known[column.codes.get(row)] ?? isNull);
	};
}

function keep(rows: Int32Array, count: number, passes: (row: number) => boolean): number {
	let kept = 0;
	for (let index = 0; index < count; index++) {
		const row = rows[index] ?? 0;
		if (passes(row)) rows[kept++] = row;
	}
	return kept;
}

/** Negation of a test that keeps the order of rows. */
function not(test: RowTest): RowTest {
	return (rows, count) => {
		const passed = rows.slice(0, count);
		const last = test(passed, count);
		let [next, kept] = [0, 0];
		for (let index = 0; index < count; index++) {
			const row = rows[index] ?? 0;
			if (next < last && passed[next] === row) next += 1;
			else rows[kept++] = row;
		}
		return kept;
	};
}

const never: RowTest = () => 0;

const always: RowTest = (_, count) => count;

const bits = new DataView(new ArrayBuffer(8));

/** The next larger number. */
function nextAbove(number: number): number {
	if (number === 0) return Number.MIN_VALUE;
	bits.setFloat64(0, number);
	bits.setBigInt64(0, bits.getBigInt64(0) + (number > 0 ? 1n : -1n));
	return bits.getFloat64(0);
}

function nextBelow(number: number): number {
	return -nextAbove(-number);
}

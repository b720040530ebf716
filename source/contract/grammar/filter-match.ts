/** Evaluates filters and orders in memory, exactly as the market's database does. */
import type {Condition, Fields, FieldType, Filter, Scalar} from './filter.ts';

/** Reads a search field of a record; undefined and null both mean "not known". */
export type ValueOf<Row> = (row: Row, field: string) => Scalar | undefined;

type Compared = number | string | null;

export function matches<Row>(
	{fields}: {readonly fields: Fields},
	filter: Filter,
	row: Row,
	valueOf: ValueOf<Row>,
): boolean {
	return filter.every(condition => {
		const type = fields[condition.field] ?? 'text';
		return testOfCondition(type, condition)(normal(type, valueOf(row, condition.field)));
	});
}

type Test = (found: Compared) => boolean;

export function testOfCondition(type: FieldType, {operator, value}: Condition): Test {
	switch (operator) {
		case 'eq':
			return isOneOf(type, [value]);
		case 'neq':
			return not(isOneOf(type, [value]));
		case 'in':
			return isOneOf(type, value);
		case 'notin':
			return not(isOneOf(type, value));
		case 'lt':
			return isOrdered(type, value, order => order < 0);
		case 'lte':
			return isOrdered(type, value, order => order <= 0);
		case 'gt':
			return isOrdered(type, value, order => order > 0);
		case 'gte':
			return isOrdered(type, value, order => order >= 0);
	}
}

function not(test: Test): Test {
	return found => !test(found);
}

function isOneOf(type: FieldType, values: readonly Scalar[]): Test {
	if (type === 'numbers') return found => values.some(wanted => holdsNumber(found, wanted));
	const isOfCountry = (value: Scalar) => type === 'place' && isCountry(String(value));
	const normals = (some: readonly Scalar[]) => new Set(some.map(value => normal(type, value)));
	const others = normals(values.filter(value => !isOfCountry(value)));
	const countries = normals(values.filter(isOfCountry));
	if (countries.size === 0) return found => others.has(found);
	return found => others.has(found) || countries.has(countryOf(String(found)));
}

/** True if a list in JSON contains a number; null matches only a missing list. */
function holdsNumber(list: Compared, wanted: Scalar): boolean {
	if (list === null || wanted === null) return list === wanted;
	const numbers: unknown = JSON.parse(String(list));
	return Array.isArray(numbers) && numbers.includes(wanted);
}

function isOrdered(type: FieldType, value: Scalar, isMet: (order: number) => boolean): Test {
	const wanted = normal(type, value);
	if (wanted === null) return () => false;
	return found => found !== null && isMet(compareValues(found, wanted));
}

/** A value in its compared form: flags are numbers. */
export function normal(type: FieldType, value: Scalar | undefined): Compared {
	if (value === undefined || value === null) return null;
	if (type === 'name') return lower(String(value)).replaceAll(/[_-]/g, ' ');
	if (type === 'text' || type === 'place') return lower(String(value));
	return typeof value === 'boolean' ? Number(value) : value;
}

/** True for two letters, which name a country: "US" is any location whose text ends in ", US". */
export function isCountry(value: string): boolean {
	return /^[a-z]{2}$/i.test(value);
}

/** The country at the end of a location, in lower case; null without one. */
export function countryOf(place: string): string | null {
	const code = /(?:^|,)\s*([a-z]{2})\s*$/i.exec(place)?.[1];
	return code === undefined ? null : lower(code);
}

/** Orders two known values of one type; text by code points, as a database does. */
export function compareValues(a: Compared, b: Compared): number {
	if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
	const [left, right] = [Number(a), Number(b)];
	return left < right ? -1 : Number(left > right);
}

/** Lower case only for the letters A to Z, the rule that all databases share. */
export function lower(text: string): string {
	return text.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
}

export function compareText(a: string, b: string): number {
	if (a === b) return 0;
	const length = Math.min(a.length, b.length);
	let index = 0;
	while (index < length && a[index] === b[index]) index++;
	if (index === length) return a.length - b.length;
	// Code units order like code points, except that surrogates come before U+E000 to U+FFFF.
	return codeRank(a.charCodeAt(index)) - codeRank(b.charCodeAt(index));
}

function codeRank(unit: number): number {
	return unit >= 0xd8_00 && unit <= 0xdf_ff ? unit + 0x1_00_00 : unit;
}

type Direction = 'asc' | 'desc';
export type Order<Field extends string = string> = ReadonlyArray<
	readonly [field: Field, direction: Direction]
>;

/** Evaluates filters and orders in memory, exactly as the market's database does. */
import type {Condition, Fields, FieldType, Filter, Scalar, ValueOperator} from './filter.ts';

/** Reads a search field of a record; undefined and null both mean "not known". */
export type ValueOf<Row> = (row: Row, field: string) => Scalar | undefined;

/** True if a row satisfies every condition of a filter. */
export function matches<Row>(
	{fields}: {readonly fields: Fields},
	filter: Filter,
	row: Row,
	valueOf: ValueOf<Row>,
): boolean {
	return filter.every(condition =>
		holds(fields[condition.field] ?? 'text', condition, valueOf(row, condition.field)),
	);
}

function holds(type: FieldType, condition: Condition, found: Scalar | undefined): boolean {
	switch (condition.operator) {
		case 'eq':
			return equals(type, found, condition.value);
		case 'neq':
			return !equals(type, found, condition.value);
		case 'in':
			return condition.value.some(item => equals(type, found, item));
		case 'notin':
			return !condition.value.some(item => equals(type, found, item));
		case 'lt':
		case 'lte':
		case 'gt':
		case 'gte':
			return isOrdered(condition.operator, normal(type, found), normal(type, condition.value));
	}
}

function equals(type: FieldType, found: Scalar | undefined, wanted: Scalar): boolean {
	if (type === 'numbers') return holdsNumber(normal(type, found), wanted);
	if (type !== 'place' || typeof wanted !== 'string' || typeof found !== 'string') {
		return normal(type, found) === normal(type, wanted);
	}
	return isCountry(wanted)
		? countryOf(found) === lower(wanted)
		: normal(type, found) === normal(type, wanted);
}

/** True if a list that is written as JSON has a number; null matches only a missing list. */
export function holdsNumber(list: Scalar, wanted: Scalar): boolean {
	if (list === null || wanted === null) return list === wanted;
	const numbers: unknown = JSON.parse(String(list));
	return Array.isArray(numbers) && numbers.includes(wanted);
}

type Comparison = Exclude<ValueOperator, 'eq' | 'neq'>;

function isOrdered(operator: Comparison, found: Scalar, wanted: Scalar): boolean {
	if (found === null || wanted === null) return false;
	const order = compareValues(found, wanted);
	switch (operator) {
		case 'lt':
			return order < 0;
		case 'lte':
			return order <= 0;
		case 'gt':
			return order > 0;
		case 'gte':
			return order >= 0;
	}
}

/** The form in which values of a field are compared. */
export function normal(type: FieldType, value: Scalar | undefined): Scalar {
	if (value === undefined || value === null) return null;
	if (type === 'name') return lower(String(value)).replaceAll(/[_-]/g, ' ');
	if (type === 'text' || type === 'place') return lower(String(value));
	return value;
}

/** Two letters name a country: "US" is any place whose text ends in ", US". */
export function isCountry(value: string): boolean {
	return /^[a-z]{2}$/i.test(value);
}

/** The country at the end of a place, in lower case; null without one. */
export function countryOf(place: string): string | null {
	const code = /(?:^|,)\s*([a-z]{2})\s*$/i.exec(place)?.[1];
	return code === undefined ? null : lower(code);
}

/** Orders two known values of one type; text by code points, as a database does. */
export function compareValues(a: Scalar, b: Scalar): number {
	if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
	const [left, right] = [Number(a), Number(b)];
	return left < right ? -1 : Number(left > right);
}

/** Lower case for the letters A to Z alone, which is what databases agree on. */
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

export type Direction = 'asc' | 'desc';
export type Order<Field extends string = string> = ReadonlyArray<
	readonly [field: Field, direction: Direction]
>;

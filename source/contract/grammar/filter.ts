/**
 * The grammar of searches on the wire:
 *
 * {"gpu_name": {"eq": "RTX 4090"}, "num_gpus": {"gte": 2, "lte": 4}}
 *
 * A field maps operators to values; all conditions must hold. Existing clients send numbers and
 * booleans as strings, so values are read by the type of their field.
 */
import {isRecord} from './json.ts';

const valueOperators = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte'] as const;
const listOperators = ['in', 'notin'] as const;
export type ValueOperator = (typeof valueOperators)[number];
export type ListOperator = (typeof listOperators)[number];
export type Operator = ValueOperator | ListOperator;

export const operators: readonly Operator[] = [...valueOperators, ...listOperators];

/** Spellings of an operator that some clients send. */
const operatorAliases: ReadonlyMap<string, Operator> = new Map([
	['nin', 'notin'],
	['not in', 'notin'],
]);

/**
 * Types of field values, which decide how they are read and compared.
 * - `number`: JSON numbers, or numeric strings
 * - `boolean`: true, false, their names, 0 and 1
 * - `flag`: a number, also written as a boolean
 * - `text`: compared without regard to case
 * - `name`: text in which `_` and `-` count as spaces: "RTX_4090" is "RTX 4090"
 * - `version`: "535.86.05", or that packed into one integer, 535086005
 * - `place`: "Washington, US"; two letters compare with the country at its end
 * - `numbers`: a list, written as JSON; it is compared with one number that it may hold
 */
export type FieldType =
	| 'number'
	| 'boolean'
	| 'flag'
	| 'text'
	| 'name'
	| 'version'
	| 'place'
	| 'numbers';

export type Fields = Readonly<Record<string, FieldType>>;

export type Scalar = number | boolean | string | null;

/** A condition on one field; its value is already parsed by the field's type. */
export type Condition<Field extends string = string> =
	| {readonly field: Field; readonly operator: ValueOperator; readonly value: Scalar}
	| {readonly field: Field; readonly operator: ListOperator; readonly value: readonly Scalar[]};

/** Conditions that must all hold. */
export type Filter<Field extends string = string> = ReadonlyArray<Condition<Field>>;

/** Error for an invalid search; the message names the field or operator. */
export class FilterError extends Error {
	override readonly name = 'FilterError';
}

/** Alias of a field, with a factor for its values. */
export type FieldAlias<Field extends string> = {readonly field: Field; readonly times?: number};

export type Vocabulary<Table extends Fields> = {
	readonly fields: Table;
	readonly aliases?: Readonly<Record<string, FieldAlias<keyof Table & string>>>;
};

export function parseFilter<Table extends Fields>(
	vocabulary: Vocabulary<Table>,
	input: Readonly<Record<string, unknown>>,
): Filter<keyof Table & string> {
	const seen = new Set<string>();
	return Object.entries(input).flatMap(([name, tests]) => {
		const target = resolve(vocabulary, name);
		// Null in place of a whole part of a body means "not given".
		if (tests === null) return [];
		const entries = isRecord(tests) ? Object.entries(tests) : [['eq', tests] as const];
		return entries.flatMap(([word, value]) => {
			const operator = readOperator(word);
			if (operator === 'eq' && value === ANYTHING) return [];
			const key = `${target.field} ${operator}`;
			if (seen.has(key)) throw new FilterError(`${key} is given twice`);
			seen.add(key);
			return readCondition(vocabulary.fields, target, operator, value);
		});
	});
}

/** Value with which clients that always name a field match anything. */
const ANYTHING = 'any';

function resolve<Table extends Fields>(
	{fields, aliases}: Vocabulary<Table>,
	name: string,
): FieldAlias<keyof Table & string> {
	const alias = aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined;
	if (alias !== undefined) return alias;
	if (isFieldOf(fields, name)) return {field: name};
	throw unknownField(name);
}

/** Error for a field that no record has, in the words of existing services. */
export function unknownField(name: string): FilterError {
	return queryError(`${name} is not a valid search key`);
}

/** Error for a part of a query, in the words of existing services. */
export function queryError(why: string, options?: ErrorOptions): FilterError {
	return new FilterError(`${QUERY_ERROR}${why}`, options);
}

export const QUERY_ERROR = 'Error in query parameters: ';

/** Writes a filter for the wire. Reading it again yields an equivalent filter. */
export function printFilter(filter: Filter): Record<string, Record<string, unknown>> {
	const printed: Record<string, Record<string, unknown>> = {};
	for (const {field, operator, value} of filter) {
		const isWord = operator === 'eq' && value === ANYTHING;
		(printed[field] ??= {})[isWord ? 'in' : operator] = isWord ? [value] : value;
	}
	return printed;
}

export function isFieldOf<Table extends Fields>(
	fields: Table,
	field: string,
): field is keyof Table & string {
	return Object.hasOwn(fields, field);
}

function readOperator(word: string): Operator {
	const operator = operatorAliases.get(word) ?? operators.find(known => known === word);
	if (operator === undefined) throw new FilterError(`${word} is not a valid search op`);
	return operator;
}

export const MOST_VALUES = 1000;

function readCondition<Table extends Fields>(
	fields: Table,
	{field, times = 1}: FieldAlias<keyof Table & string>,
	operator: Operator,
	value: unknown,
): Condition<keyof Table & string> {
	const type = fields[field] ?? 'text';
	const read = (item: unknown) => readValue(field, type, item, times);
	if (operator !== 'in' && operator !== 'notin') {
		const isOrdering = operator !== 'eq' && operator !== 'neq';
		if (isOrdering && type === 'numbers') {
			throw new FilterError(`${field} takes eq, neq, in and notin`);
		}
		return {field, operator, value: read(value)};
	}
	const values: readonly unknown[] = Array.isArray(value) ? value : [value];
	if (values.length > MOST_VALUES) {
		throw new FilterError(`${field}: ${operator} takes at most ${MOST_VALUES} values`);
	}
	return {field, operator, value: values.map(read)};
}

function readValue(field: string, type: FieldType, value: unknown, times: number): Scalar {
	if (value === null) return null;
	const read = readers[type](value);
	const scaled = typeof read === 'number' ? read * times : read;
	if (scaled !== undefined && scaled !== Infinity && scaled !== -Infinity) return scaled;
	const got = JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
	throw new FilterError(`${field}: expected ${expectations[type]}, got ${got}`);
}

const expectations: Readonly<Record<FieldType, string>> = {
	number: 'a number',
	boolean: 'true or false',
	flag: 'a number, or true or false',
	text: 'text',
	name: 'text',
	version: 'a version like 535.86.05',
	place: 'a place like "US" or "Washington, US"',
	numbers: 'a number',
};

const readers: Readonly<Record<FieldType, (value: unknown) => Scalar | undefined>> = {
	number: readNumber,
	boolean: readBoolean,
	flag: readFlag,
	text: readText,
	name: readText,
	version: readVersion,
	place: readText,
	numbers: readNumber,
};

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
	[true, true],
	['true', true],
	[1, true],
	['1', true],
	[false, false],
	['false', false],
	[0, false],
	['0', false],
]);

/** True or false, also by name or as 1 and 0. */
export function readBoolean(value: unknown): boolean | undefined {
	return booleans.get(typeof value === 'string' ? value.toLowerCase() : value);
}

function readFlag(value: unknown): number | undefined {
	const flag = readNumber(value) ?? readBoolean(value);
	return flag === undefined ? undefined : Number(flag);
}

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The longest text that is read as a number. */
const LONGEST_NUMBER = 64;

/** A finite number, even if written as a string; nothing else that `Number` would accept. */
export function readNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
	if (typeof value !== 'string' || value.length > LONGEST_NUMBER) return undefined;
	if (!numeric.test(value.trim())) return undefined;
	const number = Number(value);
	return Number.isFinite(number) ? number : undefined;
}

/**
 * Text that a database can compare with: no record contains NUL or a lone surrogate, both of which
 * JSON can carry.
 */
export function comparable(text: string): string {
	return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function readText(value: unknown): string | undefined {
	if (typeof value === 'string') return comparable(value);
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

const dotted = /^\d{1,3}(?:\.\d{1,3}){1,2}$/;

/**
 * Reads a version as an integer, three digits per part: 535.86.05 is 535086005, 535 is 535000000.
 */
export function readVersion(value: unknown): number | undefined {
	const text = readText(value)?.trim();
	if (text === undefined || text.length > LONGEST_NUMBER) return undefined;
	if (dotted.test(text)) {
		const [major = '0', minor = '0', patch = '0'] = text.split('.');
		return Number(major) * 1_000_000 + Number(minor) * 1000 + Number(patch);
	}
	if (!/^\d{1,9}$/.test(text)) return undefined;
	const packed = Number(text);
	return packed < 1000 ? packed * 1_000_000 : packed;
}

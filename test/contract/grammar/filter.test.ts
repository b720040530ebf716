import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {
	FilterError,
	operators,
	parseFilter,
	printFilter,
	readNumber,
	type FieldType,
	type Vocabulary,
} from '../../../source/contract/grammar/filter.ts';
import {least, runs} from '../../helpers/property.ts';

const fields = {
	gpus: 'number',
	verified: 'boolean',
	maker: 'text',
	gpu: 'name',
	driver: 'version',
	place: 'place',
	avx: 'flag',
	slots: 'numbers',
} as const satisfies Record<string, FieldType>;

const vocabulary: Vocabulary<typeof fields> = {
	fields,
	aliases: {cards: {field: 'gpus'}, kilo_gpus: {field: 'gpus', times: 1000}},
};

function parse(input: Readonly<Record<string, unknown>>) {
	return parseFilter(vocabulary, input);
}

/** The value that a field has been given, as it is read. */
function read(field: string, value: unknown): unknown {
	return parse({[field]: {eq: value}})[0]?.value;
}

test.each<readonly [field: string, given: unknown, read: unknown]>([
	['gpus', 2, 2],
	['gpus', '2', 2],
	['gpus', ' 2.50 ', 2.5],
	['gpus', '-1e3', -1000],
	['gpus', '.5', 0.5],
	['gpus', null, null],
	['verified', true, true],
	['verified', 'true', true],
	['verified', 'True', true],
	['verified', '1', true],
	['verified', 1, true],
	['verified', false, false],
	['verified', 'FALSE', false],
	['verified', 0, false],
	['verified', null, null],
	['maker', 'Acme', 'Acme'],
	['maker', 12, '12'],
	['maker', 'half \ud83d of it', 'half \ufffd of it'],
	['maker', 'a\0b', 'a\ufffdb'],
	['maker', null, null],
	['gpu', 'RTX_4090', 'RTX_4090'],
	['driver', '535.86.05', 535_086_005],
	['driver', '535.86', 535_086_000],
	['driver', '535', 535_000_000],
	['driver', 535, 535_000_000],
	['driver', '535086005', 535_086_005],
	['driver', 535_086_005, 535_086_005],
	['place', 'US', 'US'],
	['avx', true, 1],
	['avx', 'False', 0],
	['avx', '2', 2],
	['slots', '3', 3],
	['kilo_gpus', '1.5', 1500],
	['kilo_gpus', null, null],
	['cards', 3, 3],
])('%s takes %j for %j', (field, given, expected) => {
	expect(read(field, given)).toBe(expected);
});

test.each<readonly [field: string, given: unknown, message: string]>([
	['gpus', 'two', 'gpus: expected a number, got "two"'],
	['gpus', '', 'gpus: expected a number, got ""'],
	['gpus', '0x10', 'gpus: expected a number, got "0x10"'],
	['gpus', 'Infinity', 'gpus: expected a number, got "Infinity"'],
	['gpus', '1e999', 'gpus: expected a number, got "1e999"'],
	['gpus', true, 'gpus: expected a number, got true'],
	['gpus', [1], 'gpus: expected a number, got [1]'],
	['kilo_gpus', 1e306, 'gpus: expected a number, got 1e+306'],
	['verified', 'yes', 'verified: expected true or false, got "yes"'],
	['verified', 2, 'verified: expected true or false, got 2'],
	['maker', true, 'maker: expected text, got true'],
	['maker', {a: 1}, 'maker: expected text, got {"a":1}'],
	['driver', '5.5.5.5', 'driver: expected a version like 535.86.05, got "5.5.5.5"'],
	['driver', -1, 'driver: expected a version like 535.86.05, got -1'],
	['place', false, 'place: expected a place like "US" or "Washington, US", got false'],
])('%s does not take %s', (field, given, message) => {
	expect(() => read(field, given)).toThrow(new FilterError(message));
});

test('several operators on one field all count', () => {
	expect(parse({gpus: {gte: 1, gt: '50'}, verified: {eq: true}})).toEqual([
		{field: 'gpus', operator: 'gte', value: 1},
		{field: 'gpus', operator: 'gt', value: 50},
		{field: 'verified', operator: 'eq', value: true},
	]);
});

test('a value without an operator means that it is equal, and a bare null means nothing', () => {
	expect(parse({gpus: '2', verified: false, maker: null})).toEqual([
		{field: 'gpus', operator: 'eq', value: 2},
		{field: 'verified', operator: 'eq', value: false},
	]);
});

test.each(Object.keys(fields))(
	'any %s is no condition, and leaves the others as they are',
	field => {
		expect(parse({[field]: {eq: 'any', neq: null}})).toEqual([
			{field, operator: 'neq', value: null},
		]);
		expect(parse({[field]: 'any'})).toEqual([]);
	},
);

test('one value is a list of one where a list is wanted', () => {
	expect(parse({gpus: {in: '2', notin: 3}})).toEqual([
		{field: 'gpus', operator: 'in', value: [2]},
		{field: 'gpus', operator: 'notin', value: [3]},
	]);
});

test.each(['notin', 'nin', 'not in'])('%s names the values that are not wanted', operator => {
	expect(parse({gpus: {[operator]: ['1', 2, null]}})).toEqual([
		{field: 'gpus', operator: 'notin', value: [1, 2, null]},
	]);
});

test.each<readonly [input: Readonly<Record<string, unknown>>, message: string]>([
	[{nonsense: {eq: 1}}, 'Error in query parameters: nonsense is not a valid search key'],
	[{constructor: {eq: 1}}, 'Error in query parameters: constructor is not a valid search key'],
	[{['__proto__']: {eq: 1}}, 'Error in query parameters: __proto__ is not a valid search key'],
	[{gpus: {like: 1}}, 'like is not a valid search op'],
	[{gpus: {toString: 1}}, 'toString is not a valid search op'],
	[{slots: {gte: 1}}, 'slots takes eq, neq, in and notin'],
	[{gpus: {eq: 1}, cards: {eq: 2}}, 'gpus eq is given twice'],
	[{gpus: {nin: [1], notin: [2]}}, 'gpus notin is given twice'],
])('%j is refused by name', (input, message) => {
	expect(() => parse(input)).toThrow(new FilterError(message));
});

// JSON writes -0 as 0.
const finite = fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0);

const values: Readonly<Record<FieldType, fc.Arbitrary<unknown>>> = {
	number: fc.oneof(finite, fc.integer().map(String)),
	boolean: fc.constantFrom(true, false, 'true', 'False', 0, 1, '0', '1'),
	text: fc.oneof(fc.string({unit: 'binary'}), fc.integer()),
	name: fc.constantFrom('RTX 4090', 'RTX_4090', 'Max-Q'),
	version: fc.constantFrom('535.86.05', '550', 570, 570_086_015, '580.1'),
	place: fc.constantFrom('US', ', US', 'Texas, US'),
	flag: fc.constantFrom(0, 1, 2, true, 'false'),
	numbers: fc.nat(),
};

const filter = fc
	.uniqueArray(
		fc.constantFrom(...Object.entries(fields)).chain(([field, type]) => {
			const value = fc.option(values[type]);
			const some = type === 'numbers' ? (['eq', 'neq', 'in', 'notin'] as const) : operators;
			return fc.constantFrom(...some).chain(operator =>
				fc.record({
					field: fc.constant(field),
					operator: fc.constant(operator),
					value: operator === 'in' || operator === 'notin' ? fc.array(value) : value,
				}),
			);
		}),
		{selector: ({field, operator}) => `${field} ${operator}`},
	)
	.map(tests => {
		const input: Record<string, Record<string, unknown>> = {};
		for (const {field, operator, value} of tests) (input[field] ??= {})[operator] = value;
		return input;
	});

function overTheWire(sent: Readonly<Record<string, unknown>>): typeof sent {
	return z.parse(z.record(z.string(), z.unknown()), JSON.parse(JSON.stringify(sent)));
}

test('a filter that is written and read again is the same', () => {
	fc.assert(
		fc.property(filter, input => {
			const parsed = parse(input);
			expect(parse(overTheWire(printFilter(parsed)))).toEqual(parsed);
		}),
	);
});

test('the text "any" can be asked for, by a list of it', () => {
	const wanted = [{field: 'maker', operator: 'eq', value: 'any'}] as const;
	expect(parse(overTheWire(printFilter(wanted)))).toEqual([
		{field: 'maker', operator: 'in', value: ['any']},
	]);
});

test('whatever is sent is read as a filter, or refused as one', () => {
	const input = fc.dictionary(
		fc.oneof(fc.constantFrom(...Object.keys(fields), 'cards', '__proto__'), fc.string()),
		fc.oneof(
			fc.jsonValue(),
			fc.dictionary(fc.oneof(fc.constantFrom(...operators, 'nin'), fc.string()), fc.jsonValue()),
		),
	);
	let refused = 0;
	fc.assert(
		fc.property(input, sent => {
			try {
				parse(sent);
			} catch (error) {
				if (!(error instanceof FilterError)) throw error;
				refused++;
			}
		}),
		{numRuns: runs(500)},
	);
	expect(refused).toBeGreaterThanOrEqual(least(100));
});

test('a value that is nested without end is refused, not choked on', () => {
	const deep: unknown = JSON.parse('['.repeat(450_000) + ']'.repeat(450_000));
	expect(() => parse({gpus: {eq: deep}})).toThrow(FilterError);
});

test('a number has at most 64 characters', () => {
	expect(readNumber(`${'0'.repeat(63)}1`)).toBe(1);
	expect(readNumber(`${'0'.repeat(64)}1`)).toBeUndefined();
	expect(readNumber('1'.repeat(900_000))).toBeUndefined();
	expect([readNumber('1.'), readNumber('.5'), readNumber('1.5e3'), readNumber('.')]).toEqual([
		1,
		0.5,
		1500,
		undefined,
	]);
});

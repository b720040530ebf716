import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {isFieldOf, operators} from '../../../source/contract/grammar/filter.ts';
import {
	anyInstances,
	searchableInstances,
	parseInstanceQuery,
	printInstanceQuery,
	type InstanceField,
} from '../../../source/contract/nouns/instances.ts';

const numbers = ['id', 'disk_space', 'gpu_ram'] as const satisfies readonly InstanceField[];
const orderFields = Object.keys(searchableInstances.orderFields).filter(name =>
	isFieldOf(searchableInstances.orderFields, name),
);

const condition = fc
	.tuple(fc.constantFrom(...numbers), fc.constantFrom(...operators), fc.nat(9))
	.map(([field, operator, value]) =>
		operator === 'in' || operator === 'notin'
			? {field, operator, value: [value, null]}
			: {field, operator, value},
	);

const query = fc.record({
	filter: fc.uniqueArray(condition, {
		selector: ({field, operator}) => `${field} ${operator}`,
		maxLength: 4,
	}),
	order: fc.array(fc.tuple(fc.constantFrom(...orderFields), fc.constantFrom('asc', 'desc'))),
	columns: fc.option(fc.array(fc.string().filter(name => name !== '*')), {nil: undefined}),
	limit: fc.integer({min: 1, max: 25}),
	after: fc.option(fc.string({minLength: 1}), {nil: undefined}),
});

test('a query that is written and read again is the same', () => {
	fc.assert(
		fc.property(query, wanted => {
			const read = parseInstanceQuery(printInstanceQuery(wanted));
			expect({...read, filter: new Set(read.filter)}).toEqual({
				...wanted,
				filter: new Set(wanted.filter),
			});
		}),
	);
});

test('a query of nothing asks for the first 25 of all', () => {
	expect(parseInstanceQuery({})).toEqual(anyInstances);
	expect(parseInstanceQuery({owner: 'me', limit: '', after_token: '', order_by: ''})).toEqual(
		anyInstances,
	);
});

test.each([
	['25', 25],
	['26', 25],
	['7', 7],
	['0', 5],
	['-3', 5],
	['1e3', 25],
])('a limit of %s is one of %i', (limit, read) => {
	expect(parseInstanceQuery({limit}).limit).toBe(read);
});

test.each([
	[{limit: 'x'}, 'Error in query parameters: limit takes a whole number'],
	[{limit: '1.5'}, 'Error in query parameters: limit takes a whole number'],
	[{limit: 'NaN'}, 'Error in query parameters: limit takes a whole number'],
	[{select_filters: '{'}, 'Error in query parameters: select_filters is not valid JSON.'],
	[{select_filters: '[]'}, 'select_filters must be a JSON object.'],
	[{select_filters: '{"id":{"like":1}}'}, 'like is not a valid search op'],
	[
		{select_filters: '{"nope":{"eq":1}}'},
		'Error in query parameters: nope is not a valid search key',
	],
	[
		{select_filters: '{"dph_total":{"lt":1}}'},
		'Error in query parameters: dph_total is not a valid search key',
	],
	[
		{select_filters: '{"num_gpus":{"gt":1}}'},
		'Error in query parameters: num_gpus is not a valid search key',
	],
	[
		{select_filters: '{"duration":{"gt":1}}'},
		'Error in query parameters: duration is not a valid search key',
	],
	[
		{select_filters: '{"toString":{"eq":1}}'},
		'Error in query parameters: toString is not a valid search key',
	],
	[{order_by: '{}'}, 'order_by takes a list of {col, dir}'],
	[
		{order_by: '[{"col":"ports"}]'},
		'Error in query parameters: order_by: "ports" is not a valid search key',
	],
	[{order_by: '[{}]'}, 'Error in query parameters: order_by: nothing is not a valid search key'],
	[{order_by: '[1]'}, 'Error in query parameters: order_by: nothing is not a valid search key'],
	[{select_cols: '"id"'}, 'select_cols takes a list of names'],
	[{select_cols: '[1]'}, 'select_cols takes a list of names'],
])('%j is not understood, and why is said', (sent, message) => {
	expect(() => parseInstanceQuery(sent)).toThrow(message);
});

test('an order takes computed fields, and any direction but desc is asc', () => {
	const order = [{col: 'dph_total', dir: 'desc'}, {col: 'num_gpus', dir: 'up'}, {col: 'id'}];
	expect(parseInstanceQuery({order_by: JSON.stringify(order)}).order).toEqual([
		['dph_total', 'desc'],
		['num_gpus', 'asc'],
		['id', 'asc'],
	]);
});

test('null among the labels means those without one, and * means all fields', () => {
	const select_filters = '{"label":{"in":[null,"x"]}}';
	const {filter, columns} = parseInstanceQuery({select_filters, select_cols: '["id","*"]'});
	expect(filter).toEqual([{field: 'label', operator: 'in', value: [null, 'x']}]);
	expect(columns).toBeUndefined();
});

test('whatever can be filtered by can be sorted by', () => {
	expect(searchableInstances.orderFields).toMatchObject(searchableInstances.fields);
});

import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {FilterError, operators} from '../../../source/contract/grammar/filter.ts';
import {
	anyTemplates,
	parseTemplateSearch,
	printTemplateSearch,
	searchableTemplates,
} from '../../../source/contract/nouns/template-search.ts';

const parse = (filters: unknown) => parseTemplateSearch({select_filters: JSON.stringify(filters)});

test('a query without a search asks for nothing in particular', () => {
	for (const query of [{}, {select_filters: ''}, {select_filters: '{}', api_key: 'x', more: '1'}]) {
		expect(parseTemplateSearch(query)).toEqual(anyTemplates);
	}
	const nothing = {select_filters: '{}', select_cols: '["*"]', order_by: 'null'};
	expect(parseTemplateSearch(nothing)).toEqual(anyTemplates);
});

test('values are read by their fields, as the official command line writes them', () => {
	expect(
		parse({count_created: {gt: '5'}, use_ssh: {eq: 'true'}, creator_id: {in: ['1', 2]}}),
	).toMatchObject({
		filter: [
			{field: 'count_created', operator: 'gt', value: 5},
			{field: 'use_ssh', operator: 'eq', value: true},
			{field: 'creator_id', operator: 'in', value: [1, 2]},
		],
	});
});

test('private is null for what everybody may see', () => {
	expect(parse({private: {eq: null, in: [null, true]}, id: {eq: null}}).filter).toEqual([
		{field: 'private', operator: 'eq', value: false},
		{field: 'private', operator: 'in', value: [false, true]},
		{field: 'id', operator: 'eq', value: null},
	]);
});

test('an order is read in every form', () => {
	const order = [
		['name', 'asc'],
		['id', 'desc'],
	];
	const objects = [
		{col: 'name', dir: 'up'},
		{col: 'id', dir: 'desc'},
	];
	expect(parseTemplateSearch({order_by: 'name'}).order).toEqual([['name', 'asc']]);
	expect(parseTemplateSearch({order_by: '-id'}).order).toEqual([['id', 'desc']]);
	for (const written of [order, objects]) {
		expect(parseTemplateSearch({order_by: JSON.stringify(written)}).order).toEqual(order);
	}
});

test.each<readonly [query: Readonly<Record<string, string>>, problem: string]>([
	[{select_filters: '{'}, 'Error in query parameters: select_filters is not valid JSON.'],
	[{select_filters: '[]'}, 'select_filters must be a JSON object.'],
	[{select_filters: '{"x": {"eq": 1}}'}, 'Error in query parameters: x is not a valid search key'],
	[
		{select_filters: '{"readme": {"eq": "x"}}'},
		'Error in query parameters: readme is not a valid search key',
	],
	[{select_filters: '{"id": {"like": 1}}'}, 'like is not a valid search op'],
	[{select_filters: '{"use_ssh": {"eq": "x"}}'}, 'use_ssh: expected true or false, got "x"'],
	[{order_by: '{'}, 'Error in query parameters: order_by is not valid JSON.'],
	[{order_by: '"id"'}, 'order_by takes a list of {col, dir}'],
	[
		{order_by: '[{"col": "x"}]'},
		'Error in query parameters: order_by: "x" is not a valid search key',
	],
	[{order_by: '[3]'}, 'Error in query parameters: order_by: nothing is not a valid search key'],
	[{select_cols: '["id", 3]'}, 'select_cols takes a list of names'],
])('%j is refused by name', (query, problem) => {
	expect(() => parseTemplateSearch(query)).toThrow(new FilterError(problem));
});

const search = fc.record({
	filter: fc
		.uniqueArray(
			fc.record({
				field: fc.constantFrom(...Object.keys(searchableTemplates.fields)),
				operator: fc.constantFrom(...operators),
			}),
			{selector: ({field, operator}) => `${field} ${operator}`, maxLength: 4},
		)
		.map(list =>
			list.map(({field, operator}) => {
				const value = field === 'private' ? true : null;
				return operator.endsWith('in')
					? {field, operator, value: [value]}
					: {field, operator, value};
			}),
		),
	order: fc.array(fc.tuple(fc.constantFrom('id', 'name'), fc.constantFrom('asc', 'desc'))),
	columns: fc.option(fc.array(fc.constantFrom('id', 'env')), {nil: undefined}),
});

test('what is written reads as the same search', () => {
	fc.assert(
		fc.property(search, wanted => {
			const query = printTemplateSearch(
				parseTemplateSearch({
					select_filters: JSON.stringify(
						Object.fromEntries(
							wanted.filter.map(({field, operator, value}) => [field, {[operator]: value}]),
						),
					),
					order_by: JSON.stringify(wanted.order),
					...(wanted.columns && {select_cols: JSON.stringify(wanted.columns)}),
				}),
			);
			const read = parseTemplateSearch(query);
			expect(printTemplateSearch(read)).toEqual(query);
			expect(read.order).toEqual(wanted.order);
			expect(read.columns).toEqual(wanted.columns);
		}),
	);
});

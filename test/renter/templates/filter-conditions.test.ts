import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Condition, Scalar, ValueOperator} from '../../../source/contract/grammar/filter.ts';
import {searchableTemplates} from '../../../source/contract/nouns/template-search.ts';
import {
	parseConditions,
	printConditions,
} from '../../../source/renter/templates/filter-conditions.ts';
import {runs} from '../../helpers/property.ts';

const read = (line: string) => parseConditions(searchableTemplates.fields, line);

test.each([
	['image=vastai/pytorch', {field: 'image', operator: 'eq', value: 'vastai/pytorch'}],
	['name!="a b"', {field: 'name', operator: 'neq', value: 'a b'}],
	['count_created<5', {field: 'count_created', operator: 'lt', value: 5}],
	['count_created <= 5', {field: 'count_created', operator: 'lte', value: 5}],
	['count_created>5', {field: 'count_created', operator: 'gt', value: 5}],
	['recommended_disk_space>=8.5', {field: 'recommended_disk_space', operator: 'gte', value: 8.5}],
	['id=1,2', {field: 'id', operator: 'in', value: [1, 2]}],
	['id in 1,2', {field: 'id', operator: 'in', value: [1, 2]}],
	['tag!=a,b', {field: 'tag', operator: 'notin', value: ['a', 'b']}],
	['tag notin a', {field: 'tag', operator: 'notin', value: ['a']}],
	['recommended', {field: 'recommended', operator: 'eq', value: true}],
	['!private', {field: 'private', operator: 'eq', value: false}],
	['use_ssh=no', {field: 'use_ssh', operator: 'eq', value: false}],
	['created_at>=2026-11-21', {field: 'created_at', operator: 'gte', value: 1_795_219_200}],
])('%s is a condition', (line, condition) => {
	expect(read(line)).toEqual({filter: [condition], texts: [], problem: undefined});
});

test('words without a field are looked for in what is there', () => {
	expect(read('torch recommended "cuda 12"').texts).toEqual(['torch', 'cuda 12']);
});

test.each([
	['speed>3', 'speed>3: speed is not a field'],
	['count_created>many', 'count_created>many: count_created: expected a number, got "many"'],
	['name!=a name!=b', 'name!=b: this was asked for already; a list is written a,b'],
])('%s is refused with one sentence', (line, problem) => {
	expect(read(line).problem).toBe(problem);
});

const word = fc.stringMatching(/^[\w .,/:-]{1,12}$/).filter(text => text.trim() === text);
const condition: fc.Arbitrary<Condition> = fc.oneof(
	of('name', fc.constantFrom('eq', 'neq', 'lt'), word),
	of('id', fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte'), fc.nat()),
	of('private', fc.constantFrom('eq', 'neq'), fc.boolean()),
	fc
		.tuple(fc.constantFrom('in', 'notin'), fc.array(word, {minLength: 1}))
		.map(([operator, value]) => ({field: 'tag', operator, value})),
);

function of(
	field: string,
	operator: fc.Arbitrary<ValueOperator>,
	value: fc.Arbitrary<Scalar>,
): fc.Arbitrary<Condition> {
	return fc.record({field: fc.constant(field), operator, value});
}

test('what is written as words reads as the same conditions', () => {
	fc.assert(
		fc.property(fc.uniqueArray(condition, {selector: ({field}) => field}), filter => {
			expect(read(printConditions(filter)).filter).toEqual(filter);
		}),
	);
});

test('no line makes it fail', () => {
	fc.assert(
		fc.property(fc.string({maxLength: 60}), line => {
			expect(read(line).filter.every(({field}) => field in searchableTemplates.fields)).toBe(true);
		}),
		{numRuns: runs(2000)},
	);
});

/** Reads `field operator value`. */
import type {ValueOperator} from '../../contract/grammar/filter.ts';
import {
	findWordField,
	refuse,
	type Clause,
	type Lexicon,
	type Test,
	type Value,
	type WordField,
	type TestWord,
} from './clauses.ts';
import {fieldSuggestion} from './complete.ts';
import {readAmount, readItem, splitItems, type Item} from './values.ts';
import type {KnownGpu} from './gpu-match.ts';

type Sign = ValueOperator | 'like' | 'unlike';
type Meaning = {readonly operator: Sign; readonly isList: boolean};

const operators: ReadonlyMap<string, Meaning> = new Map([
	['=', {operator: 'eq', isList: false}],
	['==', {operator: 'eq', isList: false}],
	['eq', {operator: 'eq', isList: false}],
	['!=', {operator: 'neq', isList: false}],
	['neq', {operator: 'neq', isList: false}],
	['noteq', {operator: 'neq', isList: false}],
	['<', {operator: 'lt', isList: false}],
	['lt', {operator: 'lt', isList: false}],
	['<=', {operator: 'lte', isList: false}],
	['lte', {operator: 'lte', isList: false}],
	['>', {operator: 'gt', isList: false}],
	['gt', {operator: 'gt', isList: false}],
	['>=', {operator: 'gte', isList: false}],
	['gte', {operator: 'gte', isList: false}],
	['~', {operator: 'like', isList: false}],
	['!~', {operator: 'unlike', isList: false}],
	['in', {operator: 'eq', isList: true}],
	['notin', {operator: 'neq', isList: true}],
	['nin', {operator: 'neq', isList: true}],
]);

/** A price an hour for one GPU of several: `<0.30/gpu`, `price=0.2..0.3/gpu`. @param price its field's names */
export function meantPerGpu(word: TestWord, isPrice: (name: string) => boolean): Meant {
	const [, each] = isPrice(word.name) ? (/^(.*\d)\/gpu$/i.exec(word.value) ?? []) : [];
	return each === undefined ? word : {...word, name: PER_GPU, value: each};
}

type Meant = Pick<TestWord, 'name' | 'operator' | 'value'>;

/** Name of the field for the price of one GPU. */
export const PER_GPU = 'per-gpu';

export const comparingSigns: readonly string[] = ['=', '!=', '<', '<=', '>', '>='];

export function readTest<Field extends string>(
	written: TestWord,
	lexicon: Lexicon<Field>,
	gpus: readonly KnownGpu[],
): Clause<Field> {
	const word = lexicon.meant(written);
	const field = findWordField(lexicon, word.name);
	if (field === undefined) {
		return refuse(`${word.name} is not a field${fieldSuggestion(word.name, lexicon)}`);
	}
	const {operator, isList} = readOperator(word.operator, field, lexicon);
	const items = splitItems(word.value);
	if (items.length === 0) return refuse(expectation(field, word.operator));
	const [first] = items;
	if (operator === 'like' || operator === 'unlike') {
		return {kind: 'test', field, test: {operator, texts: items.map(item => partOf(field, item))}};
	}
	if (items.length === 1 && first !== undefined && !isList) {
		if (isWildcard(first)) return lift(field, operator);
		if (field.type === 'number' && first.text.includes('..')) {
			return {kind: 'test', field, test: readRange(field, operator, first.text)};
		}
	}
	return {kind: 'test', field, test: readValues(field, operator, items, gpus)};
}

function readOperator(written: string, field: WordField, {signs}: Lexicon): Meaning {
	const word = written.toLowerCase().replaceAll(/\s+/g, '');
	const meaning = operators.get(word);
	if (meaning === undefined || (word.includes('~') && !signs.includes(word)))
		return refuse(`${written} is not an operator; use ${signs.join(' ')}`);
	const {operator} = meaning;
	const isLike = operator === 'like' || operator === 'unlike';
	if (isLike && !['text', 'name'].includes(field.type)) {
		return refuse(`${written} asks for a part of a text, and ${field.name} is none`);
	}
	const isOrdered = !isLike && operator !== 'eq' && operator !== 'neq';
	if (isOrdered && !['number', 'version'].includes(field.type)) {
		return refuse(`${field.name} can only be = or !=, not ${written}`);
	}
	return meaning;
}

function partOf({name, type}: WordField, {text, isQuoted}: Item): string {
	if (text.trim() === '') return refuse(`${name} takes a text, not nothing`);
	return isQuoted || type !== 'name' ? text : text.replaceAll('_', ' ');
}

function expectation(field: WordField, operator: string): string {
	const wanted = field.type === 'number' ? 'a number' : 'a value';
	return `${field.name}${operator}: expected ${wanted} behind ${operator}`;
}

function isWildcard({text, isQuoted}: Item): boolean {
	return !isQuoted && ['any', '*', '?'].includes(text.toLowerCase());
}

function lift<Field extends string>(field: WordField<Field>, operator: Sign): Clause<Field> {
	if (operator !== 'eq') refuse(`"any" goes with = alone: ${field.name}=any`);
	return {kind: 'any', field};
}

/** `1..4`, `1..` or `..4`. */
function readRange(field: WordField, operator: ValueOperator, text: string): Test {
	if (operator !== 'eq') return refuse(`a range goes with = alone: ${field.name}=${text}`);
	const [from = '', to = '', ...more] = text.split('..');
	if (more.length > 0 || (from === '' && to === '')) {
		return refuse(`${field.name} takes a range such as 1..4, not ${text}`);
	}
	if (to === '') return {operator: 'gte', value: readAmount(field, from)};
	if (from === '') return {operator: 'lte', value: readAmount(field, to)};
	const range = {from: readAmount(field, from), to: readAmount(field, to)};
	if (range.from > range.to) return refuse(`${text} is empty: the smaller number comes first`);
	return {operator: 'range', ...range};
}

function readValues(
	field: WordField,
	operator: ValueOperator,
	items: readonly Item[],
	gpus: readonly KnownGpu[],
): Test {
	const values = items.flatMap(item => readItem(field, item, gpus));
	return makeValueTest(operator, values, field.name);
}

/** A test of one value, or of being among several. */
export function makeValueTest(
	operator: ValueOperator,
	values: readonly Value[],
	name: string,
): Test {
	const [value, ...others] = [...new Set(values)];
	if (value === undefined) return refuse(`${name} takes a value`);
	if (others.length === 0) return {operator, value};
	if (operator !== 'eq' && operator !== 'neq') return refuse(`${name} is compared with one value`);
	return {operator: operator === 'eq' ? 'in' : 'notin', values: [value, ...others]};
}

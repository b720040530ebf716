import type {Condition, Filter} from '../../../contract/grammar/filter.ts';
import type {OfferField, Pricing} from '../../../contract/nouns/offer-search.ts';
import {refuse, type Test, type Value, type Unit, type WordField} from '../../words/clauses.ts';
import {type OfferClause, type OfferWord, type SearchField, type WordSearch} from './fields.ts';
import {countriesOf} from '../../words/values.ts';
import {DAY} from '../../../contract/rules/durations.ts';

const MB_AT_LEAST = 1000;
const MB_AT_MOST = 1024;

/** The number as on the wire. */
function scaled(unit: Unit, amount: number): number {
	if (unit === 'days') return rounded(amount * DAY);
	return unit === 'share' && amount > 1 ? rounded(amount / 100) : amount;
}

/** A number without binary rounding errors: 99.9 percent is 0.999 and not a little more. */
function rounded(number: number): number {
	return Number(number.toPrecision(12));
}

/** Tests that compare; tests for a part of a text do not. */
type Comparison = Exclude<Test, {readonly texts: readonly string[]}>;

function numberConditions(
	{name, field, unit}: WordField<SearchField>,
	test: Comparison,
): readonly Wire[] {
	if (unit === 'memory') return memoryConditions(name, field, test);
	const scale = (value: unknown) => scaled(unit, Number(value));
	if ('from' in test) return between(field, scale(test.from), scale(test.to));
	if ('values' in test) return [{field, operator: test.operator, value: test.values.map(scale)}];
	return [{field, operator: test.operator, value: scale(test.value)}];
}

const least = (value: unknown) => rounded(Number(value) * MB_AT_LEAST);
const most = (value: unknown) => rounded(Number(value) * MB_AT_MOST);

/** Range of MB for a memory size: 24 GB as sold is between 24,000 and 24,576 MB. */
function memoryConditions(name: string, field: SearchField, test: Comparison): readonly Wire[] {
	switch (test.operator) {
		case 'range':
			return between(field, least(test.from), most(test.to));
		case 'eq':
			return between(field, least(test.value), most(test.value));
		case 'gte':
		case 'lt':
			return [{field, operator: test.operator, value: least(test.value)}];
		case 'lte':
		case 'gt':
			return [{field, operator: test.operator, value: most(test.value)}];
		case 'neq':
		case 'in':
		case 'notin':
			return refuse(`${name} takes one size or a range, such as ${name}>=24 or ${name}=16..24`);
	}
}

function between(field: SearchField, from: number, to: number): readonly Wire[] {
	return [
		{field, operator: 'gte', value: from},
		{field, operator: 'lte', value: to},
	];
}

type Wire = Condition<SearchField>;

/** Default conditions, unless words override them. */
const defaultFlags = ['verified', 'rentable'] as const satisfies readonly OfferField[];
export type DefaultFlag = (typeof defaultFlags)[number];

/**
 * Fields that replace a default: a search for deverified offers must not have the default
 * `verified`.
 */
const sameMatter: Readonly<Record<DefaultFlag, readonly OfferField[]>> = {
	verified: ['verified', 'verification'],
	rentable: ['rentable', 'rented'],
};

export function defaultsLeft(clauses: readonly OfferClause[]): readonly DefaultFlag[] {
	return defaultFlags.filter(flag => !clauses.some(clause => touches(clause, flag)));
}

function touches(clause: OfferClause, flag: DefaultFlag): boolean {
	if (clause.kind === 'pricing') return false;
	return (
		clause.field === undefined || sameMatter[flag].some(field => field === clause.field?.field)
	);
}

export function conditionsOfClause(clause: OfferClause): readonly Wire[] {
	return clause.kind === 'test' ? testConditions(clause.field, clause.test) : [];
}

function testConditions(named: OfferWord, test: Test): readonly Wire[] {
	if ('texts' in test)
		return refuse(`${named.name} is compared as a whole: the service knows no ~`);
	if (named.type === 'number' || 'from' in test) return numberConditions(named, test);
	const {field} = named;
	const values = 'values' in test ? test.values : [test.value];
	const wire = [...new Set(values.flatMap(value => wireValues(named, value)))];
	const {operator} = test;
	if (operator === 'in' || operator === 'notin') return [{field, operator, value: wire}];
	// A region is several countries.
	if (wire.length > 1) {
		return [{field, operator: operator === 'neq' ? 'notin' : 'in', value: wire}];
	}
	return wire.map(value => ({field, operator, value}));
}

function wireValues({type}: OfferWord, value: Value): readonly Value[] {
	return type === 'place' && typeof value === 'string' ? countriesOf(value) : [value];
}

export function pricingOf(clauses: readonly OfferClause[]): Pricing {
	return clauses.findLast(clause => clause.kind === 'pricing')?.pricing ?? 'on-demand';
}

/** Filter and pricing of the clauses, with the defaults that hold. */
export function requestOf(clauses: readonly OfferClause[]): Pick<WordSearch, 'filter' | 'pricing'> {
	return {
		filter: [...clauses.flatMap(conditionsOfClause), ...defaultConditions(defaultsLeft(clauses))],
		pricing: pricingOf(clauses),
	};
}

export function defaultConditions(flags: readonly DefaultFlag[]): Filter<OfferField> {
	return flags.map(flag => ({field: flag, operator: 'eq', value: true}));
}

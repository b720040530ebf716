/** Service request of a query's clauses. */
import type {Condition, Filter} from '../../../contract/filter.ts';
import type {OfferField, OfferSearch, Pricing} from '../../../contract/offer-search.ts';
import {refuse, type Test, type Value} from '../../words/clauses.ts';
import {fieldOf, type OfferClause, type OfferWord} from './fields.ts';
import {countriesOf} from '../../words/places.ts';
import {numberConditions} from './units.ts';

type Wire = Condition<OfferField>;

/** Default conditions, unless words say something else. */
const defaultFlags = ['verified', 'rentable'] as const satisfies readonly OfferField[];
export type DefaultFlag = (typeof defaultFlags)[number];

/** Other fields of the same matter: whoever asks for what was deverified does not want the default. */
const sameMatter: Readonly<Record<DefaultFlag, readonly OfferField[]>> = {
	verified: ['verified', 'verification'],
	rentable: ['rentable', 'rented'],
};

/** The defaults that some clauses leave in force. */
export function defaultsLeft(clauses: readonly OfferClause[]): readonly DefaultFlag[] {
	return defaultFlags.filter(flag => !clauses.some(clause => touches(clause, flag)));
}

function touches(clause: OfferClause, flag: DefaultFlag): boolean {
	if (clause.kind === 'pricing') return false;
	return clause.field === undefined || sameMatter[flag].includes(clause.field.field);
}

/** The tests of one clause on the wire. */
export function conditionsOfClause(clause: OfferClause): readonly Wire[] {
	return clause.kind === 'test' ? testConditions(clause.field, clause.test) : [];
}

function testConditions(named: OfferWord, test: Test): readonly Wire[] {
	if ('texts' in test)
		return refuse(`${named.name} is compared as a whole: the service knows no ~`);
	if (named.type === 'number' || 'from' in test) return numberConditions(named, test);
	const {field} = named;
	const values = 'values' in test ? test.values : [test.value];
	const wire = [...new Set(values.flatMap(value => placesOf(named, value)))];
	const {operator} = test;
	if (operator === 'in' || operator === 'notin') return [{field, operator, value: wire}];
	// A region is several countries.
	if (wire.length > 1) {
		return [{field, operator: operator === 'neq' ? 'notin' : 'in', value: wire}];
	}
	return wire.map(value => ({field, operator, value}));
}

function placesOf({type}: OfferWord, value: Value): readonly Value[] {
	return type === 'place' && typeof value === 'string' ? countriesOf(value) : [value];
}

export function pricingOf(clauses: readonly OfferClause[]): Pricing {
	return clauses.findLast(clause => clause.kind === 'pricing')?.pricing ?? 'on-demand';
}

/** All that is asked, with the defaults that hold. */
export function requestOf(
	clauses: readonly OfferClause[],
): Pick<OfferSearch, 'filter' | 'pricing'> {
	return {
		filter: [...clauses.flatMap(conditionsOfClause), ...defaultConditions(defaultsLeft(clauses))],
		pricing: pricingOf(clauses),
	};
}

export function defaultConditions(flags: readonly DefaultFlag[]): Filter<OfferField> {
	return flags.map(flag => ({field: fieldOf(flag).field, operator: 'eq', value: true}));
}

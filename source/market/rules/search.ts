/** A search of the contract as the database runs it; `contract/filter-match.ts` is its twin. */
import {sql} from 'kysely';
import type {RawBuilder} from 'kysely';
import {isCountry, normal} from '../../contract/filter-match.ts';
import type {Condition, FieldType, Scalar} from '../../contract/filter.ts';
import {offerFields} from '../../contract/offer-fields.ts';
import type {OfferField} from '../../contract/offer-fields.ts';
import {conditionsOf, DEFAULT_DISK_GB} from '../../contract/offer-search.ts';
import type {OfferSearch} from '../../contract/offer-search.ts';
import {Refusal} from '../refusal.ts';
import type {PriceTerms} from './pricing.ts';
import {countrySql, fieldSql, isSoldSql, tieSql} from './search-fields.ts';
import type {SearchTerms} from './search-fields.ts';

type Sql = RawBuilder<unknown>;

export type OfferQuery = {
	/** All of these hold. */
	readonly where: readonly Sql[];
	readonly orderBy: readonly Sql[];
	readonly limit: number;
};

/** A database takes some 30,000 values in one query; nobody means to list that many. */
const MOST_VALUES = 1000;

/** A search at a moment. `limit` is the most offers that any search returns. */
export function offerQuery(search: OfferSearch, now: number, limit: number): OfferQuery {
	const terms = {...priceTerms(search), now};
	const conditions = conditionsOf(search);
	const values = conditions.flatMap(({value}) => value);
	if (values.length > MOST_VALUES) {
		throw new Refusal('badRequest', `a search takes at most ${MOST_VALUES} values`);
	}
	return {
		where: [...isSoldSql(terms), ...conditions.map(condition => conditionSql(condition, terms))],
		orderBy: orderSql(search.order, terms),
		limit: Math.min(search.limit, limit),
	};
}

/** On what terms a search wants prices. */
export function priceTerms({pricing, diskGb}: Pick<OfferSearch, 'pricing' | 'diskGb'>): PriceTerms {
	return {pricing, diskGb: diskGb ?? DEFAULT_DISK_GB};
}

function conditionSql(condition: Condition<OfferField>, terms: SearchTerms): Sql {
	const {field} = condition;
	switch (condition.operator) {
		case 'eq':
			return isOneOf(field, [condition.value], terms);
		case 'neq':
			return isNoneOf(field, [condition.value], terms);
		case 'in':
			return isOneOf(field, condition.value, terms);
		case 'notin':
			return isNoneOf(field, condition.value, terms);
		case 'lt':
		case 'lte':
		case 'gt':
		case 'gte': {
			const value = comparable(offerFields[field], condition.value);
			return sql`${fieldSql(field, terms)} ${signs[condition.operator]} ${value}`;
		}
	}
}

const signs = {lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=`};

function isOneOf(field: OfferField, values: readonly Scalar[], terms: SearchTerms): Sql {
	const {groups, hasNull} = grouped(field, values, terms);
	const tests = groups.map(({found, wanted}) =>
		wanted.length === 1 ? sql`${found} = ${wanted[0]}` : sql`${found} in (${sql.join(wanted)})`,
	);
	if (hasNull) tests.push(sql`${fieldSql(field, terms)} is null`);
	return tests.length === 0 ? sql`1 = 0` : sql`(${sql.join(tests, sql` or `)})`;
}

/** What is not known is none of the known values: plain SQL would leave such rows out. */
function isNoneOf(field: OfferField, values: readonly Scalar[], terms: SearchTerms): Sql {
	const {groups, hasNull} = grouped(field, values, terms);
	const tests = groups.map(({found, wanted}) =>
		wanted.length === 1
			? sql`${found} is distinct from ${wanted[0]}`
			: sql`(${found} is null or ${found} not in (${sql.join(wanted)}))`,
	);
	if (hasNull) tests.push(sql`${fieldSql(field, terms)} is not null`);
	return tests.length === 0 ? sql`1 = 1` : sql`(${sql.join(tests, sql` and `)})`;
}

type Group = {readonly found: Sql; readonly wanted: ReadonlyArray<number | string>};

/** Values by what they are compared with: two letters are a country, longer text a whole place. */
function grouped(field: OfferField, values: readonly Scalar[], terms: SearchTerms) {
	const type = offerFields[field];
	const known = values.filter(value => value !== null);
	const countries = known.filter(value => type === 'place' && isCountry(String(value)));
	const others = known.filter(value => !countries.includes(value));
	const groups: readonly Group[] = [
		{found: countrySql, wanted: comparables(type, countries)},
		{found: fieldSql(field, terms), wanted: comparables(type, others)},
	];
	return {
		groups: groups.filter(({wanted}) => wanted.length > 0),
		hasNull: known.length < values.length,
	};
}

function comparables(type: FieldType, values: readonly Scalar[]) {
	return values.map(value => comparable(type, value)).filter(value => value !== null);
}

/** A value as the database compares it. */
function comparable(type: FieldType, value: Scalar): number | string | null {
	const compared = normal(type, value);
	return typeof compared === 'boolean' ? Number(compared) : compared;
}

function orderSql(order: OfferSearch['order'], terms: SearchTerms): readonly Sql[] {
	const keys = new Map<OfferField, Sql>();
	for (const [field, direction] of order) {
		// Only the first mention of a field can matter.
		if (keys.has(field)) continue;
		const sign = direction === 'desc' ? sql`desc` : sql`asc`;
		keys.set(field, sql`${fieldSql(field, terms)} ${sign} nulls last`);
	}
	return [...keys.values(), tieSql(order[0]?.[0], terms)];
}

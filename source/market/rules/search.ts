/** A search of offers as the database runs it; `contract/filter-match.ts` is its twin. */
import {sql, type RawBuilder} from 'kysely';
import {
	searchableOffers,
	conditionsOf,
	DEFAULT_DISK_GB,
	type OfferField,
	type OfferSearch,
} from '../../contract/offer-search.ts';
import {conditionsSql, orderSql} from './condition-sql.ts';
import type {PriceTerms} from './pricing.ts';
import {followsIndex} from './search-cost.ts';
import {countrySql, fieldSql, isSoldSql, tieSql} from './search-fields.ts';

type Sql = RawBuilder<unknown>;

export type OfferQuery = {
	/** All of these hold. */
	readonly where: readonly Sql[];
	readonly orderBy: readonly Sql[];
	readonly limit: number;
};

/** A search at a moment. `limit` is the most offers that any search returns. */
export function offerQuery(search: OfferSearch, now: number, limit: number): OfferQuery {
	const terms = {...priceTerms(search), now};
	const sqlOf = (field: OfferField) => fieldSql(field, terms);
	// A sign before a column keeps the database from taking another index for its sake, which has
	// fewer offers to test, but then all of them to sort.
	const testOf = (field: OfferField) =>
		field === 'gpu_name' || !followsIndex(search) ? sqlOf(field) : sql`+${sqlOf(field)}`;
	const fields = {types: searchableOffers.fields, sqlOf: testOf, country: countrySql};
	return {
		where: [...isSoldSql(terms), ...conditionsSql(conditionsOf(search), fields)],
		orderBy: orderSql(search.order, sqlOf, tieSql(search.order[0]?.[0], terms)),
		limit: Math.min(search.limit, limit),
	};
}

/** On what terms a search wants prices. */
export function priceTerms({pricing, diskGb}: Pick<OfferSearch, 'pricing' | 'diskGb'>): PriceTerms {
	return {pricing, diskGb: diskGb ?? DEFAULT_DISK_GB};
}

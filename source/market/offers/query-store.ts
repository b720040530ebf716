/** Search of offers as SQL; `contract/grammar/filter-match.ts` is its twin. */
import {sql, type RawBuilder} from 'kysely';
import {
	conditionsOf,
	DEFAULT_DISK_GB,
	searchableOffers,
	type OfferField,
	type OfferSearch,
} from '../../contract/nouns/offer-search.ts';
import {isUsual, sourceOf, type SearchTerms} from './table-rules.ts';
import type {PriceTerms} from './pricing-rules.ts';
import {
	comparedSql,
	conditionsSql,
	constantSql,
	orderSql,
	sqlArithmetic,
} from '../database/search-sql.ts';

type Sql = RawBuilder<unknown>;

type OfferQuery = {
	/** Conditions, all of which must hold. */
	readonly where: readonly Sql[];
	readonly orderBy: readonly Sql[];
	readonly limit: number;
};

/** A search at a moment; `limit` is the most of any search. */
export function offerQuery(search: OfferSearch, now: number, limit: number): OfferQuery {
	const terms = {...priceTerms(search), now};
	const sqlOf = (field: OfferField) => fieldSql(field, terms);
	// An expression, not a column, keeps the database from using another index, with fewer offers
	// to test but all of them to sort.
	const testOf = (field: OfferField) =>
		field === 'gpu_name' || !followsIndex(search)
			? sqlOf(field)
			: sql`coalesce(${sqlOf(field)}, null)`;
	const fields = {types: searchableOffers.fields, sqlOf: testOf, country: countrySql};
	return {
		where: [...isSoldSql(terms), ...conditionsSql(conditionsOf(search), fields)],
		orderBy: orderSql(search.order, sqlOf, tieSql(search.order[0]?.[0], terms)),
		limit: Math.min(search.limit, limit),
	};
}

/** The same search of a single offer. */
export function queryOfOffer(search: OfferSearch, id: number, now: number): OfferQuery {
	const {where, ...rest} = offerQuery(search, now, 1);
	return {...rest, where: [sql`id = ${id}`, ...where]};
}

export function priceTerms({pricing, diskGb}: Pick<OfferSearch, 'pricing' | 'diskGb'>): PriceTerms {
	return {pricing, diskGb: diskGb ?? DEFAULT_DISK_GB};
}

/** A field's value in its compared form. */
export function fieldSql(field: OfferField, terms: SearchTerms): Sql {
	const source = sourceOf(field, terms);
	if (typeof source === 'function') return source(sqlArithmetic, terms);
	if (typeof source === 'object') {
		return constantSql(searchableOffers.fields[field], source.constant);
	}
	return comparedSql(searchableOffers.fields[field], source);
}

export const countrySql: Sql = sql.raw('country');

/** Conditions for offers on sale, the only ones that searches show. */
function isSoldSql({pricing, now}: SearchTerms): ReadonlyArray<Sql> {
	const listedOnes = [sql`listed = 1`, sql`(end_date is null or end_date > ${now})`];
	return pricing === 'bid' ? [...listedOnes, sql`min_bid_micros is not null`] : listedOnes;
}

/** Last key of every order, which breaks ties. */
export function tieSql(firstField: OfferField | undefined, terms: SearchTerms): Sql {
	const hasIndex =
		firstField === undefined ||
		firstField === 'score' ||
		(isUsual(terms) && (firstField === 'dph_total' || firstField === 'dlperf_per_dphtotal'));
	// With a plain `id`, SQLite would walk an index of another order row by row.
	return hasIndex ? sql`id` : sql`id + 0`;
}

/** Fields of the indexes beside their sort key: `migrations/baseline/offers.ts`. */
const tested: ReadonlySet<OfferField> = new Set([
	'rentable',
	'verified',
	'num_gpus',
	'end_date',
	'gpu_name',
]);

/** Fields with few offers per value. */
const narrow: ReadonlySet<OfferField> = new Set(['id', 'ask_contract_id', 'machine_id']);

function isNarrow({filter}: OfferSearch): boolean {
	return filter.some(({field, operator}) => operator === 'eq' && narrow.has(field));
}

/**
 * True if an index has this order and all tested fields, so that it is read from its beginning until
 * the limit is reached.
 */
export function followsIndex(search: OfferSearch): boolean {
	const {filter, leastReliability} = search;
	if (isNarrow(search) || leastReliability !== undefined || !isIndexed(search)) return false;
	return filter.every(
		({field, operator}) => tested.has(field) && (field !== 'gpu_name' || operator === 'eq'),
	);
}

function isIndexed({order: [first], pricing, diskGb}: OfferSearch): boolean {
	const [field] = first ?? ['score'];
	if (diskGb !== undefined && diskGb !== DEFAULT_DISK_GB) return false;
	if (field === 'score') return true;
	return pricing !== 'bid' && (field === 'dph_total' || field === 'dlperf_per_dphtotal');
}

import type {Order} from './filter-match.ts';
import {FilterError, parseFilter, printFilter} from './filter.ts';
import type {Condition, Filter} from './filter.ts';
import {offerVocabulary} from './offer-fields.ts';
import type {OfferField} from './offer-fields.ts';
import {given, readAmount, readLimit, readSearchOrder} from './search-keys.ts';

/** How offers are priced: at a fixed price, by a bid that can be outbid, or prepaid. */
export type Pricing = 'on-demand' | 'bid' | 'reserved';

const pricingWords: ReadonlyMap<unknown, Pricing> = new Map([
	['on-demand', 'on-demand'],
	['ondemand', 'on-demand'],
	['bid', 'bid'],
	['interruptible', 'bid'],
	['reserved', 'reserved'],
]);

export type OfferSearch = {
	readonly filter: Filter<OfferField>;
	readonly order: Order<OfferField>;
	/** The most offers to return. */
	readonly limit: number;
	readonly pricing: Pricing;
	/**
	 * The disk that the renter wants: prices are computed for it, and smaller machines left out.
	 * Where it is not given, prices are for `DEFAULT_DISK_GB`.
	 */
	readonly diskGb: number | undefined;
	/** The least expected reliability, a share between 0 and 1. */
	readonly leastReliability: number | undefined;
	/** The fields wanted of each offer; undefined for all. `id` is always among them. */
	readonly columns: readonly string[] | undefined;
};

export const DEFAULT_DISK_GB = 8;

/** A search that asks for nothing in particular. */
export const anyOffers: OfferSearch = {
	filter: [],
	order: [['score', 'desc']],
	limit: 64,
	pricing: 'on-demand',
	diskGb: undefined,
	leastReliability: undefined,
	columns: undefined,
};

/** Keys that clients send beside the filter, and that mean nothing to a search. */
const ignoredKeys: ReadonlySet<string> = new Set([
	'client_id',
	'owner',
	'disable_bundling',
	'extra_ids',
	'gpu_option',
	'show_incompatible',
	'sort_option',
	'template_id',
]);

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of a search: filter fields, and a few keys beside them. */
export function parseOfferSearch(body: Body): OfferSearch {
	const {order, limit, type, allocated_storage, select_cols, target_reliability, ...rest} = body;
	const fields = Object.entries(rest).filter(([key]) => !ignoredKeys.has(key));
	return {
		filter: parseFilter(offerVocabulary, Object.fromEntries(fields)),
		order: given(order, value => readSearchOrder(offerVocabulary, value)) ?? anyOffers.order,
		limit: given(limit, readLimit) ?? anyOffers.limit,
		pricing: given(type, readPricing) ?? anyOffers.pricing,
		diskGb: given(allocated_storage, value => readAmount('allocated_storage', value)),
		leastReliability: given(target_reliability, value => readAmount('target_reliability', value)),
		columns: given(select_cols, readColumns),
	};
}

/** Writes a search as the wire has it. Reading it again gives the same search. */
export function printOfferSearch(search: OfferSearch): Record<string, unknown> {
	const {filter, order, limit, pricing, diskGb, leastReliability, columns} = search;
	return {
		...printFilter(filter),
		order,
		limit,
		type: pricing,
		...(diskGb !== undefined && {allocated_storage: diskGb}),
		...(leastReliability !== undefined && {target_reliability: leastReliability}),
		...(columns !== undefined && {select_cols: columns}),
	};
}

/** Every condition that a search makes: its filter, and what its other keys imply. */
export function conditionsOf(search: OfferSearch): Filter<OfferField> {
	return [
		...search.filter,
		...atLeast('disk_space', search.diskGb),
		...atLeast('expected_reliability', search.leastReliability),
	];
}

function atLeast(field: OfferField, value: number | undefined): Array<Condition<OfferField>> {
	return value === undefined ? [] : [{field, operator: 'gte', value}];
}

function readPricing(value: unknown): Pricing {
	const pricing = pricingWords.get(value);
	if (pricing === undefined) {
		throw new FilterError(`type is one of ${[...pricingWords.keys()].join(', ')}`);
	}
	return pricing;
}

function readColumns(value: unknown): readonly string[] | undefined {
	const isNames = Array.isArray(value) && value.every(name => typeof name === 'string');
	if (!isNames) throw new FilterError('select_cols takes a list of names');
	return value.includes('*') ? undefined : value;
}

/** Searching for offers: the fields that a search may name, and the keys beside them. */
import {
	FilterError,
	printFilter,
	type Condition,
	type Fields,
	type Filter,
} from '../grammar/filter.ts';
import type {Order} from '../grammar/filter-match.ts';
import {machineAliases, machineFields} from './machine-fields.ts';
import {
	given,
	readColumns,
	readSearchBody,
	takeAmounts,
	type Searchable,
} from '../grammar/search.ts';

const offerFields = {
	...machineFields,
	min_bid: 'number',
	dph_base: 'number',
	dph_total: 'number',
	dlperf_per_dphtotal: 'number',
	flops_per_dphtotal: 'number',
	vram_costperhour: 'number',
	is_bid: 'boolean',
} as const satisfies Fields;

export type OfferField = keyof typeof offerFields;

export const searchableOffers = {
	fields: offerFields,
	aliases: {
		...machineAliases,
		dph: {field: 'dph_total'},
		dphtotal: {field: 'dph_total'},
		dlperf_usd: {field: 'dlperf_per_dphtotal'},
		flops_usd: {field: 'flops_per_dphtotal'},
	},
	orderFields: offerFields,
	order: [['score', 'desc']],
	page: {usual: 64},
} as const satisfies Searchable<typeof offerFields>;

/** Pricing of offers: a fixed price, a bid that can be outbid, or prepaid. */
export type Pricing = 'on-demand' | 'bid' | 'reserved';

const pricingWords: ReadonlyMap<unknown, Pricing> = new Map([
	['on-demand', 'on-demand'],
	['ondemand', 'on-demand'],
	['bid', 'bid'],
	['interruptible', 'bid'],
	['reserved', 'reserved'],
]);

/** @template Field fields of the filter; clients can test more of them than the wire */
export type OfferSearch<Field extends string = OfferField> = {
	readonly filter: Filter<Field>;
	readonly order: Order<OfferField>;
	readonly limit: number;
	readonly pricing: Pricing;
	/**
	 * The requested disk: prices are computed for it, and smaller machines left out. Without it,
	 * prices are for `DEFAULT_DISK_GB`.
	 */
	readonly diskGb: number | undefined;
	/** The least expected reliability, a share between 0 and 1. */
	readonly leastReliability: number | undefined;
	/** The requested fields of each offer; undefined for all. `id` is always included. */
	readonly columns: readonly string[] | undefined;
};

export const DEFAULT_DISK_GB = 8;

export const anyOffers: OfferSearch = {
	filter: [],
	order: searchableOffers.order,
	limit: searchableOffers.page.usual,
	pricing: 'on-demand',
	diskGb: undefined,
	leastReliability: undefined,
	columns: undefined,
};

/** Keys that clients send beside the filter, which a search ignores. */
const ignoredKeys: ReadonlySet<string> = new Set([
	'client_id',
	'owner',
	'chunked',
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
	const {type, select_cols, ...rest} = body;
	const {amounts, fields} = takeAmounts(['allocated_storage', 'target_reliability'], rest);
	return {
		...readSearchBody(searchableOffers, fields, ignoredKeys),
		pricing: given(type, readPricing) ?? anyOffers.pricing,
		diskGb: amounts.allocated_storage,
		leastReliability: amounts.target_reliability,
		columns: given(select_cols, readColumns),
	};
}

/** Writes a search for the wire. Reading it again yields the same search. */
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

/** All conditions of a search: its filter, and those that its other keys imply. */
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

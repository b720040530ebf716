/** Searching for offers: the fields that a search may name, and the keys beside them. */
import {FilterError, printFilter, type Condition, type Fields, type Filter} from './filter.ts';
import type {Order} from './filter-match.ts';
import {machineFields} from './machine-fields.ts';
import {given, readAmount, readColumns, readSearchBody, type Searchable} from './search.ts';

/** The fields that a search of offers may name in its filter and in its order. */
const offerFields = {
	...machineFields,
	rentable: 'boolean',
	rented: 'boolean',
	num_gpus: 'number',
	gpu_name: 'name',
	gpu_ram: 'number',
	gpu_total_ram: 'number',
	gpu_frac: 'number',
	gpu_lanes: 'number',
	gpu_mem_bw: 'number',
	gpu_max_power: 'number',
	gpu_max_temp: 'number',
	gpu_display_active: 'boolean',
	bw_nvlink: 'number',
	compute_cap: 'number',
	cpu_cores: 'number',
	cpu_cores_effective: 'number',
	cpu_ram: 'number',
	inet_up_cost: 'number',
	inet_down_cost: 'number',
	direct_port_count: 'number',
	dlperf: 'number',
	min_bid: 'number',
	dph_base: 'number',
	dph_total: 'number',
	dlperf_per_dphtotal: 'number',
	flops_per_dphtotal: 'number',
	vram_costperhour: 'number',
} as const satisfies Fields;

export type OfferField = keyof typeof offerFields;

/** Sizes named `…_GB` are the same fields in thousands of MB. */
const MB_PER_GB = 1000;

/** Search definition of offers. */
export const searchableOffers = {
	fields: offerFields,
	aliases: {
		reliability2: {field: 'reliability'},
		ubuntu_version: {field: 'os_version'},
		dphtotal: {field: 'dph_total'},
		gpu_totalram: {field: 'gpu_total_ram'},
		gpu_ram_GB: {field: 'gpu_ram', times: MB_PER_GB},
		gpu_total_ram_GB: {field: 'gpu_total_ram', times: MB_PER_GB},
		gpu_totalram_GB: {field: 'gpu_total_ram', times: MB_PER_GB},
		cpu_ram_GB: {field: 'cpu_ram', times: MB_PER_GB},
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
	order: searchableOffers.order,
	limit: searchableOffers.page.usual,
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
	const {type, allocated_storage, select_cols, target_reliability, ...rest} = body;
	return {
		...readSearchBody(searchableOffers, rest, ignoredKeys),
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

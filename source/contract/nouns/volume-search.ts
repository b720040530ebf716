/** Searching for room for volumes: the grammar of offers, with what a volume has of a machine. */
import {printFilter, type Filter} from '../grammar/filter.ts';
import type {Order} from '../grammar/filter-match.ts';
import {machineAliases, machineFields} from './machine-fields.ts';
import {readSearchBody, takeAmounts, type Searchable} from '../grammar/search.ts';

/** Search definition of volume offers: the fields of their machine. */
export const searchableVolumes = {
	fields: machineFields,
	aliases: machineAliases,
	orderFields: machineFields,
	order: [['score', 'desc']],
	page: {usual: 64},
} as const satisfies Searchable<typeof machineFields>;

export type VolumeField = keyof typeof machineFields;

export type VolumeSearch = {
	readonly filter: Filter<VolumeField>;
	readonly order: Order<VolumeField>;
	/** The most offers to return. */
	readonly limit: number;
	/**
	 * The room that is wanted: prices are computed for it, and fuller machines left out. Where it is
	 * not given, prices are for `DEFAULT_VOLUME_GB`.
	 */
	readonly sizeGb: number | undefined;
};

/** Size of a volume whose request names none. */
export const DEFAULT_VOLUME_GB = 15;

/** A search that asks for nothing in particular. */
export const anyVolumeOffers: VolumeSearch = {
	filter: [],
	order: searchableVolumes.order,
	limit: searchableVolumes.page.usual,
	sizeGb: undefined,
};

/** Keys that clients send beside the filter, and that mean nothing to a search. */
const ignoredKeys: ReadonlySet<string> = new Set([
	'client_id',
	'owner',
	'chunked',
	'select_cols',
	'type',
]);

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of a search: filter fields, and a few keys beside them. */
export function parseVolumeSearch(body: Body): VolumeSearch {
	const {amounts, fields} = takeAmounts(['allocated_storage'], body);
	return {
		...readSearchBody(searchableVolumes, fields, ignoredKeys),
		sizeGb: amounts.allocated_storage,
	};
}

/** Writes a search as the wire has it. Reading it again gives the same search. */
export function printVolumeSearch(search: VolumeSearch): Record<string, unknown> {
	const {filter, order, limit, sizeGb} = search;
	return {
		...printFilter(filter),
		order,
		limit,
		...(sizeGb !== undefined && {allocated_storage: sizeGb}),
	};
}

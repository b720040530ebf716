/** Searching for room for volumes: the grammar of offers, with what a volume has of a machine. */
import type {Order} from './filter-match.ts';
import {parseFilter, printFilter} from './filter.ts';
import type {Fields, Filter, Vocabulary} from './filter.ts';
import {given, readAmount, readLimit, readSearchOrder} from './search-keys.ts';

/** The fields that a search may name in its filter and in its order. */
export const volumeFields = {
	id: 'number',
	ask_contract_id: 'number',
	bundle_id: 'number',
	machine_id: 'number',
	host_id: 'number',
	cluster_id: 'number',
	hosting_type: 'number',
	datacenter: 'boolean',
	verified: 'boolean',
	verification: 'text',
	external: 'boolean',
	gpu_arch: 'text',
	cuda_max_good: 'number',
	driver_version: 'version',
	driver_vers: 'number',
	cpu_name: 'text',
	cpu_arch: 'text',
	cpu_ghz: 'number',
	has_avx: 'number',
	disk_name: 'text',
	disk_space: 'number',
	disk_bw: 'number',
	pci_gen: 'number',
	pcie_bw: 'number',
	mobo_name: 'text',
	os_version: 'text',
	inet_up: 'number',
	inet_down: 'number',
	static_ip: 'boolean',
	geolocation: 'place',
	vms_enabled: 'boolean',
	reliability: 'number',
	expected_reliability: 'number',
	score: 'number',
	total_flops: 'number',
	duration: 'number',
	start_date: 'number',
	end_date: 'number',
	storage_cost: 'number',
	storage_total_cost: 'number',
} as const satisfies Fields;

export type VolumeField = keyof typeof volumeFields;

const vocabulary: Vocabulary<typeof volumeFields> = {
	fields: volumeFields,
	aliases: {
		reliability2: {field: 'reliability'},
		ubuntu_version: {field: 'os_version'},
		// Existing clients resolve this name for offers, and not here.
		cuda_vers: {field: 'cuda_max_good'},
	},
};

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

/** How large a volume is of which nobody says it. */
export const DEFAULT_VOLUME_GB = 15;

/** A search that asks for nothing in particular. */
export const anyVolumeOffers: VolumeSearch = {
	filter: [],
	order: [['score', 'desc']],
	limit: 64,
	sizeGb: undefined,
};

/** Keys that clients send beside the filter, and that mean nothing to a search. */
const ignoredKeys: ReadonlySet<string> = new Set(['client_id', 'owner', 'select_cols', 'type']);

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of a search: filter fields, and a few keys beside them. */
export function parseVolumeSearch({order, limit, allocated_storage, ...rest}: Body): VolumeSearch {
	const fields = Object.entries(rest).filter(([key]) => !ignoredKeys.has(key));
	return {
		filter: parseFilter(vocabulary, Object.fromEntries(fields)),
		order: given(order, value => readSearchOrder(vocabulary, value)) ?? anyVolumeOffers.order,
		limit: given(limit, readLimit) ?? anyVolumeOffers.limit,
		sizeGb: given(allocated_storage, value => readAmount('allocated_storage', value)),
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

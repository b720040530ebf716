/** A page of the instances of an account: a filter, an order and the fields wanted. */
import {FilterError, printFilter, readNumber, type Fields, type Filter} from '../grammar/filter.ts';
import type {Order} from '../grammar/filter-match.ts';
import {printOrder, readAfter, readSearchQuery, type Searchable} from '../grammar/search.ts';

/** Stored fields of instances. */
const instanceFields = {
	id: 'number',
	actual_status: 'text',
	intended_status: 'text',
	cur_state: 'text',
	next_state: 'text',
	status_msg: 'text',
	label: 'text',
	template_id: 'number',
	template_hash_id: 'text',
	template_name: 'text',
	image_uuid: 'text',
	is_bid: 'boolean',
	start_date: 'number',
	end_date: 'number',
	disk_space: 'number',
	machine_id: 'number',
	host_id: 'number',
	bundle_id: 'number',
	hosting_type: 'number',
	gpu_name: 'name',
	gpu_arch: 'text',
	gpu_ram: 'number',
	gpu_totalram: 'number',
	gpu_mem_bw: 'number',
	cpu_name: 'text',
	cpu_arch: 'text',
	cpu_cores: 'number',
	cpu_ram: 'number',
	disk_name: 'text',
	disk_bw: 'number',
	inet_up: 'number',
	inet_down: 'number',
	static_ip: 'boolean',
	os_version: 'text',
	mobo_name: 'text',
	pci_gen: 'number',
	pcie_bw: 'number',
	cuda_max_good: 'number',
	driver_version: 'version',
	geolocation: 'place',
	country_code: 'text',
	reliability2: 'number',
	verification: 'text',
	external: 'boolean',
	dlperf: 'number',
	total_flops: 'number',
	score: 'number',
} as const satisfies Fields;

export type InstanceField = keyof typeof instanceFields;

/** Stored and computed fields. */
const orderFields = {
	...instanceFields,
	num_gpus: 'number',
	gpu_frac: 'number',
	cpu_cores_effective: 'number',
	duration: 'number',
	uptime_mins: 'number',
	min_bid: 'number',
	dph_base: 'number',
	dph_total: 'number',
	storage_cost: 'number',
	storage_total_cost: 'number',
	vram_costperhour: 'number',
	dlperf_per_dphtotal: 'number',
	flops_per_dphtotal: 'number',
	inet_up_cost: 'number',
	inet_down_cost: 'number',
	internet_up_cost_per_tb: 'number',
	internet_down_cost_per_tb: 'number',
} as const satisfies Fields;

export type InstanceOrderField = keyof typeof orderFields;

/**
 * Search definition of instances. Filters name stored fields; ties of an order are settled by age.
 */
export const searchableInstances = {
	fields: instanceFields,
	orderFields,
	order: [],
	page: {usual: 25, most: 25},
} as const satisfies Searchable<typeof instanceFields, typeof orderFields>;

export type InstanceQuery = {
	readonly filter: Filter<InstanceField>;
	/** Whatever it leaves open, the older comes first. */
	readonly order: Order<InstanceOrderField>;
	/** The fields wanted of each instance; undefined for all. */
	readonly columns: readonly string[] | undefined;
	readonly limit: number;
	/** The token that came with the page before; undefined for the first. */
	readonly after: string | undefined;
};

/** Limit used in place of an invalid one. */
const FEW_INSTANCES = 5;

/** A query that asks for nothing in particular: the first page of all. */
export const anyInstances: InstanceQuery = {
	filter: [],
	order: searchableInstances.order,
	columns: undefined,
	limit: searchableInstances.page.usual,
	after: undefined,
};

/** Reads the query of a page. What else a query holds is passed over. */
export function parseInstanceQuery(query: Readonly<Record<string, unknown>>): InstanceQuery {
	const {order = searchableInstances.order, ...read} = readSearchQuery(searchableInstances, query);
	return {...read, order, limit: readLimit(query['limit']), after: readAfter(query)};
}

function readLimit(value: unknown): number {
	const {usual, most} = searchableInstances.page;
	if (value === undefined || value === '') return usual;
	const limit = readNumber(value);
	if (limit === undefined || !Number.isInteger(limit)) {
		throw new FilterError('limit takes a whole number');
	}
	return limit <= 0 ? FEW_INSTANCES : Math.min(limit, most);
}

/** Writes a query as the wire has it. Reading it again gives the same query. */
export function printInstanceQuery({
	filter,
	order,
	columns,
	limit,
	after,
}: InstanceQuery): Record<string, string> {
	return {
		limit: String(limit),
		...(filter.length > 0 && {select_filters: JSON.stringify(printFilter(filter))}),
		...(order.length > 0 && {order_by: printOrder(order)}),
		...(columns !== undefined && {select_cols: JSON.stringify(columns)}),
		...(after !== undefined && {after_token: after}),
	};
}

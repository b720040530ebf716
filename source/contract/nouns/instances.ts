/** Instances of an account: reading them. */
import * as z from 'zod/mini';
import {
	FilterError,
	queryError,
	printFilter,
	readNumber,
	type Fields,
	type Filter,
} from '../grammar/filter.ts';
import type {Order} from '../grammar/filter-match.ts';
import {printSearchOrder, readAfter, readSearchQuery, type Searchable} from '../grammar/search.ts';
import {dependentBody} from '../grammar/tolerant.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {instance} from './instance-record.ts';
import {listReply} from '../grammar/list-reply.ts';
import {pathWithId} from '../grammar/values.ts';

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

/** Filters name stored fields; ties of an order are settled by age. */
export const searchableInstances = {
	fields: instanceFields,
	orderFields,
	order: [],
	page: {usual: 25, most: 25},
} as const satisfies Searchable<typeof instanceFields, typeof orderFields>;

export type InstanceQuery = {
	readonly filter: Filter<InstanceField>;
	/** Order of the page; ties go to the older instance. */
	readonly order: Order<InstanceOrderField>;
	/** The requested fields of each instance; undefined for all. */
	readonly columns: readonly string[] | undefined;
	readonly limit: number;
	/** The token from the previous page; undefined for the first. */
	readonly after: string | undefined;
};

/** Limit used in place of an invalid one. */
const FEW_INSTANCES = 5;

export const anyInstances: InstanceQuery = {
	filter: [],
	order: searchableInstances.order,
	columns: undefined,
	limit: searchableInstances.page.usual,
	after: undefined,
};

/** Unknown parameters are ignored. */
export function parseInstanceQuery(query: Readonly<Record<string, unknown>>): InstanceQuery {
	const {order = searchableInstances.order, ...read} = readSearchQuery(searchableInstances, query);
	return {...read, order, limit: readLimit(query['limit']), after: readAfter(query)};
}

function readLimit(value: unknown): number {
	const {usual, most} = searchableInstances.page;
	if (value === undefined || value === '') return usual;
	const limit = readNumber(value);
	if (limit === undefined || !Number.isInteger(limit)) {
		throw queryError('limit takes a whole number');
	}
	return limit <= 0 ? FEW_INSTANCES : Math.min(limit, most);
}

/** Writes a query for the wire. Reading it again yields the same query. */
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
		...(order.length > 0 && {order_by: printSearchOrder(order)}),
		...(columns !== undefined && {select_cols: JSON.stringify(columns)}),
		...(after !== undefined && {after_token: after}),
	};
}

const text = z.optional(z.string());

const query = dependentBody<InstanceQuery>({
	throws: [FilterError],
	read: parseInstanceQuery,
	write: printInstanceQuery,
	takes: {
		limit: text,
		after_token: text,
		order_by: text,
		select_cols: text,
		select_filters: text,
	},
});

const found = {
	success: z.optional(z.boolean()),
	instances_found: z.optional(z.number()),
	instances: z.array(instance),
};

const records = {name: 'instances', record: instance, hasIds: true} as const;

export const list = endpoint({
	method: 'GET',
	path: '/api/v0/instances/',
	summary: 'List all your instances',
	replies: {200: listReply(z.looseObject(found), records), ...commonRefusals},
	permission: 'instance_read',
	thresholdSeconds: 1,
});

export const page = endpoint({
	method: 'GET',
	path: '/api/v1/instances/',
	summary: 'List your instances: page by page, by a filter',
	query,
	same: {'query.filter': 'instances'},
	replies: {
		200: listReply(
			z.looseObject({
				...found,
				total_instances: z.optional(z.number()),
				/** Instances by label; those without a label under the empty text. */
				label_counts: z.nullish(z.record(z.string(), z.number())),
				next_token: z.nullish(z.string()),
			}),
			records,
		),
		...commonRefusals,
	},
	permission: 'instance_read',
	thresholdSeconds: 1,
	unfit: 'badRequest',
});

const combination = z.looseObject({
	actual_status: z.nullish(z.string()),
	verification: z.nullish(z.string()),
	gpu_name: z.nullish(z.string()),
});

export type InstanceCombination = z.output<typeof combination>;

export const filters = endpoint({
	method: 'GET',
	path: '/api/v0/instances/filters/',
	summary: 'List what your instances can be filtered by',
	replies: {200: z.looseObject({filters: z.array(combination)}), ...commonRefusals},
	permission: 'instance_read',
	thresholdSeconds: 1,
});

export const show = endpoint({
	method: 'GET',
	path: '/api/v0/instances/{id}/',
	summary: 'Show one of your instances',
	params: pathWithId,
	// A reply without the field `instances` does not mean that the instance is gone.
	same: {'params.id': 'instances.id'},
	replies: {200: z.looseObject({instances: z.nullable(instance)}), ...commonRefusals},
	permission: 'instance_read',
	thresholdSeconds: 2,
});

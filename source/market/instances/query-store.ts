/** Search of instances as SQL; `contract/grammar/filter-match.ts` is its twin. */
import {sql, type RawBuilder} from 'kysely';
import {
	searchableInstances,
	type InstanceField,
	type InstanceOrderField,
	type InstanceQuery,
} from '../../contract/nouns/instances.ts';
import type {RentedColumn} from '../database/schema.ts';
import {comparedSql, conditionsSql, sqlArithmetic} from '../database/search-sql.ts';

type Sql = RawBuilder<unknown>;

export type InstanceSortKey = {
	readonly value: Sql;
	readonly direction: 'asc' | 'desc';
	/** Type of its values that are not null. */
	readonly type: 'number' | 'string';
};

export function instanceConditions({filter}: Pick<InstanceQuery, 'filter'>): readonly Sql[] {
	const fields = {
		types: searchableInstances.fields,
		sqlOf: fieldSql,
		country: column('offers.country'),
	};
	return conditionsSql(filter, fields);
}

/** True if a filter tests only fields of instances, and none of their offers. */
export function isOfInstancesAlone(filter: InstanceQuery['filter']): boolean {
	return filter.every(({field}) => columnOf(field).startsWith('instances.'));
}

/** Sort keys of a query. The last is the id, so that the order is total. */
export function instanceSortKeys({
	order,
}: Pick<InstanceQuery, 'order'>): readonly InstanceSortKey[] {
	// Later mentions of a field have no effect.
	const first = new Map(order.toReversed());
	const fields = [...new Set(order.map(([field]) => field))];
	const keys = fields.map((field): InstanceSortKey => {
		const isText = textTypes.has(searchableInstances.orderFields[field]);
		const direction = first.get(field) ?? 'asc';
		return {value: fieldSql(field), direction, type: isText ? 'string' : 'number'};
	});
	return [...keys, {value: column('instances.id'), direction: 'asc', type: 'number'}];
}

const textTypes: ReadonlySet<string> = new Set(['text', 'name', 'place']);

/** A field in its compared form. */
function fieldSql(field: InstanceOrderField): Sql {
	if (isComputed(field)) return computed[field];
	const shown = comparedSql(searchableInstances.fields[field], columnOf(field));
	const blank = blanks[field];
	return blank === undefined ? shown : sql`coalesce(${shown}, ${sql.lit(blank)})`;
}

function columnOf(field: InstanceField): RentedColumn {
	return isElsewhere(field) ? columns[field] : `offers.${field}`;
}

function isElsewhere(field: InstanceField): field is keyof typeof columns {
	return Object.hasOwn(columns, field);
}

/** Placeholders of unknown fields that clients expect. */
const blanks: Partial<Record<InstanceField, '' | 0>> = {
	gpu_arch: '',
	cpu_name: '',
	cpu_arch: '',
	disk_name: '',
	mobo_name: '',
	geolocation: '',
	verification: '',
	gpu_mem_bw: 0,
	disk_bw: 0,
	pci_gen: 0,
	pcie_bw: 0,
	total_flops: 0,
	reliability2: 0,
};

type Computed = Exclude<InstanceOrderField, InstanceField>;

function isComputed(field: InstanceOrderField): field is Computed {
	return Object.hasOwn(computed, field);
}

/** Fields that the offer has under the same name. */
type SameName = Extract<InstanceField, OfferColumn>;

type OfferColumn = RentedColumn extends infer Column
	? Column extends `offers.${infer Name}`
		? Name
		: never
	: never;

/** Columns of the other fields, some compared in another form. */
const columns = {
	id: 'instances.id',
	actual_status: 'instances.actual',
	intended_status: 'instances.intended',
	cur_state: 'instances.current',
	next_state: 'instances.next',
	status_msg: 'instances.message',
	label: 'instances.label',
	template_id: 'instances.template_id',
	template_hash_id: 'instances.template_hash',
	template_name: 'instances.template_name',
	image_uuid: 'instances.image',
	is_bid: 'instances.is_bid',
	start_date: 'instances.created_at',
	end_date: 'instances.end_date',
	disk_space: 'instances.disk_gb',
	machine_id: 'instances.machine_id',
	gpu_name: 'offers.gpu_key',
	gpu_totalram: 'offers.gpu_total_ram',
	driver_version: 'offers.driver_vers',
	country_code: 'offers.country',
	reliability2: 'offers.reliability',
} as const satisfies Readonly<Record<Exclude<InstanceField, SameName>, RentedColumn>> &
	Readonly<Partial<Record<SameName, RentedColumn>>>;

const {dollars, ratio} = sqlArithmetic;
const base = dollars('instances.gpu_micros');
const storage = dollars('instances.storage_micros');
const diskHour = sql`(${storage} * instances.disk_gb / 720.0)`;
const total = sql`(${base} + ${diskHour})`;
const up = dollars('instances.up_micros');
const down = dollars('instances.down_micros');

/** Fields without a column. Prices have their formulas in `columns-rules.ts`. */
const computed: Readonly<Record<Computed, Sql>> = {
	num_gpus: column('offers.num_gpus'),
	gpu_frac: orZero(column('offers.gpu_frac')),
	cpu_cores_effective: column('offers.cpu_cores_effective'),
	// Order by the end: the remaining time would differ between pages.
	duration: column('instances.end_date'),
	uptime_mins: sql`(-instances.running_since)`,
	min_bid: sql`
		(case
			when instances.is_bid = 0 then 0
			when instances.current = 'running' then ${base}
			else coalesce(${dollars('offers.min_bid_micros')}, 0)
		end)`,
	dph_base: base,
	dph_total: total,
	storage_cost: storage,
	storage_total_cost: diskHour,
	vram_costperhour: orZero(ratio(total, column('offers.gpu_total_ram'))),
	dlperf_per_dphtotal: orZero(ratio(column('offers.dlperf'), total)),
	flops_per_dphtotal: orZero(ratio(column('offers.total_flops'), total)),
	inet_up_cost: up,
	inet_down_cost: down,
	internet_up_cost_per_tb: sql`(${up} * 1024)`,
	internet_down_cost_per_tb: sql`(${down} * 1024)`,
};

function orZero(value: Sql): Sql {
	return sql`coalesce(${value}, 0)`;
}

function column(name: RentedColumn): Sql {
	return sql.raw(name);
}

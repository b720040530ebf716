/**
 * Table of offers: the content of each column, and the column or formula of each search field. SQL, the
 * columns in memory and replies are made from this table.
 */
import type {Scalar} from '../../contract/grammar/filter.ts';
import {DEFAULT_DISK_GB, type OfferField} from '../../contract/nouns/offer-search.ts';
import type {OfferTableColumn} from '../database/schema.ts';
import {startOfMinute} from '../base/contract-end.ts';
import type {PriceTerms} from './pricing-rules.ts';

/**
 * Offer columns, in the order of replies. A flag stores true as 1. Some columns exist for replies
 * alone, and some for searches alone.
 */
const offerColumns = {
	id: 'number',
	machine_id: 'number',
	host_id: 'number',
	cluster_id: 'number',
	bundle_id: 'number',
	hosting_type: 'number',
	hostname: 'text',
	num_gpus: 'number',
	gpu_name: 'shown text',
	gpu_arch: 'text',
	gpu_ram: 'number',
	gpu_total_ram: 'number',
	gpu_frac: 'number',
	gpu_lanes: 'number',
	gpu_mem_bw: 'number',
	gpu_max_power: 'number',
	gpu_max_temp: 'number',
	bw_nvlink: 'number',
	compute_cap: 'number',
	cuda_max_good: 'number',
	driver_version: 'shown text',
	driver_vers: 'number',
	cpu_name: 'text',
	cpu_arch: 'text',
	cpu_cores: 'number',
	cpu_cores_effective: 'number',
	cpu_ghz: 'number',
	cpu_ram: 'number',
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
	direct_port_count: 'number',
	public_ipaddr: 'text',
	geolocation: 'text',
	geolocode: 'number',
	verification: 'text',
	reliability: 'number',
	reliability_mult: 'number',
	expected_reliability: 'number',
	score: 'number',
	dlperf: 'number',
	total_flops: 'number',
	start_date: 'number',
	end_date: 'number',
	avail_vol_ask_id: 'number',
	avail_vol_size: 'number',
	gpu_display_active: 'flag',
	static_ip: 'flag',
	rentable: 'flag',
	rented: 'flag',
	external: 'flag',
	is_vm_deverified: 'flag',
	vms_enabled: 'flag',
	listed: 'compared flag',
	dph_base_micros: 'compared number',
	min_bid_micros: 'compared number',
	storage_cost_micros: 'compared number',
	inet_up_cost_micros: 'compared number',
	inet_down_cost_micros: 'compared number',
	avail_vol_micros: 'compared number',
	credit_discount_max: 'compared number',
	verified: 'compared flag',
	default_dph_total: 'compared number',
	default_dlperf_per_dph: 'compared number',
	default_flops_per_dph: 'compared number',
	gpu_ids: 'compared text',
	gpu_key: 'compared text',
} as const satisfies Partial<
	Record<OfferTableColumn, `${'' | 'shown ' | 'compared '}${'number' | 'flag' | 'text'}`>
>;

type Columns = typeof offerColumns;
type ColumnOf<Kind> = {
	[Name in keyof Columns]: Columns[Name] extends Kind ? Name : never;
}[keyof Columns];

/** Columns that searches compare as numbers. */
export type NumberName = (typeof numberNames)[number];
/** Columns that searches compare as texts, in lower case. */
export type TextName = (typeof textNames)[number];
/** Columns that replies show unchanged. */
export type PlainName = (typeof plainNames)[number];
export type FlagName = (typeof flagNames)[number];

/** Columns of some kinds, in the order of replies. */
function columnsOf<Kind extends string>(...kinds: readonly Kind[]): ReadonlyArray<ColumnOf<Kind>> {
	const named = Object.entries(offerColumns).filter(([, kind]) => kinds.some(one => one === kind));
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its kind is one of them
	return named.map(([name]) => name) as Array<ColumnOf<Kind>>;
}

export const numberNames = columnsOf('number', 'flag', 'compared number', 'compared flag');
export const textNames = columnsOf('text', 'compared text');
export const plainNames = columnsOf('number', 'shown number', 'text', 'shown text');
export const flagNames = columnsOf('flag', 'shown flag');

type Micros = Extract<NumberName, `${string}_micros`>;

/** Operations of formulas: over text in SQL, over functions of a row in memory. */
export type Arithmetic<Value, Column extends string = NumberName> = {
	readonly column: (name: Column) => Value;
	readonly dollars: (micros: Column & `${string}_micros`) => Value;
	/** Hourly cost of a disk at a monthly price. */
	readonly diskHour: (micros: Column & `${string}_micros`, gb: number) => Value;
	readonly sum: (one: Value, other: Value) => Value;
	/** Quotient; unknown for a division by zero. */
	readonly ratio: (value: Value, by: Value) => Value;
	/** Amount by which a column exceeds a number. */
	readonly above: (name: Column, number: number) => Value;
	readonly isOne: (name: Column) => Value;
	/** Index of a text in a list; unknown if missing. */
	readonly placeOf: (name: TextName, texts: readonly string[]) => Value;
};

export type SearchTerms = PriceTerms & {readonly now: number};

/** Formula of a field, with the same steps everywhere, so that numbers are equal bit for bit. */
type Formula = <Value>(of: Arithmetic<Value>, terms: SearchTerms) => Value;

/** Fields stored under another name, or in their compared form. */
const renamed = {
	ask_contract_id: 'id',
	gpu_name: 'gpu_key',
	driver_version: 'driver_vers',
} as const satisfies Partial<Record<OfferField, NumberName | TextName>>;

/** Prices on usual terms, which are stored with the offer for indexes. */
const kept = {
	dph_total: 'default_dph_total',
	dlperf_per_dphtotal: 'default_dlperf_per_dph',
	flops_per_dphtotal: 'default_flops_per_dph',
} as const satisfies Partial<Record<OfferField, NumberName>>;

const total: Formula = (of, terms) =>
	isUsual(terms)
		? of.column(kept.dph_total)
		: of.sum(of.dollars(baseOf(terms)), of.diskHour('storage_cost_micros', terms.diskGb));

/** Statuses of a machine by their number in the API. */
export const vericodes: readonly string[] = ['unverified', 'verified', 'deverified'];

/** Fields with the same value for every offer, null if unknown here. */
export const constantFields = {
	resource_type: 'gpu',
	bundled_results: null,
	nw_disk_min_bw: null,
	nw_disk_max_bw: null,
	nw_disk_avg_bw: null,
	platform_fee: null,
	logo: null,
	webpage: null,
} as const satisfies Partial<Record<OfferField, Scalar>>;

type ConstantField = keyof typeof constantFields | 'is_bid';

type Computed = Exclude<OfferField, NumberName | TextName | keyof typeof renamed | ConstantField>;

const formulas: Readonly<Record<Computed, Formula>> = {
	datacenter: of => of.isOne('hosting_type'),
	vericode: of => of.placeOf('verification', vericodes),
	duration: (of, {now}) => of.above('end_date', startOfMinute(now)),
	min_bid: of => of.dollars('min_bid_micros'),
	storage_cost: of => of.dollars('storage_cost_micros'),
	inet_up_cost: of => of.dollars('inet_up_cost_micros'),
	inet_down_cost: of => of.dollars('inet_down_cost_micros'),
	storage_total_cost: (of, {diskGb}) => of.diskHour('storage_cost_micros', diskGb),
	avail_vol_dph: of => of.diskHour('avail_vol_micros', 1),
	dph_base: (of, terms) => of.dollars(baseOf(terms)),
	dph_total: total,
	dlperf_per_dphtotal: (of, terms) => of.ratio(of.column('dlperf'), total(of, terms)),
	flops_per_dphtotal: (of, terms) => of.ratio(of.column('total_flops'), total(of, terms)),
	vram_costperhour: (of, terms) => of.ratio(total(of, terms), of.column('gpu_total_ram')),
};

export type Constant = {readonly constant: Scalar};

export function sourceOf(
	field: OfferField,
	terms: SearchTerms,
): NumberName | TextName | Formula | Constant {
	if (field === 'is_bid') return {constant: terms.pricing === 'bid'};
	if (isIn(constantFields, field)) return {constant: constantFields[field]};
	if (isIn(renamed, field)) return renamed[field];
	if (isIn(kept, field) && isUsual(terms)) return kept[field];
	return isIn(formulas, field) ? formulas[field] : field;
}

function isIn<Table extends object>(table: Table, field: PropertyKey): field is keyof Table {
	return Object.hasOwn(table, field);
}

/** True if these terms have their prices stored with the offers. */
export function isUsual({pricing, diskGb}: PriceTerms): boolean {
	return pricing !== 'bid' && diskGb === DEFAULT_DISK_GB;
}

function baseOf({pricing}: PriceTerms): Micros {
	return pricing === 'bid' ? 'min_bid_micros' : 'dph_base_micros';
}

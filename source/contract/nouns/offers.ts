import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {FilterError} from '../grammar/filter.ts';
import {listReply} from '../grammar/list-reply.ts';
import {parseOfferSearch, printOfferSearch, type OfferSearch} from './offer-search.ts';
import {tolerant} from '../grammar/tolerant.ts';
import * as value from '../grammar/values.ts';

/** Hourly price of an offer or an instance, part by part, in dollars. */
export const priceParts = tolerant(
	{},
	{
		gpuCostPerHour: value.dollarsPerHour,
		diskHour: value.dollarsPerHour,
		totalHour: value.dollarsPerHour,
		discountTotalHour: value.dollarsPerHour,
		discountedTotalPerHour: value.dollarsPerHour,
	},
);

const hardware = {
	machine_id: value.id,
	host_id: value.id,
	cluster_id: value.id,
	bundle_id: value.id,
	hosting_type: z.int(),
	hostname: z.string(),
	resource_type: z.string(),
	num_gpus: value.amount,
	gpu_name: z.string(),
	gpu_arch: z.string(),
	gpu_ram: value.megabytes,
	gpu_total_ram: value.megabytes,
	gpu_frac: value.share,
	gpu_ids: z.array(z.int()),
	gpu_lanes: z.int(),
	gpu_mem_bw: value.gigabytesPerSecond,
	gpu_max_power: value.watts,
	gpu_max_temp: value.celsius,
	gpu_display_active: z.boolean(),
	bw_nvlink: value.gigabytesPerSecond,
	compute_cap: z.int(),
	cuda_max_good: value.figure,
	driver_version: z.string(),
	driver_vers: z.int(),
	cpu_name: z.string(),
	cpu_arch: z.string(),
	cpu_cores: value.figure,
	cpu_cores_effective: value.figure,
	cpu_ghz: value.gigahertz,
	cpu_ram: value.megabytes,
	has_avx: z.int(),
	disk_name: z.string(),
	disk_space: value.gigabytes,
	disk_bw: value.megabytesPerSecond,
	pci_gen: value.figure,
	pcie_bw: value.gigabytesPerSecond,
	mobo_name: z.string(),
	os_version: z.string(),
	inet_up: value.megabitsPerSecond,
	inet_down: value.megabitsPerSecond,
	direct_port_count: z.int(),
	static_ip: z.boolean(),
	public_ipaddr: z.string(),
	geolocation: z.string(),
	geolocode: z.int(),
	nw_disk_min_bw: value.figure,
	nw_disk_max_bw: value.figure,
	nw_disk_avg_bw: value.figure,
};

/** Volume space on the same machine: its offer, the price of one GB, and the free size. */
const room = {
	avail_vol_ask_id: value.id,
	avail_vol_dph: value.dollarsPerHour,
	avail_vol_size: value.gigabytes,
};

const prices = {
	dph_base: value.dollarsPerHour,
	dph_total: value.dollarsPerHour,
	dph_total_adj: value.dollarsPerHour,
	min_bid: value.dollarsPerHour,
	is_bid: z.boolean(),
	storage_cost: value.dollarsPerGbMonth,
	storage_total_cost: value.dollarsPerHour,
	vram_costperhour: value.dollarsPerHour,
	inet_up_cost: value.dollarsPerGb,
	inet_down_cost: value.dollarsPerGb,
	internet_up_cost_per_tb: value.dollarsPerTb,
	internet_down_cost_per_tb: value.dollarsPerTb,
	discount_rate: value.share,
	discounted_hourly: value.dollarsPerHour,
	discounted_dph_total: value.dollarsPerHour,
	credit_discount_max: value.share,
	platform_fee: value.figure,
	search: priceParts,
	instance: priceParts,
};

const status = {
	rentable: z.boolean(),
	rented: z.boolean(),
	external: z.boolean(),
	verification: z.string(),
	vericode: z.int(),
	is_vm_deverified: z.boolean(),
	vms_enabled: z.boolean(),
	/**
	 * Isolation of instances on the machine, if the service reports it: `sandbox, no limit of
	 * disk`.
	 */
	isolation: z.string(),
	/**
	 * Proof of its GPUs by the market itself, if the service makes one: the least measured speed of
	 * each card.
	 */
	measured: z.looseObject({
		at: value.instant,
		/** Gigabytes of memory proven. */
		memory_gb: value.figure,
		/** Operations on int8 in units of 10¹² a second. */
		int8_tops: value.figure,
		/** Terabytes of memory read in a second. */
		memory_tbs: value.figure,
	}),
	reliability: value.share,
	reliability2: value.share,
	reliability_mult: value.share,
	expected_reliability: value.share,
	score: value.figure,
	dlperf: value.figure,
	dlperf_per_dphtotal: value.figure,
	total_flops: value.figure,
	flops_per_dphtotal: value.figure,
	start_date: value.instant,
	end_date: value.instant,
	duration: value.seconds,
	time_remaining: z.string(),
	time_remaining_isbid: z.string(),
	bundled_results: z.int(),
	rn: z.int(),
	logo: z.string(),
	webpage: z.string(),
};

/** A machine, or a share of one, that can be rented: an "ask". Unknown fields are kept. */
export const offer = tolerant(
	{id: value.id},
	{ask_contract_id: value.id, ...hardware, ...room, ...prices, ...status},
);

export type Offer = z.output<typeof offer>;

/** The body of a search, on the wire and read. */
const offerSearch = z.codec(z.record(z.string(), z.unknown()), z.custom<OfferSearch>(), {
	decode(body, context) {
		try {
			return parseOfferSearch(body);
		} catch (error) {
			if (!(error instanceof FilterError)) throw error;
			context.issues.push({code: 'custom', input: body, message: error.message});
			return z.NEVER;
		}
	},
	encode: printOfferSearch,
});

export const search = endpoint({
	method: 'POST',
	path: '/api/v0/bundles/',
	aliases: [
		{method: 'PUT', path: '/api/v0/bundles/'},
		{method: 'GET', path: '/api/v0/bundles/', bodyIn: 'q of query'},
		{method: 'PUT', path: '/api/v0/search/asks/', bodyIn: 'q of body'},
	],
	summary: 'Search the offers that can be rented',
	onlyReads: true,
	body: offerSearch,
	same: {'body.filter': 'offers'},
	replies: {
		200: listReply(z.looseObject({offers: z.array(offer)}), {
			name: 'offers',
			record: offer,
			hasIds: true,
		}),
		...commonRefusals,
	},
	permission: 'misc',
	keyless: true,
	thresholdSeconds: 6,
	unfit: 'badRequest',
});

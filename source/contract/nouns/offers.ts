import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {FilterError} from '../grammar/filter.ts';
import {listReply} from '../grammar/list-reply.ts';
import {parseOfferSearch, printOfferSearch, type OfferSearch} from './offer-search.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {
	amount,
	celsius,
	dollarsPerGb,
	dollarsPerGbMonth,
	dollarsPerHour,
	dollarsPerTb,
	figure,
	gigabytes,
	gigabytesPerSecond,
	gigahertz,
	id,
	instant,
	megabitsPerSecond,
	megabytes,
	megabytesPerSecond,
	seconds,
	share,
	watts,
} from '../grammar/values.ts';

/** Hourly price of an offer or an instance, part by part, in dollars. */
export const priceParts = tolerant(
	{},
	{
		gpuCostPerHour: dollarsPerHour,
		diskHour: dollarsPerHour,
		totalHour: dollarsPerHour,
		discountTotalHour: dollarsPerHour,
		discountedTotalPerHour: dollarsPerHour,
	},
);

const hardware = {
	machine_id: id,
	host_id: id,
	cluster_id: id,
	bundle_id: id,
	hosting_type: z.int(),
	hostname: z.string(),
	resource_type: z.string(),
	num_gpus: amount,
	gpu_name: z.string(),
	gpu_arch: z.string(),
	gpu_ram: megabytes,
	gpu_total_ram: megabytes,
	gpu_frac: share,
	gpu_ids: z.array(z.int()),
	gpu_lanes: z.int(),
	gpu_mem_bw: gigabytesPerSecond,
	gpu_max_power: watts,
	gpu_max_temp: celsius,
	gpu_display_active: z.boolean(),
	bw_nvlink: gigabytesPerSecond,
	compute_cap: z.int(),
	cuda_max_good: figure,
	driver_version: z.string(),
	driver_vers: z.int(),
	cpu_name: z.string(),
	cpu_arch: z.string(),
	cpu_cores: figure,
	cpu_cores_effective: figure,
	cpu_ghz: gigahertz,
	cpu_ram: megabytes,
	has_avx: z.int(),
	disk_name: z.string(),
	disk_space: gigabytes,
	disk_bw: megabytesPerSecond,
	pci_gen: figure,
	pcie_bw: gigabytesPerSecond,
	mobo_name: z.string(),
	os_version: z.string(),
	inet_up: megabitsPerSecond,
	inet_down: megabitsPerSecond,
	direct_port_count: z.int(),
	static_ip: z.boolean(),
	public_ipaddr: z.string(),
	geolocation: z.string(),
	geolocode: z.int(),
	nw_disk_min_bw: figure,
	nw_disk_max_bw: figure,
	nw_disk_avg_bw: figure,
};

/** Room for volumes on the same machine: its offer, the price of one GB, and what is free. */
const room = {avail_vol_ask_id: id, avail_vol_dph: dollarsPerHour, avail_vol_size: gigabytes};

const prices = {
	dph_base: dollarsPerHour,
	dph_total: dollarsPerHour,
	dph_total_adj: dollarsPerHour,
	min_bid: dollarsPerHour,
	is_bid: z.boolean(),
	storage_cost: dollarsPerGbMonth,
	storage_total_cost: dollarsPerHour,
	vram_costperhour: dollarsPerHour,
	inet_up_cost: dollarsPerGb,
	inet_down_cost: dollarsPerGb,
	internet_up_cost_per_tb: dollarsPerTb,
	internet_down_cost_per_tb: dollarsPerTb,
	discount_rate: share,
	discounted_hourly: dollarsPerHour,
	discounted_dph_total: dollarsPerHour,
	credit_discount_max: share,
	platform_fee: figure,
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
	 * Isolation of instances on the machine, where the service says it: `sandbox, no limit of
	 * disk`.
	 */
	isolation: z.string(),
	reliability: share,
	reliability2: share,
	reliability_mult: share,
	expected_reliability: share,
	score: figure,
	dlperf: figure,
	dlperf_per_dphtotal: figure,
	total_flops: figure,
	flops_per_dphtotal: figure,
	start_date: instant,
	end_date: instant,
	duration: seconds,
	time_remaining: z.string(),
	time_remaining_isbid: z.string(),
	bundled_results: z.int(),
	rn: z.int(),
	logo: z.string(),
	webpage: z.string(),
};

/** A machine, or a share of one, that can be rented: an "ask". Unknown fields are kept. */
export const offer = tolerant(
	{id},
	{ask_contract_id: id, ...hardware, ...room, ...prices, ...status},
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

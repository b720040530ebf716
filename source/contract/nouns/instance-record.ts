/** An instance as the service shows it. */
import * as z from 'zod/mini';
import {leaseRecord} from './leases.ts';
import {priceParts} from './offers.ts';
import {tolerant} from '../grammar/tolerant.ts';
import * as value from '../grammar/values.ts';

const state = {
	actual_status: z.string(),
	intended_status: z.string(),
	cur_state: z.string(),
	next_state: z.string(),
	status_msg: z.string(),
	label: z.string(),
	template_id: value.id,
	template_hash_id: z.string(),
	template_name: z.string(),
	image_uuid: z.string(),
	image_args: z.readonly(z.array(z.string())),
	image_runtype: z.string(),
	/** Variables, and flags such as `-p 70001:70001` with the value `1`. */
	extra_env: z.readonly(z.array(z.readonly(z.tuple([z.string(), z.string()])))),
	onstart: z.string(),
	start_date: value.instant,
	end_date: value.instant,
	/** Remaining time until `end_date`; the age of the instance is the time since `start_date`. */
	duration: value.seconds,
	uptime_mins: value.figure,
	time_remaining: z.string(),
	time_remaining_isbid: z.string(),
	client_run_time: value.figure,
	host_run_time: value.figure,
	/** Lease by which the service ends the instance: null without one. */
	lease: leaseRecord,
};

/** The ports of the machine that forward to a port of the container. */
const boundPorts = z.array(z.looseObject({HostIp: z.string(), HostPort: z.string()}));

const access = {
	ssh_host: z.string(),
	ssh_idx: z.string(),
	ssh_port: z.int(),
	machine_dir_ssh_port: z.int(),
	public_ipaddr: z.string(),
	local_ipaddrs: z.string(),
	/** Ports of the machine by port of the container, such as `22/tcp`, of a running instance. */
	ports: z.record(z.string(), boundPorts),
	direct_port_count: z.int(),
	direct_port_start: z.int(),
	direct_port_end: z.int(),
	static_ip: z.boolean(),
	jupyter_token: z.string(),
};

const hardware = {
	machine_id: value.id,
	host_id: value.id,
	bundle_id: value.id,
	hosting_type: z.int(),
	num_gpus: value.amount,
	gpu_name: z.string(),
	gpu_arch: z.string(),
	gpu_frac: value.share,
	gpu_lanes: z.int(),
	gpu_mem_bw: value.gigabytesPerSecond,
	bw_nvlink: value.gigabytesPerSecond,
	gpu_ram: value.megabytes,
	gpu_totalram: value.megabytes,
	cpu_name: z.string(),
	cpu_arch: z.string(),
	cpu_cores: value.figure,
	cpu_cores_effective: value.figure,
	cpu_ram: value.megabytes,
	disk_name: z.string(),
	disk_bw: value.megabytesPerSecond,
	/** Disk given to the instance on its machine. */
	disk_space: value.gigabytes,
	inet_up: value.megabitsPerSecond,
	inet_down: value.megabitsPerSecond,
	os_version: z.string(),
	mobo_name: z.string(),
	pci_gen: value.figure,
	pcie_bw: value.gigabytesPerSecond,
	cuda_max_good: value.figure,
	driver_version: z.string(),
	geolocation: z.string(),
	country_code: z.string(),
	reliability2: value.share,
	verification: z.string(),
	/** Isolation of instances on the machine, if the service reports it. */
	isolation: z.string(),
	rentable: z.boolean(),
	external: z.boolean(),
	dlperf: value.figure,
	total_flops: value.figure,
	score: value.figure,
	logo: z.string(),
	webpage: z.string(),
};

/** Present usage. The disk is -1 while its usage is unknown. */
const usage = {
	/** Percent. */
	gpu_util: value.figure,
	gpu_temp: value.celsius,
	/** Percent. */
	cpu_util: value.figure,
	mem_limit: value.gigabytes,
	mem_usage: value.gigabytes,
	vmem_usage: value.gigabytes,
	disk_usage: value.gigabytes,
	disk_util: value.share,
	volume_info: z.array(
		z.looseObject({
			id: value.id,
			label: z.nullable(z.string()),
			avail_space: z.nullable(value.gigabytes),
			total_space: value.gigabytes,
		}),
	),
};

const prices = {
	is_bid: z.boolean(),
	min_bid: value.dollarsPerHour,
	dph_base: value.dollarsPerHour,
	dph_total: value.dollarsPerHour,
	storage_cost: value.dollarsPerGbMonth,
	storage_total_cost: value.dollarsPerHour,
	vram_costperhour: value.dollarsPerHour,
	dlperf_per_dphtotal: value.figure,
	flops_per_dphtotal: value.figure,
	inet_up_cost: value.dollarsPerGb,
	inet_down_cost: value.dollarsPerGb,
	internet_up_cost_per_tb: value.dollarsPerTb,
	internet_down_cost_per_tb: value.dollarsPerTb,
	/** Prices while it runs, and in its present state. */
	search: priceParts,
	instance: priceParts,
	credit_balance: value.dollars,
	credit_discount: value.share,
	credit_discount_max: value.share,
};

/** Unknown fields are kept. */
export const instance = tolerant(
	{id: value.id},
	{...state, ...access, ...hardware, ...usage, ...prices},
);

export type Instance = z.output<typeof instance>;

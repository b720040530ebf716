/** An instance as the service shows it. */
import * as z from 'zod/mini';
import {leaseRecord} from './leases.ts';
import {priceParts} from './offers.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {
	amount,
	celsius,
	dollars,
	dollarsPerGb,
	dollarsPerGbMonth,
	dollarsPerHour,
	dollarsPerTb,
	figure,
	gigabytes,
	gigabytesPerSecond,
	id,
	instant,
	megabitsPerSecond,
	megabytes,
	megabytesPerSecond,
	seconds,
	share,
} from '../grammar/values.ts';

/** State and image of an instance. */
const state = {
	actual_status: z.string(),
	intended_status: z.string(),
	cur_state: z.string(),
	next_state: z.string(),
	status_msg: z.string(),
	label: z.string(),
	template_id: id,
	template_hash_id: z.string(),
	template_name: z.string(),
	image_uuid: z.string(),
	image_args: z.readonly(z.array(z.string())),
	image_runtype: z.string(),
	/** Variables, and flags such as `-p 70001:70001` with the value `1`. */
	extra_env: z.readonly(z.array(z.readonly(z.tuple([z.string(), z.string()])))),
	onstart: z.string(),
	start_date: instant,
	end_date: instant,
	/** Time left until `end_date`: its age is the time since `start_date`. */
	duration: seconds,
	uptime_mins: figure,
	time_remaining: z.string(),
	time_remaining_isbid: z.string(),
	client_run_time: figure,
	host_run_time: figure,
	/** Lease by which the service ends the instance: null without one. */
	lease: leaseRecord,
};

/** The ports of the machine at which a port of the container is reached. */
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
	machine_id: id,
	host_id: id,
	bundle_id: id,
	hosting_type: z.int(),
	num_gpus: amount,
	gpu_name: z.string(),
	gpu_arch: z.string(),
	gpu_frac: share,
	gpu_lanes: z.int(),
	gpu_mem_bw: gigabytesPerSecond,
	bw_nvlink: gigabytesPerSecond,
	gpu_ram: megabytes,
	gpu_totalram: megabytes,
	cpu_name: z.string(),
	cpu_arch: z.string(),
	cpu_cores: figure,
	cpu_cores_effective: figure,
	cpu_ram: megabytes,
	disk_name: z.string(),
	disk_bw: megabytesPerSecond,
	/** Disk given to the instance on its machine. */
	disk_space: gigabytes,
	inet_up: megabitsPerSecond,
	inet_down: megabitsPerSecond,
	os_version: z.string(),
	mobo_name: z.string(),
	pci_gen: figure,
	pcie_bw: gigabytesPerSecond,
	cuda_max_good: figure,
	driver_version: z.string(),
	geolocation: z.string(),
	country_code: z.string(),
	reliability2: share,
	verification: z.string(),
	/** Isolation of instances on the machine, if the service reports it. */
	isolation: z.string(),
	rentable: z.boolean(),
	external: z.boolean(),
	dlperf: figure,
	total_flops: figure,
	score: figure,
	logo: z.string(),
	webpage: z.string(),
};

/** Present usage. The disk is -1 while its usage is unknown. */
const usage = {
	/** Percent. */
	gpu_util: figure,
	gpu_temp: celsius,
	/** Percent. */
	cpu_util: figure,
	mem_limit: gigabytes,
	mem_usage: gigabytes,
	vmem_usage: gigabytes,
	disk_usage: gigabytes,
	disk_util: share,
	volume_info: z.array(
		z.looseObject({
			id,
			label: z.nullable(z.string()),
			avail_space: z.nullable(gigabytes),
			total_space: gigabytes,
		}),
	),
};

const prices = {
	is_bid: z.boolean(),
	min_bid: dollarsPerHour,
	dph_base: dollarsPerHour,
	dph_total: dollarsPerHour,
	storage_cost: dollarsPerGbMonth,
	storage_total_cost: dollarsPerHour,
	vram_costperhour: dollarsPerHour,
	dlperf_per_dphtotal: figure,
	flops_per_dphtotal: figure,
	inet_up_cost: dollarsPerGb,
	inet_down_cost: dollarsPerGb,
	internet_up_cost_per_tb: dollarsPerTb,
	internet_down_cost_per_tb: dollarsPerTb,
	/** Prices while it runs, and in its present state. */
	search: priceParts,
	instance: priceParts,
	credit_balance: dollars,
	credit_discount: share,
	credit_discount_max: share,
};

/** A rented container or virtual machine. Unknown fields are kept. */
export const instance = tolerant({id}, {...state, ...access, ...hardware, ...usage, ...prices});

export type Instance = z.output<typeof instance>;

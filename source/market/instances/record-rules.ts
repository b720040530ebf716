/** Instance records for callers, made from the instance's row and its offer. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {printRuntype} from '../../contract/rules/runtype.ts';
import type {Flag, LeaseRow, VolumeRow} from '../database/instance-tables.ts';
import {type ShownRow, instancePrices, instanceAddressesOf, shownUsageOf} from './columns-rules.ts';
import {startOfMinute} from '../base/contract-end.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {readInstanceSettings} from '../lifecycle/instance-rules.ts';
import {shownLease} from '../leases/rules.ts';

export type MountedVolume = Pick<VolumeRow, 'id' | 'label' | 'size_gb'>;

type InstanceView = {
	readonly now: number;
	/** By instance. */
	readonly volumes: ReadonlyMap<number, readonly MountedVolume[]>;
	/** By instance. */
	readonly leases: ReadonlyMap<number, LeaseRow>;
};

/** The named fields of an instance, and its id. Unknown names are null. */
export function selectedRecord(
	row: ShownRow,
	view: InstanceView,
	names: readonly string[],
): Instance {
	const record = instanceRecord(row, view);
	const values: Readonly<Record<string, unknown>> = Object.fromEntries(
		names.map(name => [name, Object.hasOwn(record, name) ? record[name] : null]),
	);
	// Clients fail on null ports.
	const ports = names.includes('ports') && {ports: record.ports ?? {}};
	return {...values, id: row.id, ...ports};
}

/**
 * The whole record of an instance, without ports that it does not have. Existing clients expect numbers
 * and texts, so unknown values are 0, -1 and ''.
 *
 * Lists are long, so a record is one object that gets more fields at every step: joining parts at the
 * end takes three times as long.
 */
export function instanceRecord(row: ShownRow, {now, volumes, leases}: InstanceView): Instance {
	return {
		...withReports(row),
		id: row.id,
		actual_status: row.actual,
		intended_status: row.intended,
		cur_state: row.current,
		next_state: row.next,
		status_msg: row.message,
		label: row.label,
		template_id: row.template_id,
		template_hash_id: row.template_hash,
		template_name: row.template_name,
		image_uuid: row.image,
		start_date: row.created_at,
		end_date: row.end_date,
		...timesOf(row, now),
		lease: shownLease(leases.get(row.id)),
		volume_info: (volumes.get(row.id) ?? []).map(({id, label, size_gb}) => ({
			id,
			label,
			avail_space: null,
			total_space: size_gb,
		})),
		// Hosts give instances any free ports, which form no range.
		direct_port_count: row.direct_port_count ?? -1,
		direct_port_start: -1,
		direct_port_end: -1,
		// Remaining time as text; existing services leave these fields empty, too.
		time_remaining: '',
		time_remaining_isbid: '',
		// Fields of other services that are unknown here.
		local_ipaddrs: '',
		client_run_time: 1,
		host_run_time: 1,
		...depositOf(row),
		logo: '',
		webpage: null,
	};
}

/** Deposit as of the last charge, and its discount. */
function depositOf({deposit_micros: micros, deposit_rate: rate}: ShownRow) {
	const isLeft = micros > 0;
	const left = micros / MICROS_PER_DOLLAR;
	return {credit_balance: isLeft ? left : null, credit_discount: isLeft ? rate : null};
}

/** Remaining and elapsed times, which change while the instance does not. */
function timesOf(
	{end_date, running_since}: Pick<ShownRow, 'end_date' | 'running_since'>,
	now: number,
) {
	const minute = startOfMinute(now);
	return {
		// An ended instance that is kept for its data has no time left.
		duration: Math.max(0, end_date - minute),
		uptime_mins: running_since === null ? null : Math.max(0, minute - running_since) / 60,
	};
}

/** Fields of the order and of the host's reports, without credentials. */
function withReports(row: ShownRow) {
	const settings = readInstanceSettings(row.settings);
	const access = instanceAddressesOf(row);
	const used = shownUsageOf(row);
	return {
		...withPrices(row),
		image_args: settings.args,
		image_runtype: printRuntype(settings.launch),
		extra_env: settings.env,
		onstart: settings.onstart,
		jupyter_token: settings.jupyter_token,
		ssh_host: access.ssh_host,
		ssh_idx: access.ssh_idx,
		ssh_port: access.ssh_port,
		machine_dir_ssh_port: access.machine_dir_ssh_port,
		public_ipaddr: access.public_ipaddr,
		ports: access.ports,
		gpu_util: used.gpu_util,
		gpu_temp: used.gpu_temp,
		cpu_util: used.cpu_util,
		mem_limit: used.mem_limit,
		mem_usage: used.mem_usage,
		vmem_usage: used.vmem_usage,
		disk_usage: used.disk_usage,
		disk_util: used.disk_util,
	};
}

function withPrices(row: ShownRow) {
	const prices = instancePrices(row);
	return {
		...machineOf(row),
		is_bid: prices.is_bid,
		min_bid: orZero(prices.min_bid),
		dph_base: prices.dph_base,
		dph_total: prices.dph_total,
		storage_cost: prices.storage_cost,
		storage_total_cost: prices.storage_total_cost,
		vram_costperhour: orZero(prices.vram_costperhour),
		dlperf_per_dphtotal: orZero(prices.dlperf_per_dphtotal),
		flops_per_dphtotal: orZero(prices.flops_per_dphtotal),
		inet_up_cost: prices.inet_up_cost,
		inet_down_cost: prices.inet_down_cost,
		internet_up_cost_per_tb: prices.internet_up_cost_per_tb,
		internet_down_cost_per_tb: prices.internet_down_cost_per_tb,
		search: prices.search,
		instance: prices.instance,
	};
}

/** Fields of the machine, in the instance's share. */
function machineOf(row: ShownRow) {
	return {
		machine_id: row.machine_id,
		host_id: row.host_id,
		bundle_id: row.bundle_id,
		hosting_type: row.hosting_type,
		num_gpus: row.num_gpus,
		gpu_name: row.gpu_name,
		gpu_arch: orEmpty(row.gpu_arch),
		gpu_frac: orZero(row.gpu_frac),
		gpu_lanes: orZero(row.gpu_lanes),
		gpu_mem_bw: orZero(row.gpu_mem_bw),
		bw_nvlink: orZero(row.bw_nvlink),
		gpu_ram: row.gpu_ram,
		gpu_totalram: row.gpu_total_ram,
		cpu_name: orEmpty(row.cpu_name),
		cpu_arch: orEmpty(row.cpu_arch),
		cpu_cores: row.cpu_cores,
		cpu_cores_effective: row.cpu_cores_effective,
		cpu_ram: row.cpu_ram,
		disk_name: orEmpty(row.disk_name),
		disk_bw: orZero(row.disk_bw),
		disk_space: row.disk_gb,
		inet_up: row.inet_up,
		inet_down: row.inet_down,
		static_ip: isSet(row.static_ip),
		os_version: row.os_version,
		mobo_name: orEmpty(row.mobo_name),
		pci_gen: orZero(row.pci_gen),
		pcie_bw: orZero(row.pcie_bw),
		cuda_max_good: row.cuda_max_good,
		driver_version: row.driver_version,
		geolocation: orEmpty(row.geolocation),
		country_code: row.country === null ? null : row.country.toUpperCase(),
		reliability2: orZero(row.reliability),
		verification: orEmpty(row.verification),
		isolation: row.isolation ?? undefined,
		rentable: isSet(row.rentable),
		external: isSet(row.external),
		dlperf: row.dlperf,
		total_flops: orZero(row.total_flops),
		score: row.score,
		credit_discount_max: row.credit_discount_max,
	};
}

function isSet(flag: Flag | null): boolean | null {
	return flag === null ? null : flag === 1;
}

function orEmpty(text: string | null): string {
	return text ?? '';
}

function orZero(figure: number | null): number {
	return figure ?? 0;
}

/** An instance as JSON in two halves, with the changing times between them. */
export type InstanceText = Pick<ShownRow, 'end_date' | 'running_since'> & {
	readonly head: string;
	readonly tail: string;
};

/** Writes the fields that stay until the instance, its offer, its lease or its volumes change. */
export function instanceText(row: ShownRow, beside: Omit<InstanceView, 'now'>): InstanceText {
	const {end_date, running_since} = row;
	const fields = Object.entries(instanceRecord(row, {now: 0, ...beside}));
	const passing = Object.keys(timesOf(row, 0));
	const first = fields.findIndex(([name]) => name === passing[0]);
	const part = (some: typeof fields) => JSON.stringify(Object.fromEntries(some));
	return {
		end_date,
		running_since,
		head: `${part(fields.slice(0, first)).slice(0, -1)},`,
		tail: `,${part(fields.slice(first + passing.length)).slice(1)}`,
	};
}

export function writeInstance({head, tail, ...row}: InstanceText, now: number): string {
	const {duration, uptime_mins: uptime} = timesOf(row, now);
	return `${head}"duration":${duration},"uptime_mins":${uptime}${tail}`;
}

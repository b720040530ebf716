/** Sources of an instance's record: its columns, its prices, and its host's reports. */
import type {RentedColumn, RentedRow} from '../database/schema.ts';
import {GB_PER_TB, HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import {metersOf, type InstanceState} from '../lifecycle/rules.ts';
import {toDollars, pricePartsOf, ratio} from '../offers/pricing-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {sshPortOf, type Access, type InstanceUsage} from '../../contract/nouns/host-work.ts';
import {readAccess, relayedInside} from '../lifecycle/instance-rules.ts';

export const instanceSqlColumns = [
	'instances.id',
	'instances.machine_id',
	'instances.label',
	'instances.created_at',
	'instances.end_date',
	'instances.settings',
	'instances.image',
	'instances.template_id',
	'instances.template_hash',
	'instances.template_name',
	'instances.is_bid',
	'instances.disk_gb',
	'instances.gpu_micros',
	'instances.storage_micros',
	'instances.up_micros',
	'instances.down_micros',
	'instances.actual',
	'instances.intended',
	'instances.current',
	'instances.next',
	'instances.message',
	'instances.contact',
	'instances.running_since',
	'instances.access',
	'instances.usage',
	'instances.relay',
	'instances.relay_port',
	'instances.deposit_micros',
	'instances.deposit_rate',
	'offers.host_id',
	'offers.bundle_id',
	'offers.hosting_type',
	'offers.num_gpus',
	'offers.gpu_name',
	'offers.gpu_arch',
	'offers.gpu_frac',
	'offers.gpu_lanes',
	'offers.gpu_mem_bw',
	'offers.bw_nvlink',
	'offers.gpu_ram',
	'offers.gpu_total_ram',
	'offers.cpu_name',
	'offers.cpu_arch',
	'offers.cpu_cores',
	'offers.cpu_cores_effective',
	'offers.cpu_ram',
	'offers.disk_name',
	'offers.disk_bw',
	'offers.inet_up',
	'offers.inet_down',
	'offers.direct_port_count',
	'offers.static_ip',
	'offers.public_ipaddr',
	'offers.os_version',
	'offers.mobo_name',
	'offers.pci_gen',
	'offers.pcie_bw',
	'offers.cuda_max_good',
	'offers.driver_version',
	'offers.geolocation',
	'offers.country',
	'offers.reliability',
	'offers.verification',
	'offers.isolation',
	'offers.rentable',
	'offers.external',
	'offers.dlperf',
	'offers.total_flops',
	'offers.score',
	'offers.min_bid_micros',
	'offers.credit_discount_max',
] as const satisfies readonly RentedColumn[];

type NameOf<Column> = Column extends `${string}.${infer Name}` ? Name : never;

export type ShownRow = Pick<
	RentedRow,
	NameOf<(typeof instanceSqlColumns)[number]> & keyof RentedRow
>;

/** All prices of an instance in dollars, by their API names. */
export function instancePrices(row: ShownRow) {
	const base = row.gpu_micros / MICROS_PER_DOLLAR;
	const storage = row.storage_micros / MICROS_PER_DOLLAR;
	const diskHour = (storage * row.disk_gb) / HOURS_PER_MONTH;
	const total = base + diskHour;
	const rate = row.deposit_micros > 0 ? row.deposit_rate : 0;
	const up = row.up_micros / MICROS_PER_DOLLAR;
	const down = row.down_micros / MICROS_PER_DOLLAR;
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but `advance` writes these
	const meters = metersOf(row as Pick<InstanceState, 'actual' | 'current' | 'contact'>);
	const [gpuNow, diskNow] = [meters.compute ? base : 0, meters.disk ? diskHour : 0];
	return {
		is_bid: row.is_bid === 1,
		min_bid: toDollars(leastBid(row)),
		dph_base: base,
		dph_total: total,
		storage_cost: storage,
		storage_total_cost: diskHour,
		vram_costperhour: ratio(total, row.gpu_total_ram),
		dlperf_per_dphtotal: ratio(row.dlperf, total),
		flops_per_dphtotal: ratio(row.total_flops, total),
		inet_up_cost: up,
		inet_down_cost: down,
		internet_up_cost_per_tb: up * GB_PER_TB,
		internet_down_cost_per_tb: down * GB_PER_TB,
		search: pricePartsOf(base, diskHour, total * rate),
		// Price in the present state.
		instance: pricePartsOf(gpuNow, diskNow, (gpuNow + diskNow) * rate),
	};
}

/** The bid of an instance with GPUs; without GPUs, the least bid that would win them. */
function leastBid({is_bid, current, gpu_micros, min_bid_micros}: ShownRow): number | null {
	if (is_bid === 0) return null;
	return current === 'running' ? gpu_micros : min_bid_micros;
}

type Reached = Pick<
	ShownRow,
	'id' | 'access' | 'actual' | 'public_ipaddr' | 'settings' | 'relay' | 'relay_port'
>;

/** Addresses of an instance: SSH from its creation on, ports only while it runs. */
export function instanceAddressesOf(row: Reached) {
	const {id, access, actual, public_ipaddr: known} = row;
	const address = trimmed(known);
	const relay = relayOf(row);
	if (access === null) {
		const ssh = {ssh_host: address, ssh_port: sshPortOf(id), ...relay?.ssh};
		return {...unreached, ...ssh, public_ipaddr: address};
	}
	const said = readAccess(access);
	const {ssh_host, ssh_port} = {...said, ...relay?.ssh};
	const reached = reachedAt(said, address, relay);
	return {
		ssh_host,
		ssh_idx: numberOfProxy(ssh_host) ?? '',
		ssh_port,
		machine_dir_ssh_port: said.machine_dir_ssh_port ?? -1,
		public_ipaddr: trimmed(reached.host),
		ports: actual === 'running' ? reached.ports : undefined,
	};
}

/** Address of ports: at the relay, if the machine is not reachable. */
function reachedAt(said: Access, address: string, relay: ReturnType<typeof relayOf>) {
	if (said.public_ipaddr !== null) {
		return {host: said.public_ipaddr ?? address, ports: portsOf(said)};
	}
	return relay ?? {host: address, ports: {}};
}

/** Address of an instance's SSH at its relay, and its ports there. */
function relayOf({relay, relay_port: first, settings, access}: Reached) {
	if (relay === null || first === null) return undefined;
	const inside = relayedInside({settings, access});
	const ports = new Map<string, Array<{HostIp: string; HostPort: string}>>();
	for (const [index, port] of inside.entries()) {
		const name = `${port}/tcp`;
		if (port !== 0 && !ports.has(name)) {
			ports.set(name, [{HostIp: relay, HostPort: String(first + index)}]);
		}
	}
	const ssh = {ssh_host: relay, ssh_port: first};
	return {host: relay, ssh, ports: Object.fromEntries(ports)};
}

const unreached = {
	ssh_idx: '',
	machine_dir_ssh_port: -1,
	public_ipaddr: '',
	ports: undefined,
};

/** Address without blanks: clients put it into a command as it is. */
function trimmed(address: string | null): string {
	return (address ?? '').trim();
}

/** Mapped ports. The direct SSH port is always included: clients look it up here first. */
function portsOf({ports = {}, machine_dir_ssh_port: direct}: Access): Access['ports'] {
	if (direct === undefined || direct === null) return ports;
	return {'22/tcp': [{HostIp: '0.0.0.0', HostPort: String(direct)}], ...ports};
}

/** Number in the name of a proxy, such as 2281 in `ssh2281.example.org`. */
function numberOfProxy(host: string): string | null {
	return /^ssh(\d+)\./.exec(host)?.[1] ?? null;
}

/** Usage of an instance, -1 for an unknown disk. A stopped instance uses its disk alone. */
export function shownUsageOf({usage, actual}: ShownRow) {
	const said = usage === null ? nothing : readUsage(usage);
	const live = actual === 'running' ? said : nothing;
	return {
		gpu_util: live.gpu_util ?? null,
		gpu_temp: live.gpu_temp ?? null,
		cpu_util: live.cpu_util ?? 0,
		mem_limit: said.mem_limit ?? null,
		mem_usage: live.mem_usage ?? null,
		vmem_usage: live.vmem_usage ?? null,
		disk_usage: said.disk_usage ?? -1,
		disk_util: said.disk_util ?? -1,
	};
}

const nothing: InstanceUsage = {};

function readUsage(text: string): InstanceUsage {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return JSON.parse(text) as InstanceUsage;
}

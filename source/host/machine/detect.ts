/**
 * Facts of this machine, collected within seconds and without the network, and its publication:
 * asks for the whole machine, and for shares of its GPUs.
 */
import {mkdir, readFile, statfs} from 'node:fs/promises';
import {hostname, networkInterfaces, arch, cpus, totalmem} from 'node:os';
import type {MachineFacts, Ask, Publication} from '../../contract/nouns/hosts.ts';
import {MOST_PORTS} from '../../contract/rules/env.ts';
import type {PortRange, PortAddresses} from './port-choice.ts';
import {detectNvidia, type DetectedGpu, type Gpus, runTool, type RunTool} from './nvidia.ts';
import {detectAmd} from './rocm.ts';

type ProcessorFacts = Pick<
	MachineFacts,
	| 'cpu_name'
	| 'cpu_arch'
	| 'cpu_cores'
	| 'cpu_ghz'
	| 'cpu_ram'
	| 'has_avx'
	| 'mobo_name'
	| 'os_version'
>;

const BYTES_PER_MB = 1024 * 1024;

async function detectProcessor(): Promise<ProcessorFacts> {
	const all = cpus();
	const [information, release, board] = await Promise.all([
		read('/proc/cpuinfo'),
		read('/etc/os-release'),
		read('/sys/class/dmi/id/board_name'),
	]);
	const megahertz = Math.max(0, ...all.map(cpu => cpu.speed));
	return {
		cpu_name: word(all[0]?.model),
		cpu_arch: archOf(arch()),
		cpu_cores: all.length,
		cpu_ghz: megahertz === 0 ? null : Math.round(megahertz / 10) / 100,
		cpu_ram: Math.round(totalmem() / BYTES_PER_MB),
		has_avx: hasAvx(information),
		mobo_name: word(board),
		os_version: versionOf(release),
	};
}

/** Architecture in the words of offers. */
function archOf(name: string): string {
	return name === 'x64' ? 'amd64' : name;
}

/** True if `/proc/cpuinfo` lists AVX; null if it lists no flags. */
export function hasAvx(information: string): boolean | null {
	const flags = /^flags\s*:(.*)$/m.exec(information)?.[1];
	return flags === undefined ? null : flags.split(/\s+/).includes('avx');
}

/** Version in `/etc/os-release`, such as `24.04`. */
export function versionOf(release: string): string | null {
	return word(/^VERSION_ID="?([^"\n]*)"?$/m.exec(release)?.[1]);
}

async function read(file: string): Promise<string> {
	return readFile(file, 'utf8').catch(() => '');
}

/** Text within the contract's length, without unprintable characters. */
function word(text: string | undefined): string | null {
	const plain = (text ?? '').replaceAll(/\p{C}/gu, ' ').trim().slice(0, 128);
	return plain === '' || plain === 'unknown' ? null : plain;
}

export type Detected = {
	readonly facts: MachineFacts;
	/** GPUs in use outside of the market. */
	readonly busyGpus: readonly number[];
	/** GPUs that the market knows and the machine has lost. */
	readonly lostGpus?: readonly number[];
	/** Permanent identifiers of the present GPUs. */
	readonly gpuNames?: readonly string[];
	/**
	 * Number of ports that renters reach; undefined for more than an instance can have.
	 * @default undefined
	 */
	readonly ports?: number | undefined;
	readonly pushRegistries?: readonly string[];
};

type Detection = {
	/** Folder for instances, whose disk the facts describe. */
	readonly folder: string;
	readonly reach: Pick<PortAddresses, 'address' | 'isDirect' | 'portRange'>;
	/** City and country as the provider names them: no tool reports them. */
	readonly place?: string | undefined;
	/** @default runTool */
	readonly run?: RunTool;
};

const NO_GPU = 'no GPU';

/** The most GPUs of a machine in the contract. */
const MOST_GPUS = 52;

export async function detectMachine({
	folder,
	reach: {address, isDirect = true, portRange},
	place,
	run = runTool,
}: Detection): Promise<Detected> {
	await mkdir(folder, {recursive: true, mode: 0o700});
	const [nvidia, amd, processor, disk, megabits] = await Promise.all([
		detectNvidia(run),
		detectAmd(run),
		detectProcessor(),
		diskOf(folder),
		lineSpeed(),
	]);
	const found = oneKind(nvidia.gpus.length > 0 ? nvidia : amd);
	return {
		facts: {
			...unknownFacts,
			...gpuFacts(found),
			...processor,
			disk_space: disk,
			inet_up: megabits,
			inet_down: megabits,
			public_ipaddr: isDirect ? address : null,
			geolocation: place ?? null,
			hostname: hostname().slice(0, 128),
		},
		busyGpus: found.gpus.flatMap((gpu, index) => (gpu.isBusy ? [index] : [])),
		ports: isDirect ? portsIn(portRange) : 0,
	};
}

/** Ports for instances: one of a range is reserved for the market's reachability check. */
function portsIn(ports: PortRange | undefined): number | undefined {
	return ports && ports.last - ports.first;
}

/** The GPUs before the first of another kind: a machine's offers have a single kind. */
function oneKind({gpus, ...rest}: Gpus): Gpus {
	const same = gpus.findIndex(gpu => gpu.name !== gpus[0]?.name);
	// GPUs of the first kind after another kind are left out: GPU indexes must be consecutive.
	return {...rest, gpus: gpus.slice(0, Math.min(same < 0 ? gpus.length : same, MOST_GPUS))};
}

const unknownFacts = {
	gpu_mem_bw: null,
	gpu_max_temp: null,
	bw_nvlink: null,
	disk_name: null,
	disk_bw: null,
	pcie_bw: null,
	static_ip: null,
	geolocation: null,
	hosting_type: 0,
	vms_enabled: false,
	isolation: null,
	dlperf: null,
	total_flops: null,
} as const;

type GpuFacts = Omit<
	MachineFacts,
	| keyof typeof unknownFacts
	| keyof Awaited<ReturnType<typeof detectProcessor>>
	| 'disk_space'
	| 'inet_up'
	| 'inet_down'
	| 'public_ipaddr'
	| 'hostname'
>;

function gpuFacts({gpus, driver, cuda}: Gpus): GpuFacts {
	const displays = gpus.map(gpu => gpu.hasDisplay).filter(value => value !== undefined);
	const first: Partial<DetectedGpu> = gpus[0] ?? {};
	return {
		num_gpus: gpus.length,
		gpu_name: first.name ?? NO_GPU,
		gpu_arch: orNull(first.arch),
		gpu_ram: orNull(first.memoryMb),
		gpu_lanes: orNull(first.lanes),
		gpu_max_power: orNull(first.maxPower),
		gpu_display_active: displays.length === 0 ? null : displays.includes(true),
		compute_cap: orNull(first.computeCapability),
		cuda_max_good: orNull(cuda),
		driver_version: orNull(driver),
		pci_gen: orNull(first.pciGeneration),
	};
}

/** Unknown values as on the wire. */
function orNull<Value>(value: Value | undefined): Value | null {
	return value ?? null;
}

const GB = 1e9;

/** Free space on the disk of a folder, in GB. */
async function diskOf(folder: string): Promise<number> {
	const {bavail, bsize} = await statfs(folder);
	return Math.max(1, Math.floor((bavail * bsize) / GB));
}

/** Mbit/s of the fastest network interface, as reported by the system, without a test. */
async function lineSpeed(): Promise<number | null> {
	const names = Object.entries(networkInterfaces())
		.filter(([, addresses = []]) => addresses.some(address => !address.internal))
		.map(([name]) => name);
	const speeds = await Promise.all(
		names.map(async name => {
			const text = await readFile(`/sys/class/net/${name}/speed`, 'utf8').catch(() => '');
			return Number.parseInt(text, 10);
		}),
	);
	const known = speeds.filter(speed => speed > 0);
	return known.length === 0 ? null : Math.max(...known);
}

export type HostPrices = {
	/** Dollars an hour for a GPU, or for a machine without GPUs. */
	readonly perGpuHour: number;
	/** Dollars per GB and month. */
	readonly storage: number;
};

const LEAST_BID = 0.001;

/** Offered share of the disk; the machine needs the rest. */
const OFFERED = 0.9;

export function publicationOf(
	name: string,
	{facts, busyGpus, lostGpus = [], gpuNames = [], ports, pushRegistries = []}: Detected,
	prices: HostPrices,
): Publication {
	return {
		name,
		facts,
		busy_gpus: [...busyGpus],
		asks: divideGpus(facts.num_gpus)
			.filter(gpus => !gpus.some(gpu => lostGpus.includes(gpu)))
			.map(gpus => askOf(gpus, {facts, ports}, prices)),
		...(gpuNames.length > 0 && {gpu_uuids: [...gpuNames]}),
		...(pushRegistries.length > 0 && {push_registries: [...pushRegistries]}),
	};
}

/** Shares of a machine: each GPU, pairs of neighbours, fours and so on, and all GPUs. */
export function divideGpus(gpus: number): ReadonlyArray<readonly number[]> {
	if (gpus === 0) return [[]];
	const parts: Array<readonly number[]> = [];
	for (let size = 1; size < gpus; size *= 2) {
		for (let first = 0; first + size <= gpus; first += size) parts.push(range(first, size));
	}
	// A machine with very many GPUs is offered in its larger shares.
	return [...parts, range(0, gpus)].slice(-MOST_ASKS);
}

const MOST_ASKS = 64;

function range(first: number, size: number): readonly number[] {
	return Array.from({length: size}, (_, index) => first + index);
}

function askOf(
	gpus: readonly number[],
	{facts, ports = Infinity}: Pick<Detected, 'facts' | 'ports'>,
	{perGpuHour, storage}: HostPrices,
): Ask {
	const price = perGpuHour * Math.max(1, gpus.length);
	const share = facts.num_gpus === 0 ? 1 : gpus.length / facts.num_gpus;
	return {
		gpu_ids: [...gpus],
		dph_base: price,
		// A free machine accepts no bids.
		min_bid: price === 0 ? null : Math.max(LEAST_BID, price / 2),
		storage_cost: storage,
		// Traffic is free, because it is not measured.
		inet_up_cost: 0,
		inet_down_cost: 0,
		disk_space: Math.max(1, Math.floor((facts.disk_space ?? 1) * OFFERED * share)),
		direct_port_count: Math.min(MOST_PORTS, Math.floor(ports * share)),
		end_date: null,
	};
}

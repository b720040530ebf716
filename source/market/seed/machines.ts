/** Machines made of parts that go together. */
import {gpus, type SeedGpu, type GpuChassis} from './gpus.ts';
import {
	cpus,
	disks,
	newerDrivers,
	olderDrivers,
	seedLocations,
	type Cpu,
	type Setting,
	roundToDecimals,
	type SeedRandom,
} from './parts.ts';

/** Chassis of each kind of GPU: GPU counts, and the share in datacenters. */
const chassis: Readonly<
	Record<GpuChassis, {datacenterShare: number; gpuCounts: readonly Count[]}>
> = {
	home: {
		datacenterShare: 0.12,
		gpuCounts: [of(1, 46), of(2, 18), of(3, 4), of(4, 14), of(6, 6), of(8, 9), of(12, 2)],
	},
	workstation: {
		datacenterShare: 0.45,
		gpuCounts: [of(1, 30), of(2, 20), of(4, 25), of(7, 3), of(8, 20)],
	},
	server: {
		datacenterShare: 0.85,
		gpuCounts: [of(1, 15), of(2, 20), of(4, 25), of(8, 35), of(10, 3), of(16, 2)],
	},
	baseboard: {datacenterShare: 0.97, gpuCounts: [of(4, 10), of(8, 88), of(16, 2)]},
	superchip: {datacenterShare: 1, gpuCounts: [of(1, 1)]},
};

type Count = {readonly gpus: number; readonly weight: number};

function of(count: number, weight: number): Count {
	return {gpus: count, weight};
}

/** A machine, with the facts that all its shares have. */
export type GeneratedMachine = ReturnType<typeof makeMachine>;

export function makeMachine(random: SeedRandom) {
	const gpu = random.weighted(gpus);
	const {datacenterShare, gpuCounts} = chassis[gpu.kind];
	const gpuCount = random.weighted(gpuCounts).gpus;
	const setting: Setting = random.chance(datacenterShare) ? 'datacenter' : 'home';
	const cpu = random.weighted(cpus[gpu.kind]);
	const disk = random.weighted(disks[setting]);
	const bus = busOf(random, gpu, gpuCount, cpu);
	return {
		gpu,
		gpuCount,
		setting,
		gpusFree: freeOf(random, gpuCount),
		diskGb: disk.gb * random.between(0.5, 0.95),
		ports: random.pick(portCounts[setting]),
		/** Share of the GPUs' best performance. */
		efficiency: random.between(0.88, 1.02) * (bus.gpu_lanes < 8 ? 0.9 : 1),
		facts: {
			hosting_type: setting === 'datacenter' ? 1 : 0,
			...gpuFacts(random, gpu, setting),
			...bus,
			...cpuFacts(random, gpu, gpuCount, cpu),
			disk_name: disk.name,
			disk_bw: roundToDecimals(disk.megabytesPerSecond * random.between(0.6, 1.1), 1),
			...networkFacts(random, setting),
			...softwareFacts(random, gpu),
			geolocation: random.weighted(seedLocations).text,
		},
	};
}

/** Free GPUs: most machines are free, some rented, and a few partly rented. */
function freeOf(random: SeedRandom, gpuCount: number): number {
	return random.pick([gpuCount, gpuCount, gpuCount, gpuCount, random.whole(0, gpuCount), 0]);
}

const portCounts: Readonly<Record<Setting, readonly number[]>> = {
	home: [0, 2, 9, 19, 49, 50, 99, 100, 199, 249, 250, 499],
	datacenter: [99, 249, 250, 499, 500, 999, 1000, 2000, 3999],
};

function gpuFacts(random: SeedRandom, gpu: SeedGpu, setting: Setting) {
	return {
		gpu_name: gpu.name,
		gpu_arch: gpu.arch,
		gpu_ram: gpu.vramMb,
		gpu_mem_bw: roundToDecimals(gpu.memoryGbs * random.between(0.8, 0.96), 1),
		// Owners of machines at home like to limit the power.
		gpu_max_power:
			setting === 'home' && random.chance(0.3) ? Math.round(gpu.watts * 0.8) : gpu.watts,
		gpu_max_temp: random.whole(72, 93),
		gpu_display_active: setting === 'home' && random.chance(0.06) ? 1 : 0,
		bw_nvlink: roundToDecimals(gpu.nvlinkGbs * random.between(0.75, 0.9), 1),
		compute_cap: gpu.computeCap,
	} as const;
}

/** GB/s of a lane by PCIe generation. */
const laneGbs: ReadonlyMap<number, number> = new Map([
	[3, 0.985],
	[4, 1.969],
	[5, 3.938],
]);

/** Lanes of cards on risers, as in PCs with many cards. */
const riserLanes: ReadonlyArray<{lanes: number; weight: number}> = [
	{lanes: 16, weight: 35},
	{lanes: 8, weight: 30},
	{lanes: 4, weight: 20},
	{lanes: 1, weight: 15},
];

function busOf(random: SeedRandom, gpu: SeedGpu, gpuCount: number, cpu: Cpu) {
	const generation = Math.min(gpu.pcieGen, cpu.pcieGen);
	const lanes = gpu.kind === 'home' && gpuCount > 2 ? random.weighted(riserLanes).lanes : 16;
	const best = lanes * (laneGbs.get(generation) ?? 0);
	return {
		pci_gen: generation,
		gpu_lanes: lanes,
		pcie_bw: roundToDecimals(best * random.between(0.72, 0.86), 1),
	};
}

const RAM_SIZES_GB = [16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072];

function cpuFacts(random: SeedRandom, gpu: SeedGpu, gpuCount: number, cpu: Cpu) {
	const isDual = gpu.kind === 'server' && gpuCount >= 8 && random.chance(0.6);
	const wantedGb = ((gpu.vramMb * gpuCount) / 1024) * random.between(0.6, 1.8);
	const ramGb = RAM_SIZES_GB.find(size => size >= wantedGb) ?? 3072;
	return {
		cpu_name: cpu.name,
		cpu_arch: gpu.kind === 'superchip' ? 'arm64' : 'amd64',
		cpu_cores: isDual ? cpu.threads * 2 : cpu.threads,
		cpu_ghz: cpu.ghz,
		// Firmware reserves a part.
		cpu_ram: Math.round(ramGb * random.between(1001, 1007)),
		has_avx: gpu.kind === 'superchip' ? 0 : 1,
		mobo_name: random.pick(cpu.boards),
	} as const;
}

function networkFacts(random: SeedRandom, setting: Setting) {
	const isHome = setting === 'home';
	const down = isHome ? random.between(80, 950) : random.between(800, 9400);
	const up = down * (isHome ? random.between(0.1, 1) : random.between(0.6, 1.05));
	const isFree = random.chance(isHome ? 0.3 : 0.15);
	const dollarsPerTb = isFree ? 0 : random.between(1, isHome ? 20 : 10);
	return {
		inet_down: roundToDecimals(down, 1),
		inet_up: roundToDecimals(up, 1),
		inet_down_cost_micros: microsPerGb(dollarsPerTb),
		inet_up_cost_micros: microsPerGb(dollarsPerTb * random.pick([1, 1, 1.5])),
		static_ip: random.chance(isHome ? 0.15 : 0.75) ? 1 : 0,
		public_ipaddr: `${random.pick(documentationNetworks)}.${random.whole(1, 254)}`,
	} as const;
}

/** Networks reserved for examples (RFC 5737). */
const documentationNetworks: readonly string[] = ['192.0.2', '198.51.100', '203.0.113'];

function microsPerGb(dollarsPerTb: number): number {
	return Math.round((dollarsPerTb / 1024) * 1_000_000);
}

function softwareFacts(random: SeedRandom, gpu: SeedGpu) {
	const os_version = random.pick(['20.04', '22.04', '22.04', '22.04', '24.04']);
	if (gpu.arch === 'amd') return {driver_version: '6.12.12', cuda_max_good: null, os_version};
	const isNew = gpu.computeCap !== null && gpu.computeCap >= 1000;
	const driver = random.weighted(isNew || random.chance(0.45) ? newerDrivers : olderDrivers);
	return {driver_version: driver.version, cuda_max_good: driver.cuda, os_version};
}

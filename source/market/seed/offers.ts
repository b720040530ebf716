import {scoreOffer} from '../reliability/rules.ts';
import {maskOf} from '../base/gpu-mask.ts';
import type {NewOffer} from '../database/schema.ts';
import {makeMachine, type GeneratedMachine} from './machines.ts';
import {createRandom, roundToDecimals, type SeedRandom} from './parts.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Seed = {
	readonly seed: number;
	readonly count: number;
	/**
	 * Time of the market's first start, in seconds since 1970: offers begin before it and end
	 * after it.
	 */
	readonly epoch: number;
};

type SeedMachine = {
	readonly id: number;
	readonly host_id: number;
	readonly num_gpus: number;
	/** Mask of rented GPUs. */
	readonly busy_mask: number;
};

export type SeedListing = {
	readonly machine: SeedMachine;
	readonly offers: readonly NewOffer[];
};

/** Makes up machines and their offers one by one: all at once might not fit into memory. */
export function* makeListings({seed, count, epoch}: Seed): Generator<SeedListing> {
	const random = createRandom(seed);
	const next = {offerId: 20_000_000, machineId: 10_000};
	for (let made = 0; made < count;) {
		const machine = makeMachine(random);
		next.machineId += random.whole(1, 30);
		const listing = makeListing(random, machine, next.machineId, epoch);
		const offers = shareSizes(random, machine.gpuCount).map(gpus => {
			next.offerId += random.whole(1, 90);
			return makeOffer(random, machine, listing, {id: next.offerId, gpus});
		});
		yield {machine: seedMachine(machine, listing), offers: offers.slice(0, count - made)};
		made += offers.length;
	}
}

/** Machine of the seed, whose rented GPUs come after the free ones. */
function seedMachine({gpuCount, gpusFree}: GeneratedMachine, {shared}: Listing): SeedMachine {
	const busy = Array.from({length: gpuCount - gpusFree}, (_, index) => gpusFree + index);
	return {
		id: shared.machine_id,
		host_id: shared.host_id,
		num_gpus: gpuCount,
		busy_mask: busy.length === 0 ? 0 : maskOf(busy),
	};
}

/** Sizes of shares, doubling from the owner's smallest to the whole machine. */
function shareSizes(random: SeedRandom, gpuCount: number): readonly number[] {
	const smallest = random.chance(0.7) ? 1 : gpuCount;
	const sizes = [1, 2, 4, 8].filter(size => size >= smallest && size < gpuCount);
	return [...sizes, gpuCount];
}

function makeListing(
	random: SeedRandom,
	machine: GeneratedMachine,
	machineId: number,
	epoch: number,
) {
	const isDatacenter = machine.setting === 'datacenter';
	// Most machines are near the best reliability, and few are far from it.
	const failing = cube(random.next()) * (isDatacenter ? 0.03 : 0.15);
	const reliability = roundToDecimals(1 - failing, 7);
	const [low, high] = machine.gpu.prices;
	const dearness = random.next() * random.between(0.3, 1) * (isDatacenter ? 1 : 0.85);
	return {
		dollarsPerGpu: roundToDecimals(low + (high - low) * dearness, 4),
		bidShare: random.chance(0.92) ? random.between(0.4, 0.7) : null,
		/** Facts that all shares of the machine have. */
		shared: {
			...machine.facts,
			machine_id: machineId,
			host_id: 50_000 + random.whole(0, 400) * 7,
			storage_cost_micros: random.pick([50, 80, 100, 120, 150, 150, 200, 250, 300]) * 1000,
			credit_discount_max: random.pick([0, 0.1, 0.2, 0.3, 0.4, 0.4]),
			reliability,
			expected_reliability: roundToDecimals(reliability * random.between(0.985, 1), 7),
			verification: verificationOf(random, isDatacenter),
			isolation: null,
			measured: null,
			vms_enabled: isDatacenter && random.chance(0.35) ? 1 : 0,
			start_date: epoch - roundToDecimals(random.between(0.1, 300) * DAY, 0),
			end_date: epoch + roundToDecimals(daysLeft(random) * DAY, 0),
		},
	} as const;
}

type Listing = ReturnType<typeof makeListing>;

function verificationOf(random: SeedRandom, isDatacenter: boolean): string {
	if (random.chance(isDatacenter ? 0.86 : 0.6)) return 'verified';
	return random.chance(0.1) ? 'deverified' : 'unverified';
}

function daysLeft(random: SeedRandom): number {
	return random.pick([
		random.between(2, 10),
		random.between(10, 60),
		random.between(30, 120),
		random.between(60, 200),
		random.between(150, 500),
	]);
}

type Share = {readonly id: number; readonly gpus: number};

function makeOffer(
	random: SeedRandom,
	machine: GeneratedMachine,
	listing: Listing,
	{id, gpus}: Share,
): NewOffer {
	const {gpu, gpuCount} = machine;
	const {dollarsPerGpu, bidShare, shared} = listing;
	const fraction = gpus / gpuCount;
	const isTaken = gpus > machine.gpusFree;
	const baseMicros = Math.round(dollarsPerGpu * gpus * 1_000_000);
	const firstGpu = gpus * random.whole(0, Math.max(0, Math.floor(machine.gpusFree / gpus) - 1));
	const dlperf = roundToDecimals(gpu.dlperf * gpus * machine.efficiency, 4);
	return {
		// A spread of many fields is copied nine times as fast as starting an object from its first
		// entry.
		...shared,
		id,
		listed: 1,
		cluster_id: null,
		bundle_id: shared.machine_id * 32 + gpus,
		hostname: null,
		num_gpus: gpus,
		gpu_total_ram: gpu.vramMb * gpus,
		gpu_frac: fraction,
		gpu_ids: JSON.stringify(Array.from({length: gpus}, (_, index) => firstGpu + index)),
		cpu_cores_effective: roundToDecimals(shared.cpu_cores * fraction, 2),
		disk_space: roundToDecimals(machine.diskGb * fraction, 1),
		direct_port_count: Math.floor(machine.ports * fraction),
		geolocode: null,
		dph_base_micros: baseMicros,
		min_bid_micros: bidShare === null ? null : Math.round(baseMicros * bidShare),
		rentable: isTaken ? 0 : 1,
		rented: isTaken ? 1 : 0,
		external: 0,
		is_vm_deverified: 0,
		reliability_mult: roundToDecimals(shared.expected_reliability / shared.reliability, 7),
		dlperf,
		avail_vol_ask_id: null,
		avail_vol_micros: null,
		avail_vol_size: null,
		total_flops: roundToDecimals(gpu.tflops * gpus * random.between(0.96, 1.02), 4),
		score: scoreOffer(dlperf / (dollarsPerGpu * gpus), shared),
	};
}

function cube(value: number): number {
	return value * value * value;
}

/** Publication of a machine: offers of it as a whole, and of the parts that its GPUs make. */
import type {Ask, Publication} from '../../contract/nouns/hosts.ts';
import type {Detected} from './detect.ts';

export type Prices = {
	/** Dollars an hour for one GPU, or for a machine without any. */
	readonly perGpuHour: number;
	/** Dollars per GB and month. */
	readonly storage: number;
};

/** The least that anybody can bid. */
const LEAST_BID = 0.001;

/** Most of the disk is offered: what is left keeps the machine going. */
const OFFERED = 0.9;

export function publicationOf(
	name: string,
	{facts, busyGpus, lostGpus = [], pushRegistries = []}: Detected,
	prices: Prices,
): Publication {
	return {
		name,
		facts,
		busy_gpus: [...busyGpus],
		asks: partsOf(facts.num_gpus)
			.filter(gpus => !gpus.some(gpu => lostGpus.includes(gpu)))
			.map(gpus => askOf(gpus, facts, prices)),
		...(pushRegistries.length > 0 && {push_registries: [...pushRegistries]}),
	};
}

/** Each GPU, each two beside each other, four and so on, and all of them. */
export function partsOf(gpus: number): ReadonlyArray<readonly number[]> {
	if (gpus === 0) return [[]];
	const parts: Array<readonly number[]> = [];
	for (let size = 1; size < gpus; size *= 2) {
		for (let first = 0; first + size <= gpus; first += size) parts.push(range(first, size));
	}
	// A machine of very many GPUs is offered in its greater parts.
	return [...parts, range(0, gpus)].slice(-MOST_ASKS);
}

const MOST_ASKS = 64;

function range(first: number, size: number): readonly number[] {
	return Array.from({length: size}, (_, index) => first + index);
}

function askOf(
	gpus: readonly number[],
	facts: Detected['facts'],
	{perGpuHour, storage}: Prices,
): Ask {
	const price = perGpuHour * Math.max(1, gpus.length);
	const share = facts.num_gpus === 0 ? 1 : gpus.length / facts.num_gpus;
	return {
		gpu_ids: [...gpus],
		dph_base: price,
		// A machine that costs nothing cannot be bid for.
		min_bid: price === 0 ? null : Math.max(LEAST_BID, price / 2),
		storage_cost: storage,
		// What goes over the network is not measured.
		inet_up_cost: 0,
		inet_down_cost: 0,
		disk_space: Math.max(1, Math.floor((facts.disk_space ?? 1) * OFFERED * share)),
		direct_port_count: 64,
		end_date: null,
	};
}

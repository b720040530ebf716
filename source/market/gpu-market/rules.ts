/** Figures of all GPUs in the market, counted from machines. */
import {compareText} from '../../contract/grammar/filter-match.ts';
import type {GpuFigures, MachineChoice} from '../../contract/nouns/gpu-market.ts';
import {dollarsOf} from '../billing/rules.ts';
import {ratio} from '../offers/pricing-rules.ts';
import type {CountedMachine, Price, Share} from '../database/gpu-tables.ts';

const SIZES = [8, 4, 2, 1];

/** Prices kept of machines that are alike: a percentile of all would hardly be another. */
const MOST_PRICES = 25;

type Growing = Writable<Omit<Share, 'rentedPrices' | 'prices'>> & {
	readonly rentedPrices: Map<number, number>;
	readonly prices: Map<number, number>;
};

type Writable<Record> = {-readonly [Key in keyof Record]: Record[Key]};

/** Machines by the name of their GPU, and those that are alike as one. */
export function createShares() {
	const byName = new Map<string, Map<string, Growing>>();

	function shareFor({gpuName, verified, datacenter, gpus}: CountedMachine): Growing {
		const size = SIZES.find(one => gpus >= one) ?? 1;
		const shares = byName.get(gpuName) ?? new Map<string, Growing>();
		byName.set(gpuName, shares);
		const kind = `${verified} ${datacenter} ${size}`;
		const share: Growing = shares.get(kind) ?? {
			verified,
			datacenter,
			size,
			rented: 0,
			available: 0,
			dlperf: 0,
			tflops: 0,
			rentedPrices: new Map(),
			prices: new Map(),
		};
		shares.set(kind, share);
		return share;
	}

	return {
		add(machine: CountedMachine): void {
			const share = shareFor(machine);
			const {micros, available} = machine;
			for (const name of ['rented', 'available', 'dlperf', 'tflops'] as const) {
				share[name] += machine[name];
			}
			for (const price of machine.rentedPrices) note(share.rentedPrices, price);
			if (micros !== undefined && available > 0) note(share.prices, [micros, available]);
		},
		/** All shares of one GPU after the other. */
		*read(): Generator<readonly [gpuName: string, shares: readonly Share[]]> {
			for (const [name, some] of byName) yield [name, [...some.values()].map(keptShare)];
		},
	};
}

function keptShare({rentedPrices, prices, ...share}: Growing): Share {
	return {
		...share,
		rentedPrices: fewOf(ordered(rentedPrices)),
		prices: fewOf(ordered(prices)),
	};
}

function note(prices: Map<number, number>, [micros, gpus]: Price): void {
	prices.set(micros, (prices.get(micros) ?? 0) + gpus);
}

function ordered(prices: ReadonlyMap<number, number>): readonly Price[] {
	return [...prices].toSorted(([one], [other]) => one - other);
}

/** Of many prices in order, those beside one another as their mean. */
function fewOf(prices: readonly Price[]): readonly Price[] {
	if (prices.length <= MOST_PRICES) return prices;
	const total = sum(prices.map(([, gpus]) => gpus));
	let passed = 0;
	const parts = Map.groupBy(prices, ([, gpus]) => {
		const part = Math.floor((passed / total) * MOST_PRICES);
		passed += gpus;
		return part;
	});
	return [...parts.values()].map(part => {
		const gpus = sum(part.map(price => price[1]));
		return [Math.round(sum(part.map(([micros, some]) => micros * some)) / gpus), gpus];
	});
}

/** Equal prices as one. */
function joined(prices: readonly Price[]): readonly Price[] {
	const byMicros = new Map<number, number>();
	for (const price of prices) note(byMicros, price);
	return ordered(byMicros);
}

export function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}

/** The machines that are asked for. */
export function chosen(shares: readonly Share[], choice: MachineChoice): readonly Share[] {
	const {verified, hosting_type: hosting, num_gpus: size} = choice;
	return shares.filter(
		share =>
			(verified === 'all' || share.verified === (verified === 'yes')) &&
			(hosting === 'all' || share.datacenter === (hosting === 'secure_cloud')) &&
			(size === 'all' || share.size === Number(size)),
	);
}

/** The price below which a share of the GPUs lies, by nearest rank; null where there are none. */
export function percentile(prices: readonly Price[], part: number): number | null {
	const all = joined(prices);
	const rank = Math.max(1, Math.ceil((part / 100) * sum(all.map(([, gpus]) => gpus))));
	let passed = 0;
	for (const [micros, gpus] of all) {
		passed += gpus;
		if (passed >= rank) return dollarsOf(micros);
	}
	return null;
}

export function countsOf(shares: readonly Share[]) {
	const count = (verified: boolean, of: 'rented' | 'available') =>
		sum(shares.filter(share => share.verified === verified).map(share => share[of]));
	return {
		rented_verified: count(true, 'rented'),
		avail_verified: count(true, 'available'),
		rented_unverified: count(false, 'rented'),
		avail_unverified: count(false, 'available'),
	};
}

/** A GPU's mean performance, in all and per dollar. */
export function worthOf(shares: readonly Share[]) {
	const gpus = sum(shares.map(({rented, available}) => rented + available));
	const dlperf = ratio(sum(shares.map(share => share.dlperf)), gpus);
	const tflops = ratio(sum(shares.map(share => share.tflops)), gpus);
	const median = percentile(
		shares.flatMap(({prices}) => prices),
		50,
	);
	return {
		dlperf,
		tflops,
		tflops_per_dollar: ratio(tflops, median),
		dlperf_per_dollar: ratio(dlperf, median),
	};
}

/** Present figures of a GPU. `usage` is its share that was rented in 30 days; null where unknown. */
export function figuresOf(
	gpuName: string,
	shares: readonly Share[],
	usage: number | null,
): GpuFigures {
	const rented = sum(shares.map(share => share.rented));
	const available = sum(shares.map(share => share.available));
	const prices = shares.flatMap(share => share.prices);
	return known({
		gpu_name: gpuName,
		total: rented + available,
		available,
		...countsOf(shares),
		usage: percent(ratio(rented, rented + available)),
		usage_30d: percent(usage),
		...worthOf(shares),
		price_p10: percentile(prices, 10),
		price_p25: percentile(prices, 25),
		price_median: percentile(prices, 50),
		price_p75: percentile(prices, 75),
		price_p90: percentile(prices, 90),
	});
}

/** A record without the figures that are not known: existing clients take numbers alone. */
export function known<Figures extends Readonly<Record<string, unknown>>>(
	figures: Figures,
): Figures {
	const entries = Object.entries(figures).filter(entry => entry[1] !== null);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a figure that may be null may be missing
	return Object.fromEntries(entries) as Figures;
}

function percent(part: number | null): number | null {
	return part === null ? null : Math.round(part * 1000) / 10;
}

/** The most GPUs first. */
export function byTotal(one: GpuFigures, other: GpuFigures): number {
	return (other.total ?? 0) - (one.total ?? 0) || compareText(one.gpu_name, other.gpu_name);
}

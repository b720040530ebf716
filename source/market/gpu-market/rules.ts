/** Figures of all GPUs in the market, counted from machines, at a moment and over time. */
import {compareText, countryOf} from '../../contract/grammar/filter-match.ts';
import type {GpuFigures, MachineChoice, GpuHistory} from '../../contract/nouns/gpu-market.ts';
import {dollarsOf} from '../billing/rules.ts';
import {ratio} from '../offers/pricing-rules.ts';
import type {CountedMachine, Price, MachineGroup} from '../database/provider-tables.ts';
import {DAY} from '../../contract/rules/durations.ts';

const SIZES = [8, 4, 2, 1];

/** The most prices kept for equal machines, enough for percentiles. */
const MOST_PRICES = 25;

type Growing = Writable<Omit<MachineGroup, 'rentedPrices' | 'prices'>> & {
	readonly rentedPrices: Map<number, number>;
	readonly prices: Map<number, number>;
};

type Writable<Record> = {-readonly [Key in keyof Record]: Record[Key]};

/** Counts machines by GPU name, with equal machines joined. */
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
		*read(): Generator<readonly [gpuName: string, shares: readonly MachineGroup[]]> {
			for (const [name, some] of byName) yield [name, [...some.values()].map(keptShare)];
		},
	};
}

function keptShare({rentedPrices, prices, ...share}: Growing): MachineGroup {
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

/** Fewer prices, with neighbours joined to their mean. */
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

function joined(prices: readonly Price[]): readonly Price[] {
	const byMicros = new Map<number, number>();
	for (const price of prices) note(byMicros, price);
	return ordered(byMicros);
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}

export function filterShares(
	shares: readonly MachineGroup[],
	choice: MachineChoice,
): readonly MachineGroup[] {
	const {verified, hosting_type: hosting, num_gpus: size} = choice;
	return shares.filter(
		share =>
			(verified === 'all' || share.verified === (verified === 'yes')) &&
			(hosting === 'all' || share.datacenter === (hosting === 'secure_cloud')) &&
			(size === 'all' || share.size === Number(size)),
	);
}

/** Percentile of the GPUs' prices by nearest rank; null without prices. */
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

function countsOf(shares: readonly MachineGroup[]) {
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
function worthOf(shares: readonly MachineGroup[]) {
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

/** Present figures of a GPU. `usage` is its share that was rented in 30 days; null if unknown. */
export function figuresOf(
	gpuName: string,
	shares: readonly MachineGroup[],
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

/** A record without its unknown figures: existing clients accept numbers only. */
function known<Figures extends Readonly<Record<string, unknown>>>(figures: Figures): Figures {
	const entries = Object.entries(figures).filter(entry => entry[1] !== null);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a figure that may be null may be missing
	return Object.fromEntries(entries) as Figures;
}

function percent(part: number | null): number | null {
	return part === null ? null : Math.round(part * 1000) / 10;
}

/** Compares by the number of GPUs, the largest first. */
export function byTotal(one: GpuFigures, other: GpuFigures): number {
	return (other.total ?? 0) - (one.total ?? 0) || compareText(one.gpu_name, other.gpu_name);
}

/** Centres of countries: latitude and longitude. */
const middles = new Map(
	`ae 24.0 54.0 al 41.0 20.0 am 40.0 45.0 ar -34.0 -64.0 at 47.3 13.3 au -27.0 133.0 az 40.5 47.5
	ba 44.0 18.0 bd 24.0 90.0 be 50.8 4.0 bg 43.0 25.0 bo -17.0 -65.0 br -10.0 -55.0 by 53.0 28.0
	ca 60.0 -95.0 ch 47.0 8.0 cl -30.0 -71.0 cn 35.0 105.0 co 4.0 -72.0 cr 10.0 -84.0 cy 35.0 33.0
	cz 49.8 15.5 de 51.0 9.0 dk 56.0 10.0 do 19.0 -70.7 dz 28.0 3.0 ec -2.0 -77.5 ee 59.0 26.0
	eg 27.0 30.0 es 40.0 -4.0 fi 64.0 26.0 fr 46.0 2.0 gb 54.0 -2.0 ge 42.0 43.5 gr 39.0 22.0
	gt 15.5 -90.2 hk 22.2 114.2 hr 45.2 15.5 hu 47.0 20.0 id -5.0 120.0 ie 53.0 -8.0 il 31.5 34.8
	in 20.0 77.0 iq 33.0 44.0 is 65.0 -18.0 it 42.8 12.8 jo 31.0 36.0 jp 36.0 138.0 ke 1.0 38.0
	kg 41.0 75.0 kh 13.0 105.0 kr 37.0 127.5 kw 29.5 45.8 kz 48.0 68.0 lk 7.0 81.0 lt 56.0 24.0
	lu 49.8 6.2 lv 57.0 25.0 ma 32.0 -5.0 md 47.0 29.0 me 42.5 19.3 mk 41.8 22.0 mn 46.0 105.0
	mt 35.8 14.6 mx 23.0 -102.0 my 2.5 112.5 ng 10.0 8.0 nl 52.5 5.8 no 62.0 10.0 np 28.0 84.0
	nz -41.0 174.0 om 21.0 57.0 pa 9.0 -80.0 pe -10.0 -76.0 ph 13.0 122.0 pk 30.0 70.0 pl 52.0 20.0
	pr 18.2 -66.5 pt 39.5 -8.0 py -23.0 -58.0 qa 25.5 51.2 ro 46.0 25.0 rs 44.0 21.0 ru 60.0 100.0
	sa 25.0 45.0 se 62.0 15.0 sg 1.4 103.8 si 46.0 15.0 sk 48.7 19.5 th 15.0 100.0 tn 34.0 9.0
	tr 39.0 35.0 tw 23.5 121.0 ua 49.0 32.0 us 38.0 -97.0 uy -33.0 -56.0 uz 41.0 64.0 ve 8.0 -66.0
	vn 16.0 106.0 za -29.0 24.0`
		.split(/\s+/)
		.flatMap((code, at, words) =>
			at % 3 === 0
				? [[code, {latitude: Number(words[at + 1]), longitude: Number(words[at + 2])}]]
				: [],
		),
);

const countries = new Intl.DisplayNames(['en'], {type: 'region'});

/** Coordinates of a place such as "Stockholm, SE"; undefined of an unknown country. */
export function coordinatesOf(geolocation: string) {
	const code = countryOf(geolocation);
	const middle = code === null ? undefined : middles.get(code);
	if (code === null || middle === undefined) return undefined;
	const country_code = code.toUpperCase();
	const named = geolocation.slice(0, Math.max(0, geolocation.lastIndexOf(','))).trim();
	const city = named === countries.of(country_code) ? '' : named;
	return {...middle, city, country_code};
}

type Steps = {readonly start: number; readonly end: number; readonly step: number};

const LEAST_STEP = 60;
const MOST_POINTS = 500;

/**
 * Requested points in time, the first on a whole step. They begin with the first figures at the
 * earliest: steps could be longer than the market has existed.
 */
export function stepsOf(
	{start, end, step}: {readonly [Name in keyof Steps]?: number | undefined},
	now: number,
	firstFigures = 0,
): Steps {
	const last = Math.min(end ?? now, now);
	const first = Math.min(Math.max(start ?? last - DAY, firstFigures), last);
	const least = Math.ceil((last - first) / (MOST_POINTS - 1));
	const length = Math.ceil(Math.max(step ?? 300, LEAST_STEP, least));
	return {start: Math.floor(first / length) * length, end: last, step: length};
}

type Sample = {readonly at: number; readonly shares: readonly MachineGroup[]};

const priceLists = [
	{of: 'prices', percents: {avail_p10: 10, avail_median: 50, avail_p90: 90}},
	{of: 'rentedPrices', percents: {rented_p10: 10, rented_median: 50, rented_p90: 90}},
] as const;

type PriceList = (typeof priceLists)[number];

function hasPrice({shares}: Sample, {of}: PriceList): boolean {
	return shares.some(share => share[of].length > 0);
}

/**
 * Figures of a GPU at the steps at which it was counted. Existing clients read all lists side by
 * side and accept numbers only: prices that are unknown at most steps are left out, and so are
 * steps that lack one of the others.
 */
export function historyOf(samples: readonly Sample[], {start, end, step}: Steps): GpuHistory {
	const byStep = new Map(
		samples.map(({at, shares}) => [Math.floor(at / step) * step, shares] as const),
	);
	const counted = [...byStep]
		.map(([at, shares]) => ({at, shares}))
		.filter(({at, shares}) => at >= start && at <= end && shares.length > 0)
		.toSorted((one, other) => one.at - other.at);
	const shown = priceLists.filter(list => {
		const count = counted.filter(point => hasPrice(point, list)).length;
		return count > 0 && count * 2 >= counted.length;
	});
	const points = counted.filter(point => shown.every(list => hasPrice(point, list)));
	const timestamps = points.map(({at}) => at);
	const counts = points.map(({shares}) => countsOf(shares));
	const each = (of: keyof (typeof counts)[number]) => counts.map(count => count[of]);
	return {
		supply_demand: {
			timestamps,
			rented_verified: each('rented_verified'),
			avail_verified: each('avail_verified'),
			rented_unverified: each('rented_unverified'),
			avail_unverified: each('avail_unverified'),
			total: counts.map(count => sum(Object.values(count))),
		},
		pricing: {timestamps, ...Object.fromEntries(shown.flatMap(list => pricesOf(points, list)))},
		stats: known(worthOf(counted.at(-1)?.shares ?? [])),
	};
}

/** Prices at points that all have them, keyed by the name of their percentile. */
function pricesOf(points: readonly Sample[], {of, percents}: PriceList) {
	return Object.entries(percents).map(([name, part]) => {
		const prices = points.map(({shares}) => shares.flatMap(share => share[of]));
		return [name, prices.flatMap(some => percentile(some, part) ?? [])] as const;
	});
}

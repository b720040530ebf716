/** Offers side by side: a row a measure, with differences and best values. */
import {costOf, type Job, type OfferCost} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {
	count,
	decimals,
	known,
	MISSING,
	percent,
	money,
	shortPrice,
} from '../../../renter/text/format.ts';
import {type HostRecord, historyInShort} from '../../../renter/offers/host-history.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {tier} from './columns.ts';
import {expectsTraffic} from '../../../renter/offers/job.ts';
import {DAY} from '../../../contract/rules/durations.ts';

export type Compared = {
	readonly offer: Offer;
	readonly cost: OfferCost;
	/** History of its host; undefined if nothing is known. */
	readonly host: HostRecord | undefined;
	/** Cost when the comparison was opened, or refreshed by hand. */
	readonly before: OfferCost;
	/** The offer existed, but cannot be rented any more. */
	readonly isGone: boolean;
	/** Rank in the fallback order; undefined if it is left out. */
	readonly turn: number | undefined;
};

/** The parts of a comparison, in the order in which people ask. */
type CompareGroup = 'MONEY' | 'MACHINE' | 'RISK' | 'JOB';

/** Measure: a row's value of an offer. */
type Measure = {
	readonly group: CompareGroup;
	readonly title: string;
	readonly text: (compared: Compared) => string;
	/** Values to compare: an offer is best where none is better in any of these. */
	readonly values?: (compared: Compared) => ReadonlyArray<number | null | undefined>;
	readonly best?: 'low' | 'high';
	readonly isDetail?: boolean;
};

type Priced = {
	readonly job: Job;
	/** The disk that the offers' totals contain. */
	readonly pricedGb: number;
	/** The earlier state of the offer, where it has changed. */
	readonly firstRead?: Offer | undefined;
} & Pick<Compared, 'host' | 'isGone'>;

export function comparedOffer(
	offer: Offer,
	{job, pricedGb, firstRead = offer, ...rest}: Priced,
): Omit<Compared, 'turn'> {
	const cost = costOf(offer, job, pricedGb);
	return {
		offer,
		cost,
		before: firstRead === offer ? cost : costOf(firstRead, job, pricedGb),
		...rest,
	};
}

function number(
	title: string,
	group: CompareGroup,
	of: (offer: Offer) => number | null | undefined,
	format: (value: number | null | undefined) => string = count,
): Measure {
	return {
		group,
		title,
		text: ({offer}) => format(of(offer)),
		values: ({offer}) => [of(offer)],
	};
}

/** A row that comes last if not all fit. */
function detail(measure: Measure): Measure {
	return {...measure, isDetail: true};
}

const DAYS_PER_WEEK = 7;

function priceRow(
	title: string,
	of: (cost: OfferCost) => number | undefined,
	group: CompareGroup = 'MONEY',
	format = shortPrice,
): Measure {
	return {
		group,
		title,
		text: ({cost, before}) => moved(format(of(before)), format(of(cost))),
		values: ({cost}) => [of(cost)],
		best: 'low',
	};
}

/** A moved price is shown with its former value. */
function moved(before: string, now: string): string {
	return before === now ? now : `${before}>${now}`;
}

function moneyRows(job: Job, hasSeveral: boolean): readonly Measure[] {
	return [
		priceRow(`ALL-IN ${job.diskGb}G $/h`, cost => cost.allIn),
		...(hasSeveral ? [priceRow(' per GPU $/h', cost => cost.allInPerGpu)] : []),
		...(expectsTraffic(job) ? trafficRows : []),
		detail(priceRow(' GPU $/h', cost => cost.gpu)),
		detail(priceRow(` disk ${job.diskGb}G $/h`, cost => cost.disk)),
		priceRow('stopped $/h', cost => cost.disk),
		number('speed per $', 'MONEY', ({dlperf_per_dphtotal: value}) => value, decimals(0)),
	];
}

const trafficRows: readonly Measure[] = [
	priceRow(' without traffic $/h', cost => cost.running),
	{
		...priceRow(' traffic $/h', hourlyTrafficCost),
		text: ({cost}) =>
			hourlyTrafficCost(cost) === 0 ? 'free' : shortPrice(hourlyTrafficCost(cost)),
	},
];

/** Hourly cost of the expected traffic; undefined if a price is unknown. */
export function hourlyTrafficCost({trafficIn, trafficOut}: OfferCost): number | undefined {
	return trafficIn === undefined || trafficOut === undefined ? undefined : trafficIn + trafficOut;
}

function jobRows({hours}: Job): readonly Measure[] {
	return [
		priceRow(`${hours} h cost`, cost => cost.job, 'JOB', money),
		priceRow(
			'7 d cost',
			({perDay}) => (perDay === undefined ? undefined : perDay * DAYS_PER_WEEK),
			'JOB',
			money,
		),
	];
}

export type CompareCell = {readonly text: string; readonly isBest: boolean};

export type CompareRow = {
	readonly group: CompareGroup;
	readonly title: string;
	readonly cells: readonly CompareCell[];
	readonly differs: boolean;
	/** The row comes last if not all fit. */
	readonly isDetail: boolean;
};

const MB_PER_GB = 1024;

export function compareRows(offers: readonly Compared[], job: Job): readonly CompareRow[] {
	const hasSeveral = offers.some(({offer}) => offer.num_gpus !== 1);
	return [...moneyRows(job, hasSeveral), ...machineRows, ...riskRows, ...jobRows(job)].map(
		measure => rowOf(measure, offers),
	);
}

function rowOf(measure: Measure, offers: readonly Compared[]): CompareRow {
	const {group, title, text, values, best = 'high', isDetail = false} = measure;
	const texts = offers.map(text);
	const winners = values === undefined ? [] : bestOf(offers.map(values), best);
	// Numbers that read the same count as equal.
	const bestTexts = new Set(winners.map(at => texts[at]));
	const differs = new Set(texts).size > 1;
	const cells = texts.map(cell => ({text: cell, isBest: differs && bestTexts.has(cell)}));
	return {group, title, cells, differs, isDetail};
}

/** Best offers of a row: no other is better in any of their values. */
function bestOf(
	measured: ReadonlyArray<ReadonlyArray<number | null | undefined>>,
	best: 'low' | 'high',
): readonly number[] {
	const sign = best === 'low' ? -1 : 1;
	const complete = measured.flatMap((values, at) => {
		const numbers = values.filter(value => typeof value === 'number');
		return numbers.length === values.length ? [{at, numbers}] : [];
	});
	if (complete.length < 2) return [];
	return complete
		.filter(({numbers}) =>
			complete.every(other =>
				numbers.every((value, index) => sign * (value - (other.numbers[index] ?? value)) >= 0),
			),
		)
		.map(({at}) => at);
}

/** Memory of an offer in MB, as its share of the machine's; undefined if that is unknown. */
export function memoryOf({cpu_ram: all, gpu_frac: share}: Offer): number | undefined {
	if (typeof all !== 'number' || typeof share !== 'number') return undefined;
	return share > 0 && share <= 1 ? all * share : undefined;
}

export function roundDown(value: number | null | undefined): number | undefined {
	return value === null || value === undefined ? undefined : Math.floor(value);
}

/** A row of two numbers: the best offer is best in both. */
function pair(
	title: string,
	first: (offer: Offer) => number | null | undefined,
	second: (offer: Offer) => number | null | undefined,
): Measure {
	return {
		group: 'MACHINE',
		title,
		text: ({offer}) => `${count(first(offer))} / ${count(second(offer))}`,
		values: ({offer}) => [first(offer), second(offer)],
	};
}

const gigabytes = (value: number | null | undefined) =>
	value === null || value === undefined ? undefined : value / MB_PER_GB;

const machineRows: readonly Measure[] = [
	number('VRAM GB', 'MACHINE', ({gpu_ram: value}) => gigabytes(value)),
	detail(
		pair(
			'vCPU / RAM GB',
			offer => offer.cpu_cores_effective,
			offer => gigabytes(memoryOf(offer) ?? offer.cpu_ram),
		),
	),
	detail(number('disk free GB', 'MACHINE', ({disk_space: value}) => roundDown(value))),
	detail(number('CUDA max', 'MACHINE', ({cuda_max_good: value}) => value, decimals(1))),
	pair(
		'net down / up Mb/s',
		offer => offer.inet_down,
		offer => offer.inet_up,
	),
	{
		group: 'MACHINE',
		title: 'PCIe',
		isDetail: true,
		text: ({offer}) => pcie(offer),
		values: ({offer}) => [offer.pcie_bw],
	},
];

function pcie({pci_gen: generation, gpu_lanes: lanes}: Offer): string {
	if (typeof generation !== 'number') return MISSING;
	return `${generation.toFixed(1)}${typeof lanes === 'number' ? ` x${lanes}` : ''}`;
}

const riskRows: readonly Measure[] = [
	number('reliability %', 'RISK', ({reliability: value}) => value, percent),
	number('max rental days', 'RISK', ({duration: seconds}) => daysOf(seconds)),
	detail(number('direct ports', 'RISK', ({direct_port_count: value}) => value)),
	{group: 'RISK', title: 'tier', text: ({offer}) => formatTier(offer)},
	{
		group: 'RISK',
		title: 'where',
		isDetail: true,
		text: ({offer}) => known(printable)(offer.geolocation),
	},
	{group: 'RISK', title: 'your boots here', text: ({host}) => historyInShort(host)},
];

/** Whole days count: a rental ends at the end of the last one. */
function daysOf(seconds: number | null | undefined): number | undefined {
	return seconds === null || seconds === undefined ? undefined : Math.floor(seconds / DAY);
}

const tiers: Readonly<Record<string, string>> = {
	dc: 'datacenter',
	ver: 'verified',
	unv: 'unverified',
	dev: 'deverified',
};

export function formatTier(offer: Offer): string {
	const short = tier(offer);
	return tiers[short] ?? short;
}

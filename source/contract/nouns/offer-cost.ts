/** Cost of an offer for a job: with the job's disk and traffic, not only the price of its GPUs. */
import type {Offer} from './offers.ts';

/** The month that storage prices are quoted for. */
export const HOURS_PER_MONTH = 720;

/** The terabyte that traffic prices are quoted for. */
export const GB_PER_TB = 1024;

export type Job = {
	readonly diskGb: number;
	readonly hours: number;
	readonly inGbPerHour: number;
	readonly outGbPerHour: number;
};

export type PricedOffer = Pick<
	Offer,
	| 'num_gpus'
	| 'dph_base'
	| 'dph_total'
	| 'storage_cost'
	| 'storage_total_cost'
	| 'inet_down_cost'
	| 'inet_up_cost'
>;

/**
 * Dollars, part by part and together. A cost that depends on a missing field is undefined: an
 * unknown part must not make an offer seem cheap.
 */
export type OfferCost = {
	/** GPUs, per hour. */
	readonly gpu: number | undefined;
	/** Disk, per hour: also the full price of the stopped instance. */
	readonly disk: number | undefined;
	/** Running instance, per hour, without traffic. */
	readonly running: number | undefined;
	readonly trafficIn: number | undefined;
	readonly trafficOut: number | undefined;
	/** GPUs, disk and traffic, per hour. */
	readonly allIn: number | undefined;
	readonly allInPerGpu: number | undefined;
	readonly perDay: number | undefined;
	readonly perWeek: number | undefined;
	/** The whole job. */
	readonly job: number | undefined;
};

const HOURS_PER_DAY = 24;
const HOURS_PER_WEEK = 168;

export const costFields = [
	'num_gpus',
	'dph_base',
	'dph_total',
	'storage_cost',
	'storage_total_cost',
	'inet_down_cost',
	'inet_up_cost',
] as const satisfies ReadonlyArray<keyof PricedOffer>;

/**
 * Cost of an offer for a job. The service's totals contain a disk of `pricedGb`: the size in the
 * search, by default the job's own.
 */
export function costOf(offer: PricedOffer, job: Job, pricedGb: number = job.diskGb): OfferCost {
	const disk = diskPerHour(offer, job.diskGb, pricedGb);
	const gpu = offer.dph_base ?? difference(offer.dph_total, scaled(disk, job.diskGb, pricedGb));
	const running = sum(gpu, disk) ?? (job.diskGb === pricedGb ? known(offer.dph_total) : undefined);
	const trafficIn = traffic(job.inGbPerHour, offer.inet_down_cost);
	const trafficOut = traffic(job.outGbPerHour, offer.inet_up_cost);
	const allIn = sum(running, sum(trafficIn, trafficOut));
	return {
		gpu,
		disk,
		running,
		trafficIn,
		trafficOut,
		allIn,
		allInPerGpu: perGpu(allIn, offer.num_gpus),
		perDay: times(allIn, HOURS_PER_DAY),
		perWeek: times(allIn, HOURS_PER_WEEK),
		job: times(allIn, job.hours),
	};
}

/** The price of a disk from the price per GB; without it, from the price of another disk size. */
function diskPerHour(offer: PricedOffer, diskGb: number, pricedGb: number): number | undefined {
	const perGbMonth = known(offer.storage_cost);
	if (perGbMonth !== undefined) return (perGbMonth * diskGb) / HOURS_PER_MONTH;
	const priced = offer.storage_total_cost ?? difference(offer.dph_total, offer.dph_base);
	return scaled(priced, pricedGb, diskGb);
}

function scaled(price: number | undefined, fromGb: number, toGb: number): number | undefined {
	if (fromGb === toGb) return price;
	return price === undefined || fromGb === 0 ? undefined : (price * toGb) / fromGb;
}

function traffic(gbPerHour: number, perGb: Maybe): number | undefined {
	return gbPerHour === 0 ? 0 : times(known(perGb), gbPerHour);
}

function perGpu(price: number | undefined, gpus: Maybe): number | undefined {
	return price === undefined || !gpus ? undefined : price / gpus;
}

type Maybe = number | null | undefined;

function known(value: Maybe): number | undefined {
	return value ?? undefined;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
	return a === undefined || b === undefined ? undefined : a + b;
}

function times(a: number | undefined, b: number): number | undefined {
	return a === undefined ? undefined : a * b;
}

/** Whole less a part; undefined for a part larger than the whole. */
function difference(whole: Maybe, part: Maybe): number | undefined {
	if (typeof whole !== 'number' || typeof part !== 'number') return undefined;
	return whole < part ? undefined : whole - part;
}

export type Deposited = {
	/** Months of running all the time that a deposit pays for. */
	readonly months: number;
	/** Discount on computing and disk, from 0 to 1. */
	readonly rate: number;
};

/**
 * Months that a deposit pays for: the longer, the higher the discount, so that one month gets half
 * of
 * the most, and three months three quarters of it. Infinite for a price of zero.
 *
 * @param most The advertised discount, from 0 to 1.
 */
export function depositFor(micros: number, hourlyMicros: number, most: number): Deposited {
	const monthly = hourlyMicros * HOURS_PER_MONTH;
	// The months m of which `monthly * m * (1 - most * m / (m + 1))` is the price.
	const more = monthly - micros;
	const root = Math.sqrt(more * more + 4 * monthly * (1 - most) * micros);
	const months = (2 * micros) / (more + root);
	return {months, rate: discountAfter(months, most)};
}

export function discountAfter(months: number, most: number): number {
	return most * (months / (months + 1));
}

export function discounted(micros: number, rate: number): number {
	return Math.round(micros * (1 - rate));
}

/** Share of the discount received that an early end costs. */
const EARLY_END = 1.05;

/** The part of a deposit that is not refunded at an early end. */
export function keptAtEnd(leftMicros: number, discountMicros: number): number {
	// Rounded amounts may be a few micro-dollars above the plain price.
	return Math.min(leftMicros, Math.max(0, Math.round(discountMicros * EARLY_END)));
}

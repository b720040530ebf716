/** Reliability of a machine: the share of the time in which it was heard, less starts that failed. */
import type {NewOffer, OfferRow, OfferFacts} from '../database/schema.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {MachineRow} from '../database/instance-tables.ts';

/** Offers in the order that is shown where nothing else is asked for. */

type Trust = {
	readonly reliability: number | null;
	readonly verification: string | null;
};

/** Rank of an offer in the default order: much for the money, from a reliable host. */
export function scoreOf(dlperfPerDollar: number, {reliability, verification}: Trust): number {
	const trust = verification === 'verified' ? 1 : 0.7;
	return rounded(dlperfPerDollar * trust * (reliability ?? 0) ** 3);
}

/** Four decimals are enough to compare by. */
export function rounded(value: number): number {
	return Math.round(value * 10_000) / 10_000;
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Only so much of the past counts. */
export const COUNTED_SECONDS = 30 * DAY;

/**
 * Reliability of a machine that nobody knows yet: searches for what mostly works find it, and those
 * for what has proven itself do not. It counts as if the machine had been watched for a day.
 */
export const NEW_RELIABILITY = 0.95;
const NEW_SECONDS = DAY;

/** Rentals that are thought to have gone well, so that one that failed says little by itself. */
const KIND_RENTALS = 5;

type Stretch = {readonly since: number; readonly until: number};

type Conduct = {
	readonly knownSince: number;
	readonly now: number;
	readonly silences: readonly Stretch[];
	/** Maintenance that was announced: silence in it does not count. */
	readonly excused: readonly Stretch[];
	/** Rentals that were made, those that failed among them. */
	readonly rentals: number;
	readonly failed: number;
};

type Reliability = {
	readonly value: number;
	/** Seconds in which it should have been heard, and of these those in which it was not. */
	readonly dueSeconds: number;
	readonly silentSeconds: number;
};

export function reliabilityOf(conduct: Conduct): Reliability {
	const {knownSince, now, silences, excused, rentals, failed} = conduct;
	const from = Math.max(knownSince, now - COUNTED_SECONDS);
	const within = (stretches: readonly Stretch[]) => merged(stretches, from, now);
	const breaks = within(excused);
	const dueSeconds = Math.max(0, now - from) - lengthOf(breaks);
	const silent = within(silences);
	const silentSeconds = lengthOf(silent) - lengthOf(common(silent, breaks));
	const heard = dueSeconds - silentSeconds + NEW_RELIABILITY * NEW_SECONDS;
	const uptime = heard / (dueSeconds + NEW_SECONDS);
	const success = 1 - failed / (Math.max(rentals, failed) + KIND_RENTALS);
	return {value: rounded(uptime * success), dueSeconds, silentSeconds};
}

/** Stretches within a span, in order, without overlaps. */
function merged(stretches: readonly Stretch[], from: number, to: number): readonly Stretch[] {
	const inside = stretches
		.map(({since, until}) => ({since: Math.max(since, from), until: Math.min(until, to)}))
		.filter(({since, until}) => until > since)
		.toSorted((one, other) => one.since - other.since);
	const all: Stretch[] = [];
	for (const stretch of inside) {
		const last = all.at(-1);
		if (last === undefined || last.until < stretch.since) all.push(stretch);
		else all.splice(-1, 1, {since: last.since, until: Math.max(last.until, stretch.until)});
	}
	return all;
}

function common(some: readonly Stretch[], others: readonly Stretch[]): readonly Stretch[] {
	return some.flatMap(({since, until}) => merged(others, since, until));
}

function lengthOf(stretches: readonly Stretch[]): number {
	return stretches.reduce((sum, {since, until}) => sum + until - since, 0);
}

/** An offer with what its machine has earned by now. */
export function trustedOffer(row: OfferRow, machine: Parameters<typeof trustOf>[0]): NewOffer {
	const {
		default_dph_total: _,
		default_dlperf_per_dph: __,
		default_flops_per_dph: ___,
		floor_bid_micros: floor,
		...offer
	} = row;
	const trusted = {...offer, ...trustOf(machine), min_bid_micros: floor};
	const {dlperf, dph_base_micros: price} = trusted;
	const perDollar = (dlperf ?? 0) / Math.max(price / MICROS_PER_DOLLAR, LEAST_PRICE);
	return {...trusted, score: dlperf === null ? null : scoreOf(perDollar, trusted)};
}

/** The fields that a machine has earned, as far as it has. Made-up machines have none. */
export function trustOf({
	reliability,
	verification,
}: Pick<MachineRow, 'reliability' | 'verification'>): Partial<MarketFields> {
	return {
		...(reliability !== null && {reliability, expected_reliability: reliability}),
		...(verification !== null && {verification}),
	};
}

/** Lowest price in dollars an hour for computing value: a free offer counts as this. */
export const LEAST_PRICE = 0.001;

/** Offer fields owned by the market: they stay when the host publishes the machine again. */
export type MarketFields = Pick<
	OfferFacts,
	| 'cluster_id'
	| 'bundle_id'
	| 'geolocode'
	| 'credit_discount_max'
	| 'external'
	| 'verification'
	| 'is_vm_deverified'
	| 'reliability'
	| 'reliability_mult'
	| 'expected_reliability'
	| 'start_date'
>;

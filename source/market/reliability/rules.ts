/** Reliability of a machine: the share of the time in which it was heard, less starts that failed. */
import type {NewOffer, OfferRow, OfferFacts} from '../database/schema.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Trust = {
	readonly reliability: number | null;
	readonly verification: string | null;
};

/** Score of an offer in the default order, by performance per dollar and reliability. */
export function scoreOffer(dlperfPerDollar: number, {reliability, verification}: Trust): number {
	const trust = verification === 'verified' ? 1 : 0.7;
	return roundToFourDecimals(dlperfPerDollar * trust * (reliability ?? 0) ** 3);
}

export function roundToFourDecimals(value: number): number {
	return Math.round(value * 10_000) / 10_000;
}

/** Past time that counts. */
export const COUNTED_SECONDS = 30 * DAY;

/**
 * Reliability of a new machine: searches with a moderate minimum find it, those with a high one do
 * not. It weighs like a day of record.
 */
export const NEW_RELIABILITY = 0.95;
const NEW_SECONDS = DAY;

/** Assumed good rentals, so that a single failure has little weight. */
const KIND_RENTALS = 5;

type Stretch = {readonly since: number; readonly until: number};

type Conduct = {
	readonly knownSince: number;
	readonly now: number;
	readonly silences: readonly Stretch[];
	/** Times of announced maintenance, in which silence does not count. */
	readonly excused: readonly Stretch[];
	/** Count of rentals, failed ones included. */
	readonly rentals: number;
	readonly failed: number;
};

type Reliability = {
	readonly value: number;
	/** Seconds in which heartbeats were due, and those in which the machine was silent. */
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
	return {value: roundToFourDecimals(uptime * success), dueSeconds, silentSeconds};
}

/** Times within a span, in order, without overlaps. */
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

/** An offer with its machine's present reliability and verification. */
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
	// A machine without a score shows an estimate, which relies on the host's claims.
	return {...trusted, score: trusted.score === null ? null : scoreOffer(perDollar, trusted)};
}

/** Reliability, verification and measures of a machine; none for made-up machines. */
export function trustOf({
	reliability,
	verification,
	measured,
}: Pick<MachineRow, 'reliability' | 'verification' | 'measured'>): Partial<MarketFields> {
	return {
		...(reliability !== null && {reliability, expected_reliability: reliability}),
		...(verification !== null && {verification}),
		measured,
	};
}

/** Lowest price in dollars an hour for performance per dollar; free offers count as this. */
const LEAST_PRICE = 0.001;

/** Offer fields owned by the market, which a new publication does not change. */
export type MarketFields = Pick<
	OfferFacts,
	| 'cluster_id'
	| 'bundle_id'
	| 'geolocode'
	| 'credit_discount_max'
	| 'external'
	| 'verification'
	| 'measured'
	| 'is_vm_deverified'
	| 'reliability'
	| 'reliability_mult'
	| 'expected_reliability'
	| 'start_date'
>;

/**
 * Costs of instances, by their records and by the service's bills, and the user's limits for a
 * rental.
 */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {money, priceOverLimit, pricePerHour, sentence} from '../text/format.ts';
import {madeAt, runningSince, type PolledSpan} from './times.ts';
import type {Client} from '../../client/client.ts';
import type {SpendBudget} from '../settings/default-settings.ts';
import {DAY_MS, HOUR_MS} from '../../contract/rules/durations.ts';

type Cost = {
	readonly atLeast: number;
	/** Undefined if the price or the start is unknown. */
	readonly atMost: number | undefined;
};

export type Costed = {
	readonly instance: Instance;
	/** The service's time in milliseconds. */
	readonly now: number;
	/** Consecutive polls that showed its present state. */
	readonly observation?: {readonly state: PolledSpan | undefined} | undefined;
};

/**
 * Cost of the disk at all times, and of the GPUs while the instance is known to have run; at most,
 * while it was not seen stopped. No record tells when it ran before its present start.
 */
export function costSoFar({instance, now, observation}: Costed): Cost {
	const {gpus, disk} = pricesOf(instance);
	const made = madeAt(instance, now);
	const {ranMs, stoodMs} = watchedTimes({instance, now, observation});
	// No instance runs for longer than it has existed.
	const ageMs = made === undefined ? ranMs : now - made;
	// The bid may have been lower or higher before, and no record tells.
	const isPriceFixed = instance.is_bid !== true;
	const least = isPriceFixed ? (gpus ?? 0) * (1 - paidShare(instance)) : 0;
	const perHour = {gpus: least, disk: disk ?? 0};
	const atLeast = (ageMs * perHour.disk + Math.min(ageMs, ranMs) * perHour.gpus) / HOUR_MS;
	const isKnown = made !== undefined && isPriceFixed;
	if (!isKnown || gpus === undefined || disk === undefined) return {atLeast, atMost: undefined};
	const mayHaveRunMs = Math.max(0, ageMs - stoodMs);
	return {atLeast, atMost: (ageMs * disk + mayHaveRunMs * gpus) / HOUR_MS};
}

/** Time until now for which the instance certainly ran, and for which it certainly did not. */
function watchedTimes({instance, now, observation}: Costed) {
	const watchedMs = observation?.state?.watchedMs ?? 0;
	if (instance.actual_status !== 'running') return {ranMs: 0, stoodMs: watchedMs};
	const ranMs = Math.max(watchedMs, now - (runningSince(instance, now) ?? now));
	return {ranMs, stoodMs: 0};
}

/** Discount on its price for prepayment, as a share. */
export function paidShare({credit_discount: discount}: Pick<Instance, 'credit_discount'>): number {
	return Math.min(1, Math.max(0, discount ?? 0));
}

/**
 * Hourly prices of the running GPUs and of the disk; of these and the total, two determine the
 * third.
 */
function pricesOf({dph_base: base, dph_total: total, storage_total_cost: storage}: Instance) {
	const disk = storage ?? (isPrice(total) && isPrice(base) ? Math.max(0, total - base) : undefined);
	const gpus = base ?? (isPrice(total) && isPrice(disk) ? Math.max(0, total - disk) : undefined);
	return {gpus: isPrice(gpus) ? gpus : undefined, disk: isPrice(disk) ? disk : undefined};
}

function isPrice(value: number | null | undefined): value is number {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** "$21.00 to $25.00", "$0.44" if both read the same, or "at least $1.33"; undefined if unknown. */
export function formatCostRange({atLeast, atMost}: Cost): string | undefined {
	if (atMost === undefined) return atLeast === 0 ? undefined : `at least ${money(atLeast)}`;
	const [least, most] = [money(atLeast), money(atMost)];
	return least === most ? most : `${least} to ${most}`;
}

/** Total cost of several; no upper bound if one of them has none. */
export function sumOfCosts(all: readonly Costed[]): Cost {
	const costs = all.map(costSoFar);
	const most = costs.map(({atMost}) => atMost ?? Number.NaN).reduce((sum, one) => sum + one, 0);
	const atLeast = costs.reduce((sum, cost) => sum + cost.atLeast, 0);
	return {atLeast, atMost: Number.isNaN(most) ? undefined : most};
}

/** Dollars paid ahead for instances and not used up. */
export function paidAhead(rows: ReadonlyArray<Pick<Costed, 'instance'>>): number {
	return rows.reduce((sum, {instance}) => sum + (instance.credit_balance ?? 0), 0);
}

/**
 * Dollars since the day and the month began in UTC, by which services bill; undefined once that day or month is
 * over.
 */
export type Spent = {
	readonly today: number | undefined;
	readonly month: number | undefined;
	/** The service's time at which they were asked for. */
	readonly at: number;
};

export type BillingClient = Pick<Client['billing'], 'invoices'>;

/** Most records a page: a month has fewer days. */
const PAGE = 100;
const MOST_PAGES = 5;

/** Undefined if there are too many bills, or unreadable ones. */
export async function readSpent(
	billing: BillingClient,
	nowMs: number,
	signal: AbortSignal,
): Promise<Spent | undefined> {
	const {month: from, today} = beginnings(new Date(nowMs));
	const until = Math.floor(nowMs / 1000);
	let spent = {today: 0, month: 0};
	let after: string | undefined;
	for (let page = 0; page < MOST_PAGES; page++) {
		const wanted = {from, until, types: ['charge'], limit: PAGE, after};
		const {records, next, unreadable} = await billing.invoices(wanted, {signal});
		if (unreadable.count > 0) return undefined;
		for (const {amount, start, end} of records) {
			const at = start ?? end ?? from;
			// Services write spent amounts as negative.
			const dollars = Math.abs(amount);
			spent = {today: spent.today + (at >= today ? dollars : 0), month: spent.month + dollars};
		}
		if (next === undefined) return {...spent, at: nowMs};
		after = next;
	}
	return undefined;
}

/** Charges that were asked for before, as far as they are known at a moment on the service's clock. */
export function presentSpent(spent: Spent | undefined, nowMs: number): Spent | undefined {
	if (spent === undefined || isSameDay(spent.at, nowMs)) return spent;
	const [then, present] = [spent.at, nowMs].map(at => beginnings(new Date(at)).month);
	return {...spent, today: undefined, month: then === present ? spent.month : undefined};
}

/** True if two moments are in one day in UTC. */
export function isSameDay(one: number, other: number): boolean {
	return Math.floor(one / DAY_MS) === Math.floor(other / DAY_MS);
}

/** Starts of the day and the month, in seconds since 1970. */
function beginnings(now: Date) {
	const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
	return {month: Date.UTC(year, month) / 1000, today: Date.UTC(year, month, day) / 1000};
}

export type SpendProblem =
	| {
			readonly of: 'rental' | 'fleet';
			readonly limit: number;
			/** Cost with the rental; infinite if a price is unknown. */
			readonly wouldBe: number;
	  }
	| {readonly of: 'unread'; readonly why: string};

export type Spending = {
	/** Price of the rental; an unknown one, undefined, is over every limit. */
	readonly perHour: number | undefined;
	/** The present instances: their highest cost, and the count of those with an unknown price. */
	readonly fleet: {readonly atMost: number; readonly unpriced: number};
};

/** The first limit that a rental would exceed; undefined if none. */
export function spendProblem(
	{askOverPerHour, fleetMaxPerHour, problem}: SpendBudget,
	{perHour = Number.POSITIVE_INFINITY, fleet}: Spending,
): SpendProblem | undefined {
	if (problem !== undefined) return {of: 'unread', why: problem};
	if (askOverPerHour !== null && perHour > askOverPerHour) {
		return {of: 'rental', limit: askOverPerHour, wouldBe: perHour};
	}
	const together = fleet.unpriced > 0 ? Number.POSITIVE_INFINITY : fleet.atMost + perHour;
	if (fleetMaxPerHour !== null && together > fleetMaxPerHour) {
		return {of: 'fleet', limit: fleetMaxPerHour, wouldBe: together};
	}
	return undefined;
}

export type OverBudget = {
	readonly why: string;
	/** Words to type to rent anyway. */
	readonly sentence: string;
};

export function overBudget(limits: SpendBudget, spending: Spending): OverBudget | undefined {
	const problem = spendProblem(limits, spending);
	if (problem === undefined) return undefined;
	const {perHour} = spending;
	if (perHour === undefined) {
		return {
			why: 'Your budget cannot be kept: the service does not say what this costs.',
			sentence: 'rent at any price',
		};
	}
	return {why: whyOver(problem), sentence: `spend ${pricePerHour(perHour)}`};
}

function whyOver(problem: SpendProblem): string {
	if (problem.of === 'unread') return `Your budget cannot be read: ${sentence(problem.why)}`;
	const limit = pricePerHour(problem.limit);
	if (!Number.isFinite(problem.wouldBe)) {
		return `The service does not say what all of your instances cost: your budget of ${limit} for the fleet cannot be kept.`;
	}
	const wouldBe = priceOverLimit(problem.wouldBe);
	return problem.of === 'fleet'
		? `With this all that is rented may cost ${wouldBe}, over your budget of ${limit} for the fleet.`
		: `This costs ${wouldBe}, over your budget of ${limit} for one rental.`;
}

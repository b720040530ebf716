/** Charges of today and this month from the service's bills, and the user's limits on what a rental may add. */
import type {Client} from '../../client/client.ts';
import type {SpendBudget} from '../settings/default-settings.ts';
import {priceOverLimit, pricePerHour} from '../text/format.ts';

/** Dollars since the day and the month began in UTC, which is how services bill. */
export type Spent = {readonly today: number; readonly month: number};

/** Client's calls that charges need. */
export type BillingClient = Pick<Client['billing'], 'invoices'>;

/** Of each page a service answers at most so many: a month has fewer days. */
const PAGE = 100;
const MOST_PAGES = 5;

/** Undefined where there are more bills than are worth asking for, or some that cannot be read. */
export async function readSpent(
	billing: BillingClient,
	nowMs: number,
	signal: AbortSignal,
): Promise<Spent | undefined> {
	const {month: from, today} = beginnings(new Date(nowMs));
	const until = Math.floor(nowMs / 1000);
	let spent: Spent = {today: 0, month: 0};
	let after: string | undefined;
	for (let page = 0; page < MOST_PAGES; page++) {
		const wanted = {from, until, types: ['charge'], limit: PAGE, after};
		const {records, next, unreadable} = await billing.invoices(wanted, {signal});
		if (unreadable.count > 0) return undefined;
		for (const {amount, start, end} of records) {
			const at = start ?? end ?? from;
			// Services write what was spent as less than nothing.
			const dollars = Math.abs(amount);
			spent = {today: spent.today + (at >= today ? dollars : 0), month: spent.month + dollars};
		}
		if (next === undefined) return spent;
		after = next;
	}
	return undefined;
}

/** Starts of the day and the month, in seconds since 1970. */
function beginnings(now: Date) {
	const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
	return {month: Date.UTC(year, month) / 1000, today: Date.UTC(year, month, day) / 1000};
}

type SpendProblem = {
	/** Scope of the limit: one rental, or all together. */
	readonly of: 'rental' | 'fleet';
	readonly limit: number;
	/** Cost with the rental. */
	readonly wouldBe: number;
};

type Spending = {
	/** Price of the rental; undefined where it is not known, which no limit allows. */
	readonly perHour: number | undefined;
	/** Highest cost of what is rented already. */
	readonly fleetAtMost: number;
};

/** The first limit that a rental would break; undefined where it breaks none. */
export function spendProblem(
	{askOverPerHour, fleetMaxPerHour}: SpendBudget,
	{perHour = Number.POSITIVE_INFINITY, fleetAtMost}: Spending,
): SpendProblem | undefined {
	if (askOverPerHour !== null && perHour > askOverPerHour) {
		return {of: 'rental', limit: askOverPerHour, wouldBe: perHour};
	}
	const together = fleetAtMost + perHour;
	if (fleetMaxPerHour !== null && together > fleetMaxPerHour) {
		return {of: 'fleet', limit: fleetMaxPerHour, wouldBe: together};
	}
	return undefined;
}

export type OverBudget = {
	/** Reason: the limit that it would exceed. */
	readonly why: string;
	/** Words to type to rent all the same. */
	readonly sentence: string;
};

/** Limit that a rental would exceed; undefined where it exceeds none. */
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
	const wouldBe = priceOverLimit(problem.wouldBe);
	const limit = pricePerHour(problem.limit);
	return {
		why:
			problem.of === 'fleet'
				? `With this all that is rented may cost ${wouldBe}, over your budget of ${limit} for the fleet.`
				: `This costs ${wouldBe}, over your budget of ${limit} for one rental.`,
		sentence: `spend ${pricePerHour(perHour)}`,
	};
}

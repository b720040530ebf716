/** Spending limits: checks whether a rental would exceed them, in dollars an hour. */
import type {SpendBudget} from '../settings/default-settings.ts';

export type SpendProblem = {
	/** Scope of the limit: one rental, or all together. */
	readonly of: 'rental' | 'fleet';
	readonly limit: number;
	/** Cost with the rental. */
	readonly wouldBe: number;
};

export type Spending = {
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

/** Whether renting would cost more than its renter wants to spend: dollars an hour. */
import type {SpendBudget} from '../settings/default-settings.ts';

export type SpendProblem = {
	/** Whose limit it is: that of one rental, or of all together. */
	readonly of: 'rental' | 'fleet';
	readonly limit: number;
	/** What it would cost then. */
	readonly wouldBe: number;
};

export type Spending = {
	/** What the rental costs; undefined where that is not known, which no limit allows. */
	readonly perHour: number | undefined;
	/** What is rented already costs at most. */
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

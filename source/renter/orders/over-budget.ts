/** The user's own limits on spending, as a question: above them a sentence must be typed to rent. */
import type {SpendBudget} from '../settings/default-settings.ts';
import {spendProblem, type Spending} from '../instance/spending.ts';
import {priceOverLimit, pricePerHour} from '../text/format.ts';

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

/** Limits on spending at the moment of a rent, when other programs may rent as well. */
import type {Beside} from '../../client/rentals/renting.ts';
import {overBudget, type Spending} from '../instance/cost.ts';
import {mostRate} from '../leases/budgets.ts';
import type {SpendBudget} from '../settings/default-settings.ts';

/** What all beside a rent may cost, rents included that are on their way. */
export function fleetBeside({instances, rents}: Beside): Spending['fleet'] {
	const most = instances === undefined ? undefined : mostRate(instances);
	const prices = rents.map(({agreed, price}) => agreed?.perHour ?? price);
	const unpriced = [most, ...prices].filter(price => price === undefined).length;
	return {atMost: prices.reduce<number>((sum, price) => sum + (price ?? 0), most ?? 0), unpriced};
}

/** A rent that would pass a limit at the moment when it would be sent. */
export class OverBudgetError extends Error {
	override readonly name = 'OverBudgetError';
}

/** Refuses a rent that passes a limit beside what was rented since it was looked at. */
export function refusingOver(limits: SpendBudget, perHour: number | undefined) {
	return (beside: Beside): void => {
		const over = overBudget(limits, {perHour, fleet: fleetBeside(beside)});
		if (over !== undefined) throw new OverBudgetError(over.why);
	};
}

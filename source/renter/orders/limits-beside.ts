/** Spending limits at the moment of a rent or a start, when other programs may rent as well. */
import type {PresentRentals} from '../../client/rentals/renting.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {overBudget, type Spending} from '../instance/cost.ts';
import {
	budgetState,
	budgetText,
	isCounted,
	mostRate,
	presentRate,
	type BudgetFile,
	type BudgetSpending,
} from '../leases/budgets.ts';
import type {SpendBudget} from '../settings/default-settings.ts';
import {shownLabel} from '../words/lease.ts';

/** Possible cost of everything beside a rent, including pending rents. */
export function fleetBeside({instances, rents}: PresentRentals): Spending['fleet'] {
	const most = instances === undefined ? undefined : mostRate(instances);
	const prices = rents.map(({agreed, price}) => agreed?.perHour ?? price);
	const unpriced = [most, ...prices].filter(price => price === undefined).length;
	return {atMost: prices.reduce<number>((sum, price) => sum + (price ?? 0), most ?? 0), unpriced};
}

/** A rental, future or pending. */
export type RentalCost = {
	/** Dollars an hour; undefined if the service does not send it. */
	readonly perHour: number | undefined;
	/** Label without a lease. */
	readonly label: string;
};

export type Budgeted = {
	readonly profile: string;
	readonly asked: readonly RentalCost[];
	readonly pending?: readonly RentalCost[];
	/** Instances beside the requested one; undefined if they cannot be listed. */
	readonly instances: readonly Instance[] | undefined;
	/** Bills; undefined if they were read a moment ago. */
	readonly bills?: Pick<BudgetSpending, 'day' | 'month'>;
};

/** The budget of budgets.json that would be exceeded, in a sentence; undefined if none would be. */
export function budgetProblem(
	{budgets, problem}: BudgetFile,
	{profile, asked, pending = [], instances, bills = {day: undefined, month: undefined}}: Budgeted,
): string | undefined {
	if (problem !== undefined) return `budgets.json cannot be read: ${problem}.`;
	for (const budget of budgets) {
		const isMeant = ({label}: RentalCost) => isCounted(budget, profile, label);
		if (!asked.some(isMeant)) continue;
		if (instances === undefined) {
			return 'The instances cannot be listed, so budgets.json cannot be kept.';
		}
		const counted = instances.filter(({label}) => isCounted(budget, profile, shownLabel(label)));
		const added = [...asked, ...pending].filter(isMeant);
		const price = added.reduce((sum, {perHour = Infinity}) => sum + perHour, 0);
		const hour = counted.reduce((sum, instance) => sum + presentRate(instance), price);
		// A booting instance soon costs its full price.
		const most = mostRate(counted);
		const state = budgetState(budget, {...bills, hour}, most === undefined ? most : most + price);
		if (state?.level === 'over' || state?.level === 'may be over') {
			return `With this it costs ${budgetText(state)}, more than budgets.json allows.`;
		}
	}
	return undefined;
}

/** The budgets that a rent would exceed, beside everything that costs money now or soon. */
export function budgetsBeside(
	file: BudgetFile,
	{profile, asked}: {readonly profile: string; readonly asked: RentalCost},
	{instances, rents}: PresentRentals,
): string | undefined {
	const pending = rents.map(({agreed, price, label}) => ({
		perHour: agreed?.perHour ?? price,
		label: shownLabel(label),
	}));
	return budgetProblem(file, {profile, asked: [asked], pending, instances});
}

/** Error for a rent that would exceed a limit at the moment of sending. */
export class OverBudgetError extends Error {
	override readonly name = 'OverBudgetError';
}

export type BudgetLimits = {
	/** Limits of the settings; undefined if the user agreed to exceed them. */
	readonly spend: SpendBudget | undefined;
	readonly file: BudgetFile;
	readonly profile: string;
};

/** Refuses a rent that exceeds a limit, including rentals made since the last read. */
export function refusingOver({spend, file, profile}: BudgetLimits, asked: RentalCost) {
	return (beside: PresentRentals): void => {
		const {perHour} = asked;
		const over = spend && overBudget(spend, {perHour, fleet: fleetBeside(beside)});
		const why = over?.why ?? budgetsBeside(file, {profile, asked}, beside);
		if (why !== undefined) throw new OverBudgetError(why);
	};
}

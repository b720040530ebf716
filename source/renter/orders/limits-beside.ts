/** Limits on spending at the moment of a rent or a start, when other programs may rent as well. */
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

/** What all beside a rent may cost, rents included that are on their way. */
export function fleetBeside({instances, rents}: PresentRentals): Spending['fleet'] {
	const most = instances === undefined ? undefined : mostRate(instances);
	const prices = rents.map(({agreed, price}) => agreed?.perHour ?? price);
	const unpriced = [most, ...prices].filter(price => price === undefined).length;
	return {atMost: prices.reduce<number>((sum, price) => sum + (price ?? 0), most ?? 0), unpriced};
}

/** A rental to be, or one under way. */
export type RentalCost = {
	/** Dollars an hour; undefined where the service does not say. */
	readonly perHour: number | undefined;
	/** Label without a lease. */
	readonly label: string;
};

export type Budgeted = {
	readonly profile: string;
	readonly asked: readonly RentalCost[];
	/** Rentals under way, which count beside what is asked for. */
	readonly pending?: readonly RentalCost[];
	/** Instances beside what is asked for; undefined where they cannot be listed. */
	readonly instances: readonly Instance[] | undefined;
	/** Bills; undefined where they were looked at a moment ago. */
	readonly bills?: Pick<BudgetSpending, 'day' | 'month'>;
};

/** The budget of budgets.json that would be passed, in a sentence; undefined where none would be. */
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
		// A booting instance costs its whole price soon.
		const most = mostRate(counted);
		const state = budgetState(budget, {...bills, hour}, most === undefined ? most : most + price);
		if (state?.level === 'over' || state?.level === 'may be over') {
			return `With this it costs ${budgetText(state)}, more than budgets.json allows.`;
		}
	}
	return undefined;
}

/** The budgets that would be passed by a rent beside all that costs or may cost soon. */
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

/** A rent that would pass a limit at the moment when it would be sent. */
export class OverBudgetError extends Error {
	override readonly name = 'OverBudgetError';
}

export type BudgetLimits = {
	/** Limits of the settings; undefined where a sum beyond them was agreed to. */
	readonly spend: SpendBudget | undefined;
	readonly file: BudgetFile;
	readonly profile: string;
};

/** Refuses a rent that passes a limit beside what was rented since it was looked at. */
export function refusingOver({spend, file, profile}: BudgetLimits, asked: RentalCost) {
	return (beside: PresentRentals): void => {
		const {perHour} = asked;
		const over = spend && overBudget(spend, {perHour, fleet: fleetBeside(beside)});
		const why = over?.why ?? budgetsBeside(file, {profile, asked}, beside);
		if (why !== undefined) throw new OverBudgetError(why);
	};
}

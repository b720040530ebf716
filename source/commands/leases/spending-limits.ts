/** Refuses what would cost more than the settings allow. */
import type {PresentRentals} from '../../client/rentals/renting.ts';
import {spendProblem, type SpendProblem} from '../../renter/instance/cost.ts';
import {fleetBeside, type RentalCost} from '../../renter/orders/limits-beside.ts';
import type {FleetState} from '../../renter/fleet/fleet-state.ts';
import {noBurn} from '../../renter/instance/burn.ts';
import {priceOverLimit, pricePerHour, sentence} from '../../renter/text/format.ts';
import {budgetsAtRent} from './budget-file.ts';
import {type Context, readNumberOption} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {openFleetPolls} from '../instances/fleet-polls.ts';

export const spendOption = {
	spend: {value: 'DOLLARS', about: 'an hour, allowed although the settings allow less'},
} as const;

type Spending = {
	/** Dollars an hour; undefined if the service does not say. */
	readonly perHour: number | undefined;
	/** Sentence about the state of the money after a refusal: "Nothing was started." */
	readonly nothing: string;
	/** The other instances; by default they are read if a limit counts them. */
	readonly fleet?: Pick<FleetState, 'burn' | 'incomplete'>;
};

/**
 * Refuses a price beyond the limits of the settings, unless --spend allows it.
 *
 * @throws CommandError
 */
export async function refuseOverLimits(context: Context, spending: Spending): Promise<void> {
	const {perHour, nothing} = spending;
	const {spend} = context.settings;
	if (isAllowed(context, perHour)) return;
	refuse(spendProblem(spend, {perHour, fleet: await readFleet(context, spending)}), nothing);
}

/** Refuses a rent at the moment when it would be sent: other programs may have rented since. */
export function limitsAtRent(
	context: Context,
	asked: RentalCost,
	help?: string,
): (beside: PresentRentals) => void {
	const {perHour} = asked;
	const {spend} = context.settings;
	const refuseBudgets = budgetsAtRent(context, asked);
	return beside => {
		refuseBudgets(beside);
		if (isAllowed(context, perHour)) return;
		const problem = spendProblem(spend, {perHour, fleet: fleetBeside(beside)});
		refuse(problem, 'Nothing was rented.', help);
	};
}

function isAllowed(context: Context, perHour: number | undefined): boolean {
	return isPriceWithin(perHour, readNumberOption(context, 'spend') ?? -1);
}

/** @throws CommandError if there is a problem */
function refuse(
	problem: SpendProblem | undefined,
	nothing: string,
	help = '--spend DOLLARS allows it once.',
): void {
	if (problem === undefined) return;
	throw new CommandError(exitCodes.overBudget, `${whyOver(problem)} ${nothing} ${help}`);
}

/** Cost of the other instances; records that cannot be read count as unpriced. */
async function readFleet(context: Context, {fleet: known}: Spending) {
	// Without a limit for all instances, the list is not needed.
	if (context.settings.spend.fleetMaxPerHour === null) return noBurn;
	const {burn, incomplete} = known ?? (await openFleetPolls(context).poll());
	return {atMost: burn.atMost, unpriced: burn.unpriced + (incomplete?.unreadable.count ?? 0)};
}

function whyOver(problem: SpendProblem): string {
	if (problem.of === 'unread') {
		return `The limits on spending cannot be read: ${sentence(problem.why)}`;
	}
	const what = problem.of === 'rental' ? 'It costs' : 'All instances together would cost';
	const {wouldBe} = problem;
	const price = Number.isFinite(wouldBe) ? priceOverLimit(wouldBe) : 'an unknown price';
	const limit = pricePerHour(problem.limit);
	return `${what} ${price}, more than the ${limit} that the settings allow.`;
}

/** True if the price is known and within the limit. */
export function isPriceWithin(perHour: number | undefined, most: number): boolean {
	return perHour !== undefined && perHour <= most;
}

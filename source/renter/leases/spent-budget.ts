/** Budgets that an instance has spent before they are set: whoever enforces them ends it at once. */
import {hasStopped} from '../../client/nouns/instance-list.ts';
import {costSoFar, formatCostRange, type Costed} from '../instance/cost.ts';
import {actionOf, type Lease} from '../words/lease.ts';
import {leaseOf} from './held.ts';
import {LeaseTermsError} from './lease-terms.ts';

/** A lease that does not end its instance as soon as it is set. @throws LeaseTermsError */
export function withoutSpentBudget(row: Costed, next: Lease | undefined): Lease | undefined {
	const budget = newBudget(row, next);
	const {atLeast} = costSoFar(row);
	if (budget === undefined || atLeast < budget.dollars) return next;
	throw new LeaseTermsError(
		`it has cost ${soFar(row)} so far, and a budget of $${budget.dollars} would ${budget.action} it at once: say a higher one`,
	);
}

/** Warning of a new budget that an instance may have spent already; undefined if it has not. */
export function maySpentText(row: Costed, next: Lease | undefined): string | undefined {
	const budget = newBudget(row, next);
	// An earlier bid may have been another: it counts as the present one.
	const {atMost = 0} = costSoFar({...row, instance: {...row.instance, is_bid: false}});
	if (budget === undefined || atMost < budget.dollars) return undefined;
	return `It has cost ${soFar(row)} so far: a budget of $${budget.dollars} may ${budget.action} it at once.`;
}

function soFar(row: Costed): string {
	return formatCostRange(costSoFar(row)) ?? 'an unknown sum';
}

/** Budget that the present lease does not have, and its action on the instance; undefined without one. */
function newBudget({instance}: Costed, next: Lease | undefined) {
	if (next?.maxCost === undefined || next.isKept) return undefined;
	const {lease: held} = leaseOf(instance);
	const action = actionOf(next, hasStopped(instance));
	const isHeld = held?.maxCost === next.maxCost && !held.isKept;
	return action === undefined || isHeld ? undefined : {dollars: next.maxCost, action};
}

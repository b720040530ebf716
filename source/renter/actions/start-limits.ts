/** Starts and bids, checked against the spending limits like rents. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import type {Burn} from '../instance/burn.ts';
import {isAtRest} from '../instance/condition.ts';
import {overBudget, type OverBudget, type Spending} from '../instance/cost.ts';
import type {Budgeted} from '../orders/limits-beside.ts';
import type {SpendBudget} from '../settings/default-settings.ts';
import {shownLabel} from '../words/lease.ts';

/** Cost of each start beside the others; each counts towards those after it. */
export function spendingsOfStarts(rows: readonly FleetRow[], burn: Burn): readonly Spending[] {
	let {atMost} = burn;
	return rows
		.filter(({condition}) => isAtRest(condition))
		.map(({instance, rate}) => {
			const perHour = instance.dph_total ?? undefined;
			const others = atMost - (rate.atMost ?? 0);
			atMost = others + (perHour ?? 0);
			return {perHour, fleet: {atMost: others, unpriced: burn.unpriced}};
		});
}

/** Starts as budgets count them, and the instances beside them. */
export function budgetedStarts(
	rows: readonly FleetRow[],
	all: readonly FleetRow[],
): Pick<Budgeted, 'asked' | 'instances'> {
	const started = rows.filter(({condition}) => isAtRest(condition));
	const asked = started.map(({instance: {dph_total: perHour, label}}) => ({
		perHour: perHour ?? undefined,
		label: shownLabel(label),
	}));
	const others = all.filter(row => !started.includes(row));
	return {asked, instances: others.map(({instance}) => instance)};
}

/** The first limit that starts would exceed; undefined if none. */
export function startsOverBudget(
	limits: SpendBudget,
	rows: readonly FleetRow[],
	burn: Burn,
): OverBudget | undefined {
	const over = spendingsOfStarts(rows, burn).map(spending => overBudget(limits, spending));
	return over.find(one => one !== undefined);
}

/** The limit that a higher bid would exceed beside the other instances; undefined if none. */
export function bidOverBudget(
	limits: SpendBudget,
	{row: {instance, rate}, bid}: {readonly row: FleetRow; readonly bid: number},
	burn: Burn,
): OverBudget | undefined {
	if (isLowerBid(instance, bid)) return undefined;
	const others = {atMost: burn.atMost - (rate.atMost ?? 0), unpriced: burn.unpriced};
	return overBudget(limits, {perHour: priceAtBid(instance, bid), fleet: others});
}

/** A higher bid as budgets count it, and the instances beside it; asks for nothing where it is lower. */
export function budgetedBid(
	{instance}: FleetRow,
	bid: number,
	all: readonly FleetRow[],
): Pick<Budgeted, 'asked' | 'instances'> {
	const perHour = priceAtBid(instance, bid);
	const asked = isLowerBid(instance, bid) ? [] : [{perHour, label: shownLabel(instance.label)}];
	const others = all.filter(row => row.instance.id !== instance.id);
	return {asked, instances: others.map(row => row.instance)};
}

function isLowerBid({dph_base: before}: Instance, bid: number): boolean {
	return typeof before === 'number' && bid <= before;
}

/** The bid with the disk, as far as the record says what that costs. */
function priceAtBid({dph_base: before, dph_total: total}: Instance, bid: number): number {
	const disk = typeof before === 'number' && typeof total === 'number' ? total - before : 0;
	return bid + Math.max(0, disk);
}

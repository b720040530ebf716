/** Starts and bids, held to the limits on spending as rents are. */
import type {FleetRow} from '../fleet/fleet-state.ts';
import type {Burn} from '../instance/burn.ts';
import {overBudget, type OverBudget, type Spending} from '../instance/cost.ts';
import type {SpendBudget} from '../settings/default-settings.ts';

/** Cost of each start beside the others; each counts for those after it. */
export function spendingsOfStarts(rows: readonly FleetRow[], burn: Burn): readonly Spending[] {
	let {atMost} = burn;
	return rows
		.filter(({condition}) => condition === 'stopped')
		.map(({instance, rate}) => {
			const perHour = instance.dph_total ?? undefined;
			const others = atMost - (rate.atMost ?? 0);
			atMost = others + (perHour ?? 0);
			return {perHour, fleet: {atMost: others, unpriced: burn.unpriced}};
		});
}

/** The first limit that starts would pass; undefined where they pass none. */
export function startsOverBudget(
	limits: SpendBudget,
	rows: readonly FleetRow[],
	burn: Burn,
): OverBudget | undefined {
	const over = spendingsOfStarts(rows, burn).map(spending => overBudget(limits, spending));
	return over.find(one => one !== undefined);
}

/** The limit that a higher bid would pass beside the other instances; undefined where it passes none. */
export function bidOverBudget(
	limits: SpendBudget,
	{row: {instance, rate}, bid}: {readonly row: FleetRow; readonly bid: number},
	burn: Burn,
): OverBudget | undefined {
	const {dph_base: before, dph_total: total} = instance;
	if (typeof before === 'number' && bid <= before) return undefined;
	const beside = typeof before === 'number' && typeof total === 'number' ? total - before : 0;
	const others = {atMost: burn.atMost - (rate.atMost ?? 0), unpriced: burn.unpriced};
	return overBudget(limits, {perHour: bid + Math.max(0, beside), fleet: others});
}

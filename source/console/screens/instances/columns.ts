import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import type {Column} from '../../list/columns.ts';
import {ID_WIDTH, plans} from './column-table.ts';

export type FleetColumn = Column<FleetRow>;

/** Least width for whole words. */
export const ROOMY = 78;

const facts = new Set(plans.filter(({isFact}) => isFact === true).map(({id}) => id));

/** Columns that a service may never fill. */
export function mayBeUnsent({id}: FleetColumn): boolean {
	return facts.has(id);
}

/**
 * Narrow screens show few by default.
 *
 * @param idWidth width of the longest number
 */
export function instanceColumns(room: number, idWidth = ID_WIDTH): readonly FleetColumn[] {
	const isShort = room < ROOMY;
	return plans.map(({tight, ...plan}): FleetColumn => {
		const {title, set = 'compact', best = 'low', align = 'left'} = plan;
		return {
			...plan,
			...(isShort && tight),
			...(plan.id === 'id' && {width: Math.max(title.length, idWidth)}),
			set: isShort && set === 'normal' ? 'wide' : set,
			best,
			align,
		};
	});
}

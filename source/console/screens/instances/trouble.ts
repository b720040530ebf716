/** Instances in trouble: in which order they are gone through, and which of them are out of sight. */
import {countedFrom, isTrouble} from '../../../renter/fleet/condition.ts';
import type {FleetRow, FleetState} from '../../../renter/fleet/fleet-state.ts';
import {troubleCount} from '../../../renter/fleet/fleet-words.ts';
import {troublesOf} from '../../../renter/fleet/order.ts';
import {fit, widthOf} from '../../../renter/text/text-width.ts';
import {ruleLine} from '../../chrome.ts';
import type {List} from '../../list/list.ts';
import type {ListState} from '../../list/state.ts';
import type {Theme} from '../../theme.ts';

/** The instances in trouble among some, the newest trouble first. */
export function troubledRows(rows: readonly FleetRow[]): readonly FleetRow[] {
	return rows
		.filter(({condition}) => isTrouble(condition))
		.toSorted((a, b) => troubledSince(b) - troubledSince(a));
}

function troubledSince({becameAt, seen, skewMs}: FleetRow): number {
	return becameAt ?? countedFrom(seen) - skewMs;
}

type Cursor = Pick<List<FleetRow>, 'current' | 'wasMoved' | 'isNews' | 'state'>;

/** The one to look at next: new trouble out of view before all other, else the one behind the cursor. */
export function nextInTrouble(
	troubled: readonly FleetRow[],
	{current, wasMoved, isNews, state}: Cursor,
): FleetRow | undefined {
	const {shown, top, height} = state.get();
	const inView = new Set(shown.slice(top, top + height));
	const news = troubled.find(row => isNews(row) && !inView.has(row));
	const row = current();
	const place = wasMoved() && row !== undefined ? troubled.indexOf(row) : -1;
	return news ?? troubled[(place + 1) % troubled.length];
}

/**
 * Counts of instances in trouble out of sight: "4 stuck above, 2 dead below".
 *
 * @param instancesIn the instances that rows of the list show
 */
export function outOfSight<Row>(
	{shown, top, height}: Pick<ListState<Row>, 'shown' | 'top' | 'height'>,
	{rows, troubles}: Pick<FleetState, 'rows' | 'troubles'>,
	instancesIn: (shown: readonly Row[]) => readonly FleetRow[],
): string {
	if (troubleCount(troubles) === 0) return '';
	const listed = new Set(instancesIn(shown).map(({instance: {id}}) => id));
	const hidden = rows.filter(({instance: {id}}) => !listed.has(id));
	const places = [
		[instancesIn(shown.slice(0, top)), 'above'],
		[instancesIn(shown.slice(top + height)), 'below'],
		[hidden, 'not listed'],
	] as const;
	return places
		.map(([some, place]) => countedAt(some, place))
		.filter(text => text !== '')
		.join(', ');
}

function countedAt(rows: readonly FleetRow[], place: string): string {
	const counts = Object.entries(troublesOf(rows)).filter(([, amount]) => amount > 0);
	return counts.length === 0
		? ''
		: `${counts.map(([kind, amount]) => `${amount} ${kind}`).join(' ')} ${place}`;
}

/** A rule that says what is out of sight, where anything is. */
export function troubleRule(theme: Theme, width: number, text: string): string {
	if (text === '') return ruleLine(theme, width);
	const said = fit(`! ${text}`, Math.min(width - 4, widthOf(text) + 2));
	const start = `${theme.glyphs.rule} `;
	const rest = ` ${theme.glyphs.rule.repeat(Math.max(0, width - widthOf(said) - 3))}`;
	return theme.style('quiet', start) + theme.style('danger', said) + theme.style('quiet', rest);
}

import {useMemo} from 'react';
import {asShown, fitColumns} from '../../list/columns.ts';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import {useRenting, useServices} from '../../services/services.tsx';
import {chosenColumns, unsentColumns} from '../../list/chosen-columns.ts';
import {instanceColumns, mayBeUnsent, ROOMY} from './columns.ts';
import type {InstanceList} from './list.ts';
import {useViewColumns} from './views-over.tsx';
import {withOrderNotes} from './difference-lines.ts';
import {useStore} from '../../ui/use-store.ts';
import type {Size} from '../../terminal/terminal.ts';

/** Sizes of the screen's parts. */
export type Layout = {
	readonly isNarrow: boolean;
	/** Columns of the list and of what is said under it. */
	readonly listWidth: number;
	/** Columns of the pane of money; 0 where there is none. */
	readonly paneWidth: number;
	/** Rows of the list. */
	readonly rows: number;
	/** Lines about the row under the cursor. */
	readonly band: number;
};

const PANE = 40;
/** Line of the filter, rule, titles, rule above the band, rule at the foot. */
const LINES_AROUND = 5;

type Shown = {readonly hasPane: boolean; readonly isTyping: boolean};

/** True where all panes fit side by side. */
export function isWide({columns, rows}: Size): boolean {
	return columns >= 140 && rows >= 30;
}

export function layoutOf({columns, rows}: Size, {hasPane, isTyping}: Shown): Layout {
	if (columns < 80) {
		// A rule or the two lines of a query above the rows, and one line under another rule.
		const lines = Math.max(1, rows - (isTyping ? 4 : 3));
		return {isNarrow: true, listWidth: columns, paneWidth: 0, rows: lines, band: 1};
	}
	const paneWidth = hasPane && isWide({columns, rows}) ? PANE : 0;
	const band = isWide({columns, rows}) ? 14 : rows >= 18 ? 5 : 0;
	const lines = Math.max(1, rows - LINES_AROUND - band);
	return {isNarrow: false, listWidth: columns - paneWidth, paneWidth, rows: lines, band};
}

/** The columns of the list, those of them in view, and a way to choose others for good. */
export function useShownColumns(list: InstanceList, room: number) {
	const {table} = list;
	const {fleet} = useServices();
	const {orders} = useRenting();
	const differing = useStore(orders);
	const choosing = useViewColumns(list);
	const {choice} = choosing;
	const order = useStore(table.view, state => state.order);
	const unsentIds = useStore(fleet.state, unsentIn);
	const columns = useMemo(() => {
		const unsent = new Set(unsentIds.split(' '));
		const needed = new Set(order.map(({columnId}) => columnId));
		const all = instanceColumns(room);
		const sent = chosenColumns(all, choice, needed).filter(({id}) => !unsent.has(id));
		const shown = withOrderNotes(fitColumns(sent, room), differing);
		return {all: asShown(all, shown), unsent, shown};
	}, [room, choice, order, unsentIds, differing]);
	return {...columns, ...choosing};
}

/** The columns that the service says nothing about, of no instance. */
function unsentIn({rows}: FleetState): string {
	return [...unsentColumns(factColumns, rows)].join(' ');
}

const factColumns = instanceColumns(ROOMY).filter(mayBeUnsent);

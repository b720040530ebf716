import {useMemo} from 'react';
import {fitColumns} from '../../list/columns.ts';
import type {ColumnChoice} from '../../../renter/settings/default-settings.ts';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import {useRenting, useServices} from '../../services.tsx';
import {chosenColumns, unsentColumns} from '../../list/chosen-columns.ts';
import {useColumnChoice} from '../../list/use-list.ts';
import {instanceColumns, mayBeUnsent, ROOMY, type FleetColumn} from './columns.ts';
import type {InstanceList} from './list.ts';
import {withOrderNotes} from './unlike-lines.ts';
import {useStore} from '../../components/use-store.ts';

/** The columns of the list, those of them in view, and a way to choose others for good. */
export function useShownColumns({table}: InstanceList, room: number) {
	const {fleet} = useServices();
	const {orders} = useRenting();
	const differing = useStore(orders);
	const choosing = useColumnChoice('instances');
	const {choice} = choosing;
	const order = useStore(table.view, state => state.order);
	const unsentIds = useStore(fleet.state, unsentIn);
	const columns = useMemo(() => {
		const unsent = new Set(unsentIds.split(' '));
		const needed = new Set(order.map(({columnId}) => columnId));
		const all = instanceColumns(room, choice.widths);
		const shown = withOrderNotes(shownColumns({room, choice, needed, unsent}), differing);
		return {all, unsent, shown};
	}, [room, choice, order, unsentIds, differing]);
	return {...columns, ...choosing};
}

/** The columns that the service says nothing about, of no instance. */
function unsentIn({rows}: FleetState): string {
	return [...unsentColumns(factColumns, rows)].join(' ');
}

const factColumns = instanceColumns(ROOMY).filter(mayBeUnsent);

type Wanted = {
	/** How many characters there are for all of them and the blanks between. */
	readonly room: number;
	readonly choice: ColumnChoice;
	readonly needed: ReadonlySet<string>;
	readonly unsent: ReadonlySet<string>;
};

/** The columns that fit. What room is left goes to words: to the note, and to names where there is none. */
function shownColumns({room, choice, needed, unsent}: Wanted): readonly FleetColumn[] {
	const columns = instanceColumns(room, choice.widths);
	const sent = chosenColumns(columns, choice, needed).filter(({id}) => !unsent.has(id));
	const fitting = fitColumns(sent, room);
	const left = room - fitting.reduce((sum, {width}) => sum + width, fitting.length - 1);
	const [growing, most] = room < ROOMY ? ['label', 20] : ['note', 40];
	const grown = fitting.find(({id}) => id === growing);
	if (grown === undefined || left <= 0 || choice.widths[growing] !== undefined) return fitting;
	const widths = {...choice.widths, [growing]: Math.min(most, grown.width + left)};
	const wider = new Map(instanceColumns(room, widths).map(column => [column.id, column]));
	return fitting.map(column => (column === grown ? (wider.get(growing) ?? column) : column));
}

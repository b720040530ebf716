import {useMemo} from 'react';
import {asShown, fitColumns} from '../../list/columns.ts';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import {useRenting, useServices} from '../../services.tsx';
import {chosenColumns, unsentColumns} from '../../list/chosen-columns.ts';
import {instanceColumns, mayBeUnsent, ROOMY} from './columns.ts';
import type {InstanceList} from './list.ts';
import {useViewColumns} from './views-over.tsx';
import {withOrderNotes} from './difference-lines.ts';
import {useStore} from '../../components/use-store.ts';

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

import {createList} from '../../list/list.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {kept} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';
import type {SavedList} from '../../list/saved-list.ts';
import {instanceColumns, ROOMY} from './columns.ts';
import {createGroupedList} from './grouped-list.ts';
import {createHeldSweep} from './use-actions.ts';
import type {Pane} from './pane.ts';
import type {FleetClause} from '../../../renter/fleet/query-fields.ts';
import {
	gpusIn,
	parseFleetQuery,
	selectInstances,
	type Selected,
} from '../../../renter/fleet/query.ts';
import {createLineHistory} from '../../../renter/offers/line-history.ts';
import type {ChosenView} from '../../list/filter.ts';
import type {QueryEdit} from '../../list/query-edit.ts';

/** The field of a view that is typed. */
export type ViewEntry = 'name' | 'key';

/** The list's state stays with its place, so that coming back finds it as it was. */
export const listAt = kept(() => ({
	table: createList<FleetRow>(instanceColumns(ROOMY), row => row.instance.id, {
		watched: {
			isOver: ({condition}) => condition === 'destroying' || condition === 'gone',
			changedAt: ({becameAt}) => becameAt,
		},
	}),
	/** The same in groups, where somebody wants that. */
	grouped: createGroupedList(),
	/** The line of words while it is open. */
	edit: createStore<QueryEdit<FleetClause> | undefined>(undefined),
	/** The list of views while it is open, in the place of the instances. */
	views: createStore<SavedList<ViewEntry> | undefined>(undefined),
	/** Earlier queries, the latest last. */
	history: createLineHistory(),
	/** The pane beside the list. */
	pane: createStore<Pane>({kind: 'money', isZoomed: false}),
	/** A sweep that was agreed to, and can still be taken back. */
	held: createHeldSweep(),
	/** The count of changes whose outcome is still open. */
	underWay: createStore(0),
}));

export type InstanceList = ReturnType<typeof listAt>;

/** The query and the view that select listed instances. */
export type Wanted = {
	/** The query line. */
	readonly words: string;
	/** The view they were asked by. */
	readonly view: ChosenView | undefined;
};

/** While the line is open, its words count as they are typed. */
export function wantedIn({edit, table: {filter}}: InstanceList): Wanted {
	const words = edit.get()?.line.text.trim() ?? filter.words();
	return {words, view: filter.state.get().view};
}

export function isFiltering({words}: Wanted): boolean {
	return words !== '';
}

/** The rows that the words ask for. */
export function filtered(rows: readonly FleetRow[], {words}: Wanted): readonly FleetRow[] {
	return words === '' ? rows : selectedBy(words, rows).rows;
}

/** The last selection per array of rows: each frame needs it several times. */
const lastSelected = new WeakMap<readonly FleetRow[], {words: string; selected: Selected}>();

/** While words are typed, the cursor goes to the instance that answers best to them. */
export function goToBest({edit, table}: InstanceList, rows: readonly FleetRow[]): void {
	const words = edit.get()?.line.text.trim() ?? '';
	if (words === '') return;
	const {best} = selectedBy(words, rows);
	const place = table.state.get().shown.findIndex(({instance: {id}}) => id === best);
	if (place !== -1) table.moveTo(place);
}

/** Rows that a query selects; a word that cannot be read is passed over. */
function selectedBy(words: string, rows: readonly FleetRow[]): Selected {
	const last = lastSelected.get(rows);
	if (last?.words === words) return last.selected;
	const selected = selectInstances(parseFleetQuery(words, gpusIn(rows)), rows);
	lastSelected.set(rows, {words, selected});
	return selected;
}

/** The same, and those that are shown already: while nothing may move, they stay. */
export function filteredBeside(
	rows: readonly FleetRow[],
	wanted: Wanted,
	shown: readonly FleetRow[],
): readonly FleetRow[] {
	const ids = new Set([...filtered(rows, wanted), ...shown].map(({instance: {id}}) => id));
	return rows.filter(({instance: {id}}) => ids.has(id));
}

import type {SavedView, Settings} from '../../../renter/settings/default-settings.ts';
import {viewNamed} from '../../../renter/fleet/views.ts';
import type {ListOrder} from '../../list/order.ts';
import type {InstanceListState} from './list.tsx';

/** Lists that began with a view, or without: coming back finds them as they were. */
export const initializedTables = new WeakSet<InstanceListState['table']>();

export function showView({table, grouped}: InstanceListState, view: SavedView): void {
	initializedTables.add(table);
	if (grouped.by.get() !== view.group) grouped.group(view.group);
	table.view.set({pickedId: undefined, order: orderFrom(view.order)});
	table.filter.show(view);
	table.reorder();
	table.move('first');
}

/** Shows a view, or all instances where it is shown already. */
export function showOrLeave(list: InstanceListState, settings: Settings, name: string): void {
	const view = viewNamed(settings, name);
	if (view === undefined) return;
	if (isShown(list, view)) list.table.filter.clear();
	else showView(list, view);
}

export function isShown({table: {filter}}: InstanceListState, {name, words}: SavedView): boolean {
	return filter.state.get().view?.name === name && filter.words() === words;
}

export function orderIn(order: ListOrder): readonly string[] {
	return order.map(({columnId, isReversed}) => (isReversed ? `-${columnId}` : columnId));
}

function orderFrom(order: readonly string[] = []): ListOrder {
	return order.map(column => ({
		columnId: column.replace(/^-/, ''),
		isReversed: column.startsWith('-'),
	}));
}

import {emptyTable, moveCursor, resizeTable, showRows} from './table-state.ts';
import type {IdOf, Movement, TableState} from './table-state.ts';
import type {Column} from './columns.ts';
import {count} from '../format.ts';
import {createStore} from '../store.ts';
import {cycleOrder, orderRows} from './table-order.ts';
import type {TableOrder} from './table-order.ts';

/** How a table is looked at: which columns can be ordered by, the one picked, the order. */
export type TableView = {readonly pickedId: string | undefined; readonly order: TableOrder};

/**
 * A list's state outside React. A key press changes it, and whoever draws the rows is told, without
 * a component being rendered: that is what keeps a cursor move under a millisecond.
 */
export type Table<Row> = ReturnType<typeof createTable<Row>>;

export function createTable<Row>(columns: ReadonlyArray<Column<Row>>, idOf: IdOf<Row>) {
	const state = createStore<TableState<Row>>(emptyTable());
	const view = createStore<TableView>({pickedId: undefined, order: undefined});

	function reorder(rows: readonly Row[]): void {
		const {order} = view.get();
		const column = columns.find(({id}) => id === order?.columnId);
		const shown =
			order === undefined || column === undefined
				? rows
				: orderRows(rows, column, order.isReversed);
		state.set(showRows(state.get(), idOf, rows, shown));
	}

	return {
		columns,
		state,
		view,
		/** Takes what the service sent. */
		load(rows: readonly Row[]) {
			if (rows !== state.get().rows) reorder(rows);
		},
		move: (movement: Movement) => state.set(moveCursor(state.get(), movement)),
		resize: (height: number) => state.set(resizeTable(state.get(), height)),
		/** Picks the next or previous of the columns in view. */
		pick(step: 1 | -1, inView: ReadonlyArray<Column<Row>>) {
			const ids = inView.map(({id}) => id);
			const {pickedId, order} = view.get();
			const at = ids.indexOf(pickedId ?? order?.columnId ?? '');
			const next =
				at === -1 ? (step === 1 ? 0 : ids.length - 1) : (at + step + ids.length) % ids.length;
			view.set({pickedId: ids[next], order});
		},
		/** Orders by the picked column: best first, then reversed, then as it came. */
		order() {
			const {pickedId, order} = view.get();
			const columnId = pickedId ?? order?.columnId;
			if (columnId === undefined) return;
			view.set({pickedId, order: cycleOrder(order, columnId)});
			reorder(state.get().rows);
			// Who orders wants to see what is best now, not where the last one went.
			state.set(moveCursor(state.get(), 'first'));
		},
		/** Whether a movement would lead to another row. */
		canMove(movement: Movement): boolean {
			return moveCursor(state.get(), movement) !== state.get();
		},
		/** Which row of how many the cursor is on: "12 of 2,000". */
		position(): string {
			const {cursor, shown} = state.get();
			return shown.length === 0 ? '' : `${count(cursor + 1)} of ${count(shown.length)}`;
		},
		/** Whether there is a column to order by. */
		canOrder(): boolean {
			const {pickedId, order} = view.get();
			return pickedId !== undefined || order !== undefined;
		},
		/** The row under the cursor. */
		current(): Row | undefined {
			const {cursor, shown} = state.get();
			return shown[cursor];
		},
	};
}

import {emptyList, moveCursor, placeCursor, resizeList} from './state.ts';
import type {IdOf, Movement, ListState} from './state.ts';
import type {Column} from './columns.ts';
import {count} from '../../renter/format.ts';
import {createStore} from '../../renter/store.ts';
import {createLoading} from './loading.ts';
import type {ListView} from './loading.ts';
import {markAll, markedRows, markNone, toggleMark, toggleRange} from './marks.ts';
import {cycleOrder, extendOrder} from './order.ts';
import type {ListOrder} from './order.ts';

export type {ListView} from './loading.ts';

/**
 * A list's state outside React. A key press changes it, and whoever draws the rows is told, without
 * a component being rendered: that is what keeps a cursor move under a millisecond.
 */
export type List<Row> = ReturnType<typeof createList<Row>>;

export function createList<Row>(
	columns: ReadonlyArray<Column<Row>>,
	idOf: IdOf<Row>,
	/** The column that rows are ordered by while none is picked. */
	usualId?: string,
) {
	const state = createStore<ListState<Row>>(emptyList());
	const view = createStore<ListView>({pickedId: undefined, order: []});
	const loading = createLoading(columns, idOf, {state, view});
	const picked = () => view.get().pickedId ?? view.get().order[0]?.columnId;

	function changeOrder(next: (order: ListOrder, columnId: string) => ListOrder): void {
		const columnId = picked() ?? usualId;
		if (columnId === undefined) return;
		view.set({pickedId: columnId, order: next(view.get().order, columnId)});
		loading.reorder();
		// Who orders wants to see what is best now, not where the last one went.
		state.set(moveCursor(state.get(), 'first'));
	}

	return {
		columns,
		idOf,
		state,
		view,
		...loading,
		move: (movement: Movement) => state.set(moveCursor(state.get(), movement)),
		/** Puts the cursor on a row, counted from the first one shown. */
		moveTo: (place: number) => state.set(placeCursor(state.get(), place)),
		resize: (height: number) => state.set(resizeList(state.get(), height)),
		/** Picks the next or previous of the columns in view. */
		pick(step: 1 | -1, inView: ReadonlyArray<Column<Row>>) {
			const ids = inView.map(({id}) => id);
			const at = ids.indexOf(picked() ?? '');
			const next =
				at === -1 ? (step === 1 ? 0 : ids.length - 1) : (at + step + ids.length) % ids.length;
			view.set({...view.get(), pickedId: ids[next]});
		},
		/** Orders by the picked column alone: best first, then reversed, then as it came. */
		order: () => changeOrder(cycleOrder),
		/** Orders by the picked column where those before it are equal: best first, reversed, off. */
		alsoOrder: () => changeOrder(extendOrder),
		/** Marks the row under the cursor, or takes its mark away. */
		mark: () => state.set(toggleMark(state.get(), idOf)),
		/** Begins a range of marks at the cursor; marks it where it was begun. */
		markRange: () => state.set(toggleRange(state.get(), idOf)),
		/** Marks every row that is shown. */
		markAll: () => state.set(markAll(state.get(), idOf)),
		/** Takes all marks away, and a range that was begun. */
		markNone: () => state.set(markNone(state.get())),
		/** The marked rows that are still there, from top to bottom. What keys act on where there are any. */
		marked: (): readonly Row[] => markedRows(state.get(), idOf).rows,
		/** Whether there are marks to take away, of rows that are gone too. */
		hasMarks: () => state.get().marked.size > 0 || state.get().anchor !== undefined,
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
		canOrder: () => (picked() ?? usualId) !== undefined,
		/** The row under the cursor. */
		current(): Row | undefined {
			const {cursor, shown} = state.get();
			return shown[cursor];
		},
	};
}

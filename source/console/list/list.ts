import {emptyLine, newLineEdit, proposedLine, type LineEdit} from '../ui/line-edit.ts';
import type {TypedLine} from '../ui/key-scope.tsx';
import {createStore, type Store} from '../../renter/state/store.ts';
import {
	createSelectionActions,
	emptyList,
	isNews,
	moveCursor,
	noteViewedChanges,
	moveCursorTo,
	resizeList,
	type Movement,
	type ListState,
	type Reading,
	type ListView,
	type WatchedRows,
} from './state.ts';
import type {Column} from './columns.ts';
import {count} from '../../renter/text/format.ts';
import {createLoading} from './loading.ts';
import type {IdOf} from './merge.ts';
import {cycleOrder, extendOrder, type ListOrder} from './order.ts';

/** Milliseconds for which a list keeps its rows in place after its cursor was moved. */
const STEADY_MS = 5000;

/**
 * A list's state outside React. A key press changes it and repaints the rows without a render, which
 * keeps a cursor move under a millisecond.
 */
export type List<Row> = ReturnType<typeof createList<Row>>;

type ListOptions<Row> = {
	/** The column that rows are ordered by while none is picked. */
	readonly usualId?: string;
	/** The line of the filter with its last word completed. */
	readonly completed?: (line: LineEdit) => LineEdit;
	readonly watched?: WatchedRows<Row>;
};

export function createList<Row>(
	columns: ReadonlyArray<Column<Row>>,
	idOf: IdOf<Row>,
	{usualId, completed, watched}: ListOptions<Row> = {},
) {
	const state = createStore<ListState<Row>>(emptyList());
	const view = createStore<ListView>({pickedId: undefined, order: []});
	const selection = createSelectionActions(state, idOf);
	const reading = {idOf, watched};
	const loading = createLoading(columns, reading, {state, view});
	const cursor = createCursor(state, reading);
	const picked = () => view.get().pickedId ?? view.get().order[0]?.columnId;

	function changeOrder(next: (order: ListOrder, columnId: string) => ListOrder): void {
		const columnId = picked() ?? usualId;
		if (columnId === undefined) return;
		view.set({pickedId: columnId, order: next(view.get().order, columnId)});
		loading.reorder();
		// After ordering, the best row is in view, not the one last under the cursor.
		cursor.move('first');
	}

	return {
		columns,
		idOf,
		state,
		view,
		/** The words by which rows are left out, where the list has a filter. */
		filter: createFilter(completed),
		...loading,
		...selection,
		...cursor,
		/** Moves the cursor, unless the list is held. */
		move(movement: Movement, now?: Date): void {
			if (!loading.isHeld()) cursor.move(movement, now);
		},
		/** Marks the row under the cursor, or takes its mark away, and goes down; a range is marked whole. */
		mark(): void {
			const isRange = state.get().anchor !== undefined;
			selection.markHere();
			if (!isRange) cursor.move('down');
		},
		pick(step: 1 | -1, inView: ReadonlyArray<Column<Row>>) {
			const ids = inView.map(({id}) => id);
			const at = ids.indexOf(picked() ?? '');
			const next =
				at === -1 ? (step === 1 ? 0 : ids.length - 1) : (at + step + ids.length) % ids.length;
			view.set({...view.get(), pickedId: ids[next]});
		},
		/** Orders by the picked column alone: best first, then reversed, then unordered. */
		order: () => changeOrder(cycleOrder),
		/** Picks a column and orders by it alone, as `order` does. */
		orderBy(columnId: string) {
			view.set({...view.get(), pickedId: columnId});
			changeOrder(cycleOrder);
		},
		/** Orders by the picked column where those before it are equal: best first, reversed, off. */
		alsoOrder: () => changeOrder(extendOrder),
		/** True if there is a column to order by. */
		canOrder: () => (picked() ?? usualId) !== undefined,
		/** Rows that keys act on: the marked ones, else the one under the cursor. */
		chosen: (): readonly Row[] => {
			const rows = selection.selected();
			const row = cursor.current();
			return rows.length > 0 || row === undefined ? rows : [row];
		},
	};
}

function createCursor<Row>(state: Store<ListState<Row>>, reading: Reading<Row>) {
	let movedAt = Number.NEGATIVE_INFINITY;
	const current = (): Row | undefined => {
		const {cursor, shown} = state.get();
		return shown[cursor];
	};
	const wasMoved = () => state.get().wasMoved;
	return {
		/** @param now time of the movement, after which no row moves under the cursor for a while */
		move: (movement: Movement, now?: Date): void => {
			movedAt = now?.getTime() ?? movedAt;
			const moved = moveCursor(noteViewedChanges(state.get(), reading), movement);
			// A user who goes to the first row wants to follow new first rows.
			state.set({...moved, wasMoved: moved.cursor > 0 || (wasMoved() && movement !== 'first')});
		},
		/** Goes to a row, as `move` does. */
		goTo(id: number, now: Date): void {
			movedAt = now.getTime();
			const seen = noteViewedChanges(state.get(), reading);
			const index = seen.shown.findIndex(row => reading.idOf(row) === id);
			state.set({...moveCursorTo(seen, Math.max(0, index)), wasMoved: true});
		},
		/** True if a row has changed since the user viewed it. */
		isNews: (row: Row) => isNews(state.get(), reading, row),
		/** True if the user moved the cursor away from the first row. */
		wasMoved,
		/** True if the cursor was just moved. */
		isMovedIn: (now: Date) => now.getTime() - movedAt < STEADY_MS,
		/** Lets rows move under the cursor at once, as the user asked. */
		settle: () => {
			movedAt = Number.NEGATIVE_INFINITY;
		},
		/** Puts the cursor on a row, counted from the first one shown. */
		moveTo: (index: number) =>
			state.set({...moveCursorTo(noteViewedChanges(state.get(), reading), index), wasMoved: true}),
		resize: (height: number) => state.set(resizeList(state.get(), height)),
		/** True if a movement would lead to another row. */
		canMove: (movement: Movement) => moveCursor(state.get(), movement) !== state.get(),
		/** Position of the cursor: "12 of 2,000", or "12 of 2,000, 3 gone". */
		position: () => {
			const {cursor, shown, missing, waiting} = state.get();
			if (shown.length === 0) return '';
			const {idOf, watched} = reading;
			const present = shown.filter(row => !missing.has(idOf(row)) && watched?.isGone(row) !== true);
			const gone = shown.length - present.length;
			if (watched === undefined && gone > 0) {
				const position = `${count(cursor + 1)} of ${count(shown.length)}`;
				// Changes that wait for R are counted beside it.
				return waiting === undefined ? `${position}, ${count(gone)} gone` : position;
			}
			return `${count(Math.min(cursor + 1, present.length))} of ${count(present.length)}`;
		},
		current,
		/** Acts on the row under the cursor, if any. */
		act: (action: (row: Row) => void) => () => {
			const row = current();
			if (row !== undefined) action(row);
		},
	};
}

export type ChosenView = {readonly name: string; readonly words: string};

type FilterState = {
	readonly line: LineEdit;
	/** The line before it was opened for typing; undefined while it is closed. */
	readonly before: LineEdit | undefined;
	/** The chosen view, and its words: the line may have others by now. */
	readonly view: ChosenView | undefined;
};

const unfiltered: FilterState = {line: emptyLine, before: undefined, view: undefined};

/**
 * A filter without words.
 *
 * @param completed the line with its last word completed
 */
function createFilter(completed = (line: LineEdit) => line) {
	const state = createStore<FilterState>(unfiltered);
	const close = (line: LineEdit) => state.set({...state.get(), line, before: undefined});
	const typed: TypedLine = {
		get: () => (state.get().before === undefined ? undefined : state.get().line),
		set: line => state.set({...state.get(), line}),
		subscribe: state.subscribe,
	};
	return {
		state,
		typed,
		/** The words so far, also while they are typed. */
		words: () => state.get().line.text.trim(),
		open: () => {
			const {line} = state.get();
			state.set({...state.get(), line: proposedLine(line.text), before: line});
		},
		apply: () => close(state.get().line),
		restore: () => close(state.get().before ?? state.get().line),
		clear: () => state.set(unfiltered),
		/** Asks for the words of a view. */
		show: (view: ChosenView) => state.set({view, line: newLineEdit(view.words), before: undefined}),
		/** True if there is a filter to remove. */
		isOn: () => state.get().view !== undefined || state.get().line.text.trim() !== '',
		complete: () => typed.set(completed(state.get().line)),
	};
}

/** The applied words of a filter; while it is open, those before. */
export function appliedFilter({line, before}: FilterState): string {
	return (before ?? line).text.trim();
}

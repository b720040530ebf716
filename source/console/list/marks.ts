import type {Store} from '../../renter/state/store.ts';
import type {IdOf} from './merge.ts';
import type {ListState} from './state.ts';

/** Marks the row under the cursor, or takes its mark away; a range that is begun is marked whole. */
function toggleMark<Row>(state: ListState<Row>, idOf: IdOf<Row>): ListState<Row> {
	if (state.anchor !== undefined) return endRange(state, idOf);
	const row = state.shown[state.cursor];
	if (row === undefined) return state;
	const id = idOf(row);
	const marked = new Set(state.marked);
	// A row that is gone can lose its mark, but not get one.
	if (!marked.delete(id) && !state.missing.has(id)) marked.add(id);
	return {...state, marked};
}

/** Begins a range at the cursor, that reaches to wherever the cursor goes; marks one that was begun. */
function toggleRange<Row>(state: ListState<Row>, idOf: IdOf<Row>): ListState<Row> {
	if (state.anchor !== undefined) return endRange(state, idOf);
	return state.shown.length === 0 ? state : {...state, anchor: state.cursor};
}

function endRange<Row>(state: ListState<Row>, idOf: IdOf<Row>): ListState<Row> {
	return {...state, marked: markedIds(state, idOf), anchor: undefined};
}

function markAll<Row>(state: ListState<Row>, idOf: IdOf<Row>): ListState<Row> {
	const present = state.shown.map(idOf).filter(id => !state.missing.has(id));
	return {...state, marked: new Set([...state.marked, ...present]), anchor: undefined};
}

function markNone<Row>(state: ListState<Row>): ListState<Row> {
	if (state.marked.size === 0 && state.anchor === undefined) return state;
	return {...state, marked: new Set(), anchor: undefined};
}

/** True if the row at a position is marked, by itself or by an open range. */
export function isMarkedAt<Row>(state: ListState<Row>, idOf: IdOf<Row>, place: number): boolean {
	const row = state.shown[place];
	return row !== undefined && (state.marked.has(idOf(row)) || isInRange(state, place));
}

function isInRange({anchor, cursor}: ListState<unknown>, place: number): boolean {
	if (anchor === undefined) return false;
	return place >= Math.min(anchor, cursor) && place <= Math.max(anchor, cursor);
}

/** The ids of all rows that are marked, those in a range that is begun included. */
function markedIds<Row>(state: ListState<Row>, idOf: IdOf<Row>): ReadonlySet<number> {
	const {anchor, cursor, shown, marked} = state;
	if (anchor === undefined) return marked;
	const range = shown.slice(Math.min(anchor, cursor), Math.max(anchor, cursor) + 1);
	return new Set([...marked, ...range.map(idOf).filter(id => !state.missing.has(id))]);
}

/** The marked rows as they are shown, from top to bottom, and how many more of them are gone. */
export type MarkedRows<Row> = {readonly rows: readonly Row[]; readonly gone: number};

export function markedRows<Row>(state: ListState<Row>, idOf: IdOf<Row>): MarkedRows<Row> {
	const ids = markedIds(state, idOf);
	if (ids.size === 0) return {rows: [], gone: 0};
	const shown = state.shown.filter(row => ids.has(idOf(row)));
	const rows = shown.filter(row => !state.missing.has(idOf(row)));
	return {rows, gone: shown.length - rows.length};
}

/** Takes the marks of rows away that are not among these. */
export function keepMarks<Row>(
	state: ListState<Row>,
	isKept: (id: number) => boolean,
): ListState<Row> {
	const kept = [...state.marked].filter(isKept);
	return kept.length === state.marked.size ? state : {...state, marked: new Set(kept)};
}

/** Actions on the marks of a list. */
export function createMarks<Row>(state: Store<ListState<Row>>, idOf: IdOf<Row>) {
	return {
		/** Marks the row under the cursor, or takes its mark away. */
		mark: () => state.set(toggleMark(state.get(), idOf)),
		/** Begins a range of marks at the cursor; marks it where it was begun. */
		markRange: () => state.set(toggleRange(state.get(), idOf)),
		/** Marks every row that is shown. */
		markAll: () => state.set(markAll(state.get(), idOf)),
		/** Takes all marks away, and a range that was begun. */
		markNone: () => state.set(markNone(state.get())),
		/** The marked rows that are still there, from top to bottom. */
		marked: (): readonly Row[] => markedRows(state.get(), idOf).rows,
		/** True if there are marks to remove, those of gone rows included. */
		hasMarks: () => state.get().marked.size > 0 || state.get().anchor !== undefined,
	};
}

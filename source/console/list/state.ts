import type {RowChanges, IdOf, Missing} from './merge.ts';
import type {ListOrder} from './order.ts';
import type {Store} from '../../renter/state/store.ts';

/** State of a list: its rows in their order, the cursor, its marks, and the window onto them. */
export type ListState<Row> = {
	/** The rows as they came. */
	readonly rows: readonly Row[];
	readonly shown: readonly Row[];
	/** Index of the cursor among the shown rows; 0 if there are none. */
	readonly cursor: number;
	/** Index of the first shown row in view. */
	readonly top: number;
	/** Rows in view. */
	readonly height: number;
	/** The user moved the cursor away from the first row, and it stays where it is. */
	readonly wasMoved: boolean;
	/** Times of the changes that were in view at a cursor move, by id. */
	readonly viewed: ReadonlyMap<number, number>;
	/** The ids of the marked rows. */
	readonly selected: ReadonlySet<number>;
	/** Index at which a range of marks begins; it ends at the cursor. */
	readonly anchor: number | undefined;
	/** Rows that are shown although the service stopped sending them. */
	readonly missing: Missing;
	/** Changes that are held back, so that no row moves under the cursor. */
	readonly waiting: RowChanges | undefined;
};

export type ListView = {readonly pickedId: string | undefined; readonly order: ListOrder};

export type Movement =
	| 'up'
	| 'down'
	| 'pageUp'
	| 'pageDown'
	| 'halfUp'
	| 'halfDown'
	| 'first'
	| 'last';

export type WatchedRows<Row> = {
	/** True if a row has ended: the cursor then stays in place, and does not follow it. */
	readonly isOver: (row: Row) => boolean;
	/** Time of a row's last change; undefined if it never changed. */
	readonly changedAt: (row: Row) => number | undefined;
	/** True if the subject of a row no longer exists. */
	readonly isGone: (row: Row) => boolean;
	/** The row for a record that is no longer sent: the sent rows are complete. */
	readonly ended: (row: Row) => Row;
};

export type Reading<Row> = {
	readonly idOf: IdOf<Row>;
	readonly watched?: WatchedRows<Row> | undefined;
};

export function emptyList<Row>(): ListState<Row> {
	return {
		rows: [],
		shown: [],
		cursor: 0,
		top: 0,
		height: 1,
		wasMoved: false,
		viewed: new Map(),
		selected: new Set(),
		anchor: undefined,
		missing: new Map(),
		waiting: undefined,
	};
}

/**
 * Takes new rows, or the same in another order. The cursor stays on its id and its line; if the id is
 * gone, it goes to the row in its place, else to the last. Among watched rows it follows no ended one,
 * and before its first move it stays on the first.
 */
export function showRows<Row>(
	state: ListState<Row>,
	{idOf, watched}: Reading<Row>,
	rows: readonly Row[],
	shown: readonly Row[],
): ListState<Row> {
	const index = indexOf(shown, idOf, state.shown[state.cursor]);
	const row = index === undefined ? undefined : shown[index];
	const isOver = row !== undefined && watched?.isOver(row) === true;
	const stays = isOver || (watched !== undefined && !state.wasMoved);
	const cursor = stays || index === undefined ? clamp(state.cursor, shown.length) : index;
	const anchor =
		state.anchor === undefined ? undefined : indexOf(shown, idOf, state.shown[state.anchor]);
	const line = state.cursor - state.top;
	return scrolled({...state, rows, shown, cursor, anchor, top: cursor - line});
}

/** Index of the row with the same id. */
function indexOf<Row>(
	rows: readonly Row[],
	idOf: IdOf<Row>,
	wanted: Row | undefined,
): number | undefined {
	if (wanted === undefined) return undefined;
	const id = idOf(wanted);
	const index = rows.findIndex(row => idOf(row) === id);
	return index === -1 ? undefined : index;
}

export function resizeList<Row>(state: ListState<Row>, height: number): ListState<Row> {
	return height === state.height ? state : scrolled({...state, height: Math.max(1, height)});
}

export function moveCursor<Row>(state: ListState<Row>, movement: Movement): ListState<Row> {
	return moveCursorTo(state, state.cursor + distance(movement, state.height, state.shown.length));
}

/** Puts the cursor on a row, at most the last. */
export function moveCursorTo<Row>(state: ListState<Row>, index: number): ListState<Row> {
	const cursor = clamp(index, state.shown.length);
	return cursor === state.cursor ? state : scrolled({...state, cursor});
}

/** Notes that the user has viewed the changes of all rows in view. */
export function noteViewedChanges<Row>(
	state: ListState<Row>,
	{idOf, watched}: Reading<Row>,
): ListState<Row> {
	if (watched === undefined) return state;
	const changes = state.shown.slice(state.top, state.top + state.height).flatMap(row => {
		const at = watched.changedAt(row);
		return at === undefined || state.viewed.get(idOf(row)) === at ? [] : [[idOf(row), at] as const];
	});
	return changes.length === 0 ? state : {...state, viewed: new Map([...state.viewed, ...changes])};
}

/** True if a row has changed since the user viewed it. */
export function isNews<Row>(
	{viewed}: Pick<ListState<Row>, 'viewed'>,
	{idOf, watched}: Reading<Row>,
	row: Row,
): boolean {
	const at = watched?.changedAt(row);
	return at !== undefined && viewed.get(idOf(row)) !== at;
}

function clamp(position: number, length: number): number {
	return Math.max(0, Math.min(position, length - 1));
}

function distance(movement: Movement, height: number, length: number): number {
	switch (movement) {
		case 'up':
			return -1;
		case 'down':
			return 1;
		case 'halfUp':
			return -Math.ceil(height / 2);
		case 'halfDown':
			return Math.ceil(height / 2);
		case 'pageUp':
			return -height;
		case 'pageDown':
			return height;
		case 'first':
			return -length;
		case 'last':
			return length;
	}
}

/** Moves the window as little as it takes to have the cursor in view, and no row wasted. */
function scrolled<Row>(state: ListState<Row>): ListState<Row> {
	const {cursor, height, shown} = state;
	const lowest = Math.max(0, shown.length - height);
	const top = Math.max(0, Math.min(lowest, cursor, Math.max(cursor - height + 1, state.top)));
	return top === state.top ? state : {...state, top};
}

/** Marks the row under the cursor, or takes its mark away; a range that is begun is marked whole. */
function toggleSelection<Row>(state: ListState<Row>, idOf: IdOf<Row>): ListState<Row> {
	if (state.anchor !== undefined) return endRange(state, idOf);
	const row = state.shown[state.cursor];
	if (row === undefined) return state;
	const id = idOf(row);
	const selected = new Set(state.selected);
	// A row that is gone can lose its mark, but not get one.
	if (!selected.delete(id) && !state.missing.has(id)) selected.add(id);
	return {...state, selected};
}

/** Begins a range at the cursor, which then follows it; marks one that was begun. */
function toggleRange<Row>(state: ListState<Row>, idOf: IdOf<Row>): ListState<Row> {
	if (state.anchor !== undefined) return endRange(state, idOf);
	return state.shown.length === 0 ? state : {...state, anchor: state.cursor};
}

function endRange<Row>(state: ListState<Row>, idOf: IdOf<Row>): ListState<Row> {
	return {...state, selected: selectedIds(state, idOf), anchor: undefined};
}

function markAll<Row>(state: ListState<Row>, idOf: IdOf<Row>): ListState<Row> {
	const present = state.shown.map(idOf).filter(id => !state.missing.has(id));
	return {...state, selected: new Set([...state.selected, ...present]), anchor: undefined};
}

function markNone<Row>(state: ListState<Row>): ListState<Row> {
	if (state.selected.size === 0 && state.anchor === undefined) return state;
	return {...state, selected: new Set(), anchor: undefined};
}

/** True if the row at a position is marked, by itself or by an open range. */
export function isSelectedAt<Row>(state: ListState<Row>, idOf: IdOf<Row>, index: number): boolean {
	const row = state.shown[index];
	return row !== undefined && (state.selected.has(idOf(row)) || isInRange(state, index));
}

function isInRange({anchor, cursor}: ListState<unknown>, index: number): boolean {
	if (anchor === undefined) return false;
	return index >= Math.min(anchor, cursor) && index <= Math.max(anchor, cursor);
}

/** The ids of all rows that are marked, those in a range that is begun included. */
function selectedIds<Row>(state: ListState<Row>, idOf: IdOf<Row>): ReadonlySet<number> {
	const {anchor, cursor, shown, selected} = state;
	if (anchor === undefined) return selected;
	const range = shown.slice(Math.min(anchor, cursor), Math.max(anchor, cursor) + 1);
	return new Set([...selected, ...range.map(idOf).filter(id => !state.missing.has(id))]);
}

/** The marked rows as they are shown, from top to bottom, and how many more of them are gone. */
export type SelectedRows<Row> = {readonly rows: readonly Row[]; readonly gone: number};

export function selectedRows<Row>(state: ListState<Row>, idOf: IdOf<Row>): SelectedRows<Row> {
	const ids = selectedIds(state, idOf);
	if (ids.size === 0) return {rows: [], gone: 0};
	const shown = state.shown.filter(row => ids.has(idOf(row)));
	const rows = shown.filter(row => !state.missing.has(idOf(row)));
	return {rows, gone: shown.length - rows.length};
}

export function createSelectionActions<Row>(state: Store<ListState<Row>>, idOf: IdOf<Row>) {
	return {
		/** Marks the row under the cursor, or takes its mark away, where the cursor stays. */
		markHere: () => state.set(toggleSelection(state.get(), idOf)),
		/** Begins a range of marks at the cursor; marks it where it was begun. */
		markRange: () => state.set(toggleRange(state.get(), idOf)),
		markAll: () => state.set(markAll(state.get(), idOf)),
		/** Takes all marks away, and a range that was begun. */
		markNone: () => state.set(markNone(state.get())),
		/** The marked rows that still exist, from top to bottom. */
		selected: (): readonly Row[] => selectedRows(state.get(), idOf).rows,
		/** True if there are marks to remove, those of gone rows included. */
		hasSelection: () => state.get().selected.size > 0 || state.get().anchor !== undefined,
	};
}

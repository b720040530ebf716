/** Where a list stands: its rows in their order, the cursor, and the window onto them. */
export type TableState<Row> = {
	/** The rows as they came. */
	readonly rows: readonly Row[];
	/** The rows as they are shown. */
	readonly shown: readonly Row[];
	/** Which of the rows shown the cursor is on; 0 where there are none. */
	readonly cursor: number;
	/** Which of the rows shown is the first in view. */
	readonly top: number;
	/** How many rows are in view. */
	readonly height: number;
};

/** How far a movement goes. */
export type Movement =
	| 'up'
	| 'down'
	| 'pageUp'
	| 'pageDown'
	| 'halfUp'
	| 'halfDown'
	| 'first'
	| 'last';

export type IdOf<Row> = (row: Row) => number;

export function emptyTable<Row>(): TableState<Row> {
	return {rows: [], shown: [], cursor: 0, top: 0, height: 1};
}

/**
 * Takes new rows, or the same in another order. The cursor stays on its id and its line; where the
 * id is gone it goes to the row that took its place, else to the last.
 */
export function showRows<Row>(
	state: TableState<Row>,
	idOf: IdOf<Row>,
	rows: readonly Row[],
	shown: readonly Row[],
): TableState<Row> {
	const before = state.shown[state.cursor];
	const id = before === undefined ? undefined : idOf(before);
	const followed = id === undefined ? -1 : shown.findIndex(row => idOf(row) === id);
	const cursor = followed === -1 ? clamp(state.cursor, shown.length) : followed;
	const line = state.cursor - state.top;
	return scrolled({...state, rows, shown, cursor, top: cursor - line});
}

export function resizeTable<Row>(state: TableState<Row>, height: number): TableState<Row> {
	return height === state.height ? state : scrolled({...state, height: Math.max(1, height)});
}

export function moveCursor<Row>(state: TableState<Row>, movement: Movement): TableState<Row> {
	const by = distance(movement, state.height, state.shown.length);
	const cursor = clamp(state.cursor + by, state.shown.length);
	return cursor === state.cursor ? state : scrolled({...state, cursor});
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
function scrolled<Row>(state: TableState<Row>): TableState<Row> {
	const {cursor, height, shown} = state;
	const lowest = Math.max(0, shown.length - height);
	const top = Math.max(0, Math.min(lowest, cursor, Math.max(cursor - height + 1, state.top)));
	return top === state.top ? state : {...state, top};
}

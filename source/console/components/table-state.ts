/** Where a list stands: its rows in their order, the cursor by id, and the window onto them. */
export type TableState<Row> = {
	/** The rows as they came. */
	readonly rows: readonly Row[];
	/** The rows as they are shown. */
	readonly shown: readonly Row[];
	/** Where each id stands in `shown`. */
	readonly positions: ReadonlyMap<number, number>;
	readonly cursorId: number | undefined;
	/** The position of the first row in view. */
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
	return {rows: [], shown: [], positions: new Map(), cursorId: undefined, top: 0, height: 1};
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
	const positions = new Map(shown.map((row, position) => [idOf(row), position]));
	const before = cursorPosition(state);
	const line = before - state.top;
	const followed = state.cursorId === undefined ? undefined : positions.get(state.cursorId);
	const position = followed ?? Math.max(0, Math.min(before, shown.length - 1));
	const row = shown[position];
	const cursorId = row === undefined ? undefined : idOf(row);
	return scrolled({...state, rows, shown, positions, cursorId, top: position - line}, position);
}

export function resizeTable<Row>(state: TableState<Row>, height: number): TableState<Row> {
	if (height === state.height) return state;
	const resized = {...state, height: Math.max(1, height)};
	return scrolled(resized, cursorPosition(resized));
}

export function moveCursor<Row>(
	state: TableState<Row>,
	idOf: IdOf<Row>,
	movement: Movement,
): TableState<Row> {
	const last = state.shown.length - 1;
	const wanted = cursorPosition(state) + distance(movement, state.height, state.shown.length);
	const position = Math.max(0, Math.min(wanted, last));
	const row = state.shown[position];
	if (row === undefined || idOf(row) === state.cursorId) return state;
	return scrolled({...state, cursorId: idOf(row)}, position);
}

/** The cursor's place among the rows shown; 0 in an empty table. */
export function cursorPosition<Row>({positions, cursorId}: TableState<Row>): number {
	return (cursorId === undefined ? undefined : positions.get(cursorId)) ?? 0;
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

/** Moves the window as little as it takes to have the position in view, and no row wasted. */
function scrolled<Row>(state: TableState<Row>, position: number): TableState<Row> {
	const {height, shown} = state;
	const lowest = Math.max(0, shown.length - height);
	const top = Math.min(lowest, Math.max(position - height + 1, Math.min(state.top, position), 0));
	return top === state.top ? state : {...state, top};
}

import type {Hold} from '../ui/keymap.ts';
import type {Column} from './columns.ts';
import {once, type Store} from '../../renter/state/store.ts';
import {showRows, type ListState, type ListView, type Reading, type WatchedRows} from './state.ts';
import {holdRows, hasRowChanges, mergeRows, type MergedRows, type Missing} from './merge.ts';
import {sortRows, type ListOrder} from './order.ts';

type Stores<Row> = {
	readonly state: Store<ListState<Row>>;
	readonly view: Store<ListView>;
};

type IsElsewhere = (order: ListOrder) => boolean;

type ListLoading<Row> = {
	/**
	 * Replaces the rows, for the answer to another question. Marks of rows that are gone are removed;
	 * returns their count.
	 */
	readonly load: (rows: readonly Row[]) => number;
	/**
	 * Takes the rows as they are at present. A missing row is shown as gone until two polls miss it, a
	 * marked one until its mark is removed. While the list is held, or a range is being marked, values
	 * change in place, no row moves, and `state.waiting` says what `apply` would do.
	 */
	readonly refresh: (rows: readonly Row[], isHeld?: boolean) => void;
	/** Prepares a refresh of thousands of rows, a part in a turn, so that keys pressed meanwhile are handled. */
	readonly prepare: (rows: readonly Row[], isHeld: boolean) => Promise<void>;
	/**
	 * Keeps the rows in place, also if those of another answer are loaded: keys of an overlay act on the row that
	 * was under the cursor when it was opened.
	 */
	readonly hold: () => Hold;
	readonly isHeld: () => boolean;
	/** Applies the held changes of rows. Marks of rows that are gone are removed; returns their count. */
	readonly apply: () => number;
	/** Sets the orders that the service applies, so that rows are not ordered here. */
	readonly orderElsewhere: (isElsewhere: IsElsewhere) => void;
	/** Takes columns that make other cells and keys of the same rows. */
	readonly define: (columns: ReadonlyArray<Column<Row>>) => void;
	readonly reorder: () => void;
};

const nowhereElse: IsElsewhere = () => false;
const nextTurn = async () => new Promise<void>(resolve => setImmediate(resolve));
/** Fewer rows are merged and ordered in a millisecond. */
const MANY_ROWS = 1000;

export function createLoading<Row>(
	columns: ReadonlyArray<Column<Row>>,
	reading: Reading<Row>,
	stores: Stores<Row>,
): ListLoading<Row> {
	const {state} = stores;
	const {idOf, watched} = reading;
	const arranging = createArranging(columns, {idOf, ended: watched?.ended}, stores);
	let sent: readonly Row[] | undefined;
	let waiting: MergedRows<Row> | undefined;
	let holds = 0;
	/** Rows that were loaded while the list was held. */
	let late: readonly Row[] | undefined;
	const isHeld = () => holds > 0 && state.get().shown.length > 0;

	function show({rows, missing}: MergedRows<Row>): void {
		waiting = undefined;
		const shown = showRows(state.get(), reading, rows, arranging.ordered(rows));
		state.set({...shown, missing, waiting: undefined});
	}

	function reorder(): void {
		const {rows, missing} = state.get();
		show(waiting ?? {rows, missing});
	}

	function replace(rows: readonly Row[]): number {
		late = undefined;
		show({rows, missing: new Map()});
		const ids = new Set(rows.map(reading.idOf));
		return dropSelection(state, id => !ids.has(id));
	}

	/** Shows new values in place, and holds back moves. */
	function keepInPlace(next: MergedRows<Row>): void {
		const {changes, ...rows} = arranging.held(next);
		waiting = next;
		state.set({...state.get(), ...rows, waiting: hasRowChanges(changes) ? changes : undefined});
	}

	return {
		load(rows) {
			if (rows === sent) return 0;
			sent = rows;
			if (!isHeld()) return replace(rows);
			late = rows;
			keepInPlace({rows, missing: new Map()});
			return 0;
		},
		refresh(rows, isSteady = false) {
			if (rows === sent) return;
			sent = rows;
			if (late !== undefined) late = rows;
			const next = arranging.merged(rows);
			if (isSteady || isHeld() || state.get().anchor !== undefined) keepInPlace(next);
			else show(next);
			arranging.forget();
		},
		hold() {
			holds += 1;
			return {
				end: () => void (holds -= 1),
				catchUp() {
					if (holds === 0 && late !== undefined) replace(late);
				},
			};
		},
		isHeld,
		prepare: async (rows, isSteady) => arranging.prepare(rows, isSteady),
		apply() {
			const {missing} = state.get();
			const lost = dropSelection(state, id => missing.has(id));
			if (waiting !== undefined) show(waiting);
			return lost;
		},
		orderElsewhere(next) {
			if (arranging.orderElsewhere(next) && sent !== undefined) reorder();
		},
		define(next) {
			if (arranging.define(next)) reorder();
		},
		reorder,
	};
}

type Ending<Row> = Pick<Reading<Row>, 'idOf'> & {
	readonly ended: WatchedRows<Row>['ended'] | undefined;
};

/** The long parts of a refresh. Each is done once, and its result used where the same is asked again. */
function createArranging<Row>(
	initialColumns: ReadonlyArray<Column<Row>>,
	{idOf, ended}: Ending<Row>,
	{state, view}: Stores<Row>,
) {
	type Rows = readonly Row[];
	let columns = initialColumns;
	let isElsewhere = nowhereElse;
	const orderOnce = once(sortRows<Row>);
	const mergeOnce = once((sent: Rows, rows: Rows, missing: Missing, marked: ReadonlySet<number>) =>
		mergeRows({rows, missing, keeps: id => marked.has(id), ended}, sent, idOf),
	);
	const holdOnce = once((rows: Rows, shown: Rows, after: Rows, missing: Missing) =>
		holdRows({rows, shown}, {after, missing}, {idOf, ended}),
	);

	function ordered(rows: Rows): Rows {
		const {order} = view.get();
		if (!isElsewhere(order)) return orderOnce(rows, columns, order);
		orderOnce.forget();
		return rows;
	}

	function merged(sent: Rows): MergedRows<Row> {
		const {rows, missing, selected} = state.get();
		return mergeOnce(sent, rows, missing, selected);
	}

	/** New values in the places of the old ones. */
	function held({rows: next, missing}: MergedRows<Row>) {
		const {rows, shown} = state.get();
		return holdOnce(rows, shown, ordered(next), missing);
	}

	return {
		ordered,
		merged,
		held,
		async prepare(sent: Rows, isHeld: boolean): Promise<void> {
			if (sent.length < MANY_ROWS) return;
			const steps = [() => merged(sent), () => ordered(merged(sent).rows)];
			if (isHeld) steps.push(() => held(merged(sent)));
			for (const step of steps) {
				// oxlint-disable-next-line no-await-in-loop -- keys come between the steps
				await nextTurn();
				step();
			}
			await nextTurn();
		},
		forget: () => {
			mergeOnce.forget();
			holdOnce.forget();
		},
		/** Takes other columns; true if rows are ordered by one. */
		define(next: ReadonlyArray<Column<Row>>): boolean {
			const isNew = next !== columns;
			columns = next;
			return isNew && view.get().order.length > 0;
		},
		/** True if the rows have to be ordered anew. */
		orderElsewhere(next: IsElsewhere): boolean {
			const {order} = view.get();
			const isOther = next(order) !== isElsewhere(order);
			isElsewhere = next;
			return isOther;
		},
	};
}

/** Removes the marks of some rows; returns their count. */
function dropSelection<Row>(state: Store<ListState<Row>>, isLost: (id: number) => boolean): number {
	const {selected} = state.get();
	const left = [...selected].filter(id => !isLost(id));
	const lost = selected.size - left.length;
	if (lost > 0) state.set({...state.get(), selected: new Set(left)});
	return lost;
}

import type {Column} from './columns.ts';
import type {Store} from '../../renter/store.ts';
import {keepMarks} from './marks.ts';
import {holdRows, isChanged, mergeRows, type Merged, type IdOf} from './merge.ts';
import {orderRows, type ListOrder} from './order.ts';
import {showRows, type ListState, type Reading} from './state.ts';

/** View of a table: the picked column, and the order. */
export type ListView = {readonly pickedId: string | undefined; readonly order: ListOrder};

type Stores<Row> = {
	readonly state: Store<ListState<Row>>;
	readonly view: Store<ListView>;
};

type IsElsewhere = (order: ListOrder) => boolean;

export type ListLoading<Row> = {
	/**
	 * Takes other rows in place of those that were there: the answer to another question. Marks of
	 * rows that are not among them are taken away; says how many.
	 */
	readonly load: (rows: readonly Row[]) => number;
	/**
	 * Takes the same rows as they are at present. One that is missing is shown as gone until it was
	 * missing twice, a marked one until its mark is taken away. While it is held, or a range is being
	 * marked, values change in place, no row moves, and `state.waiting` says what `apply` would do.
	 */
	readonly refresh: (rows: readonly Row[], isHeld?: boolean) => void;
	/**
	 * Lets rows come, go and move that were held back. Marks of rows that are gone are taken away;
	 * says how many.
	 */
	readonly apply: () => number;
	/** Tells in which orders the rows come already, so that they are not to be ordered here. */
	readonly orderElsewhere: (isElsewhere: IsElsewhere) => void;
	/** Takes columns that make other cells and keys of the same rows. */
	readonly define: (columns: ReadonlyArray<Column<Row>>) => void;
	/** Brings the rows into the present order. */
	readonly reorder: () => void;
};

const nowhereElse: IsElsewhere = () => false;

/** Takes what the service sends into a table, and brings it into the order that is wanted. */
export function createLoading<Row>(
	initialColumns: ReadonlyArray<Column<Row>>,
	reading: Reading<Row>,
	{state, view}: Stores<Row>,
): ListLoading<Row> {
	const {idOf} = reading;
	let columns = initialColumns;
	let sent: readonly Row[] | undefined;
	let waiting: Merged<Row> | undefined;
	let isElsewhere = nowhereElse;
	const ordered = (rows: readonly Row[]) =>
		isElsewhere(view.get().order) ? rows : orderRows(rows, columns, view.get().order);

	function show({rows, missing}: Merged<Row>): void {
		waiting = undefined;
		const shown = showRows(state.get(), reading, rows, ordered(rows));
		state.set({...shown, missing, waiting: undefined});
	}

	function reorder(): void {
		const {rows, missing} = state.get();
		show(waiting ?? {rows, missing});
	}

	/** Shows new values where the rows are, and keeps what would move them. */
	function hold(merged: Merged<Row>): void {
		waiting = merged;
		state.set(heldState(state.get(), {merged, after: ordered(merged.rows)}, idOf));
	}

	return {
		load(rows) {
			if (rows === sent) return 0;
			sent = rows;
			show({rows, missing: new Map()});
			return keepMarksOf(state, new Set(rows.map(idOf)));
		},
		refresh(rows, isHeld = false) {
			if (rows === sent) return;
			sent = rows;
			const before = state.get();
			const merged = mergeRows({...before, keeps: id => before.marked.has(id)}, rows, idOf);
			if (isHeld || before.anchor !== undefined) hold(merged);
			else show(merged);
		},
		apply() {
			const {missing} = state.get();
			const lost = loseMarks(state, id => missing.has(id));
			if (waiting !== undefined) show(waiting);
			return lost;
		},
		orderElsewhere(next) {
			const {order} = view.get();
			const isOther = next(order) !== isElsewhere(order);
			isElsewhere = next;
			if (isOther && sent !== undefined) reorder();
		},
		define(next) {
			if (next === columns) return;
			columns = next;
			if (view.get().order.length > 0) reorder();
		},
		reorder,
	};
}

/** Takes the marks of all but some rows away; says how many. */
function keepMarksOf<Row>(state: Store<ListState<Row>>, ids: ReadonlySet<number>): number {
	return loseMarks(state, id => !ids.has(id));
}

/** Takes the marks of some rows away; says how many. */
function loseMarks<Row>(state: Store<ListState<Row>>, isLost: (id: number) => boolean): number {
	const before = state.get();
	state.set(keepMarks(before, id => !isLost(id)));
	return before.marked.size - state.get().marked.size;
}

type Waiting<Row> = {readonly merged: Merged<Row>; readonly after: readonly Row[]};

/** A state whose rows stay where they are, with new values, and with what waits told. */
function heldState<Row>(
	before: ListState<Row>,
	{merged, after}: Waiting<Row>,
	idOf: IdOf<Row>,
): ListState<Row> {
	const held = {after, missing: merged.missing};
	const {changes, ...rows} = holdRows(before, held, idOf);
	return {
		...before,
		...rows,
		waiting: isChanged(changes) ? changes : undefined,
	};
}

import type {Meaning} from '../theme.ts';

/** A column of a table: what it is called, how a record becomes a cell, and how it orders. */
export type Column<Row> = {
	readonly id: string;
	readonly title: string;
	/** The least that it takes: what may not be cut has room in it. */
	readonly width: number;
	/** The widths that it takes one after the other where there is room left. @default none */
	readonly growth?: readonly number[];
	readonly align: 'left' | 'right';
	/** Columns of a higher rank are dropped first when the screen is narrow. */
	readonly rank: number;
	/** @param width how many characters it has at present */
	readonly cell: (row: Row, width: number) => string;
	/** Sort key of a row; undefined where it is not known, and then last. */
	readonly sortKey: (row: Row) => number | string | undefined;
	/** Better end of the values, which comes first. */
	readonly best: 'low' | 'high';
	/**
	 * The least of the sets that has it: a compact list shows few columns, a wide one all.
	 * @default 'compact'
	 */
	readonly set?: 'compact' | 'normal' | 'wide';
	/** Meaning of its cell: the row's edge shows it too, and the cursor marks the cell. */
	readonly meaning?: (row: Row) => Meaning;
	/** Description for choosing columns, where the title is too short. */
	readonly about?: string;
};

/**
 * The columns that fit into a width with one blank between them, in their declared order. What room
 * is left goes to those that can use it.
 */
export function fitColumns<Row>(
	columns: ReadonlyArray<Column<Row>>,
	width: number,
): ReadonlyArray<Column<Row>> {
	const kept = new Set<Column<Row>>();
	let used = 0;
	for (const column of columns.toSorted((a, b) => a.rank - b.rank)) {
		const needed = column.width + (kept.size === 0 ? 0 : 1);
		if (used + needed > width) break;
		kept.add(column);
		used += needed;
	}
	return grown(
		columns.filter(column => kept.has(column)),
		width - used,
	);
}

/** To each column its next width, the most important one first, and so on until no room is left. */
function grown<Row>(columns: ReadonlyArray<Column<Row>>, room: number) {
	const widths = new Map(columns.map(column => [column, column.width]));
	const rounds = Math.max(0, ...columns.map(({growth = []}) => growth.length));
	let left = room;
	for (let round = 0; round < rounds; round++) {
		for (const column of columns.toSorted((a, b) => a.rank - b.rank)) {
			const width = widths.get(column) ?? column.width;
			const more = Math.max(0, Math.min(left, (column.growth?.[round] ?? width) - width));
			widths.set(column, width + more);
			left -= more;
		}
	}
	return columns.map(column => {
		const width = widths.get(column) ?? column.width;
		return width === column.width ? column : {...column, width};
	});
}

/** All columns, those in view as wide as they are there: who makes one wider begins from that. */
export function asShown<Row>(
	columns: ReadonlyArray<Column<Row>>,
	shown: ReadonlyArray<Column<Row>>,
): ReadonlyArray<Column<Row>> {
	const widths = new Map(shown.map(({id, width}) => [id, width]));
	return columns.map(column => ({...column, width: widths.get(column.id) ?? column.width}));
}

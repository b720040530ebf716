import type {Meaning} from '../theme.ts';

/** A column of a table: what it is called, how a record becomes a cell, and how it orders. */
export type Column<Row> = {
	readonly id: string;
	readonly title: string;
	readonly width: number;
	readonly align: 'left' | 'right';
	/** Columns of a higher rank are dropped first when the screen is narrow. */
	readonly rank: number;
	readonly cell: (row: Row) => string;
	/** What the column orders by; undefined where it is not known, and then last. */
	readonly sortKey: (row: Row) => number | string | undefined;
	/** Which end is the better one, and comes first. */
	readonly best: 'low' | 'high';
	/**
	 * The least of the sets that has it: a compact list shows few columns, a wide one all.
	 * @default 'compact'
	 */
	readonly set?: 'compact' | 'normal' | 'wide';
	/** How grave its cell is: the row's edge shows it too, and the cursor marks the cell. */
	readonly meaning?: (row: Row) => Meaning;
	/** What it is, in a few words, where its title is too short to tell: for choosing columns. */
	readonly about?: string;
};

/** The columns that fit into a width with one blank between them, in their declared order. */
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
	return columns.filter(column => kept.has(column));
}

import type {Position} from './cursor-moves.ts';
import type {Grid} from './grid.ts';
import {Pen, reachOf} from './pen.ts';
import {findShift, rowAfter} from './shifts.ts';

export type Extent = {
	/** @default the first row */
	readonly first?: number;
	/** @default the last row */
	readonly last?: number;
	/**
	 * Present position of the cursor.
	 * @default not known
	 */
	readonly start?: Position;
};

/** A row to be written: its place in the next grid and in the previous one, where -1 is a row of blanks. */
type Row = {
	readonly previous: Grid;
	readonly next: Grid;
	readonly row: number;
	readonly shown: number;
};

/** Marks the cells that differ; tells whether there are any. */
function markDifferent({previous, next, row, shown}: Row, marks: Uint8Array): boolean {
	let isAny = false;
	const start = row * next.columns;
	for (let column = 0; column < marks.length; column++) {
		const at = start + column;
		const from = shown * next.columns + column;
		const isSame =
			shown === -1
				? next.glyphs[at] === ' ' && next.styles[at] === 0
				: previous.glyphs[from] === next.glyphs[at] && previous.styles[from] === next.styles[at];
		marks[column] = isSame ? 0 : 1;
		isAny ||= !isSame;
	}
	return isAny;
}

/**
 * Marks also what a terminal that takes a marked glyph for wider than we do writes over. The halves of a wide
 * character need no care: where one differs, the other does or is written along with it.
 */
function markSpoilt({next, row}: Row, marks: Uint8Array): void {
	let end = 0;
	for (let column = 0; column < marks.length; column++) {
		if (marks[column] === 0 && column >= end) continue;
		marks[column] = 1;
		end = Math.max(end, column + reachOf(next.glyphs[row * marks.length + column] ?? ' '));
	}
}

/** The first column from which on the row is blank in the terminal's own style. */
function startOfBlanks({columns, glyphs, styles}: Grid, row: number): number {
	let at = (row + 1) * columns;
	while (at > row * columns && glyphs[at - 1] === ' ' && styles[at - 1] === 0) at -= 1;
	return at - row * columns;
}

// CSI K is three bytes.
const fewestErased = 4;

function writeRow(pen: Pen, row: Row, marks: Uint8Array): void {
	if (!markDifferent(row, marks)) return;
	markSpoilt(row, marks);
	const blanks = startOfBlanks(row.next, row.row);
	const last = marks.lastIndexOf(1);
	for (let column = marks.indexOf(1); column <= last;) {
		if (marks[column] === 0) {
			column += 1;
		} else if (column >= blanks && last - column >= fewestErased - 1) {
			pen.erase(row.row, column);
			return;
		} else {
			column += pen.put(row.row, column);
		}
	}
}

// Fewer rows are not worth looking for a shift.
const fewestShifted = 3;

/**
 * Output that changes a terminal from a known grid, or from blanks, to the next one, in few bytes. Only
 * the rows between `first` and `last` may differ. The terminal draws in its own style before and
 * after.
 */
export function difference(
	known: Grid | undefined,
	next: Grid,
	{first = 0, last = next.rows - 1, start}: Extent = {},
): string {
	const previous = known ?? next;
	const shownIn = (row: number) => (known === undefined ? -1 : row);
	const marks = new Uint8Array(next.columns);
	const changed = Array.from({length: last + 1 - first}, (_, at) => first + at).filter(row =>
		markDifferent({previous, next, row, shown: shownIn(row)}, marks),
	);
	const [top, bottom] = [changed[0], changed.at(-1)];
	if (top === undefined || bottom === undefined) return '';
	const pen = new Pen(next, start);
	const isMoved = known !== undefined && changed.length >= fewestShifted;
	const shift = isMoved ? findShift(known, next, {first: top, last: bottom}) : undefined;
	if (shift !== undefined) pen.shift(shift);
	for (let row = top; row <= bottom; row++) {
		writeRow(pen, {previous, next, row, shown: shownIn(rowAfter(shift, row))}, marks);
	}
	return pen.finish();
}

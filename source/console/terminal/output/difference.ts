import type {Grid} from './grid.ts';
import {Pen, reachOf, type Shift, type Position} from './pen.ts';

// Cost in bytes of moving a band of rows, with a margin.
const overhead = 24;

/** A number that rows of equal content share. */
function fingerprint({columns, glyphs, styles}: Grid, row: number): number {
	let hash = 0;
	for (let at = row * columns; at < (row + 1) * columns; at++) {
		const glyph = glyphs[at] ?? ' ';
		const code = glyph.length === 0 ? 0 : glyph.charCodeAt(0) + glyph.length;
		hash = Math.imul(hash ^ code ^ ((styles[at] ?? 0) << 16), 0x0100_0193);
	}
	return hash;
}

/** Row of each fingerprint; -1 for one that several rows share. */
function lineIndexes(grid: Grid, first: number, last: number): ReadonlyMap<number, number> {
	const indexes = new Map<number, number>();
	for (let row = first; row <= last; row++) {
		const print = fingerprint(grid, row);
		indexes.set(print, indexes.has(print) ? -1 : row);
	}
	return indexes;
}

/** The distance that most rows moved up by, 0 if none moved. */
function likelyDistance(previous: Grid, next: Grid, first: number, last: number): number {
	const before = lineIndexes(previous, first, last);
	const votes = new Map<number, number>();
	let best = 0;
	for (const [print, row] of lineIndexes(next, first, last)) {
		const origin = before.get(print) ?? -1;
		if (row === -1 || origin === -1 || origin === row) continue;
		const distance = origin - row;
		const count = (votes.get(distance) ?? 0) + 1;
		votes.set(distance, count);
		if (count > (votes.get(best) ?? 0)) best = distance;
	}
	return best;
}

// Getting from one changed cell to the next takes no more bytes than this, however far it is.
const bytesToMove = 4;

/** About how many bytes a row takes, if the terminal shows the row `shown` of the previous grid, or blanks. */
function bytesToWrite(previous: Grid, next: Grid, row: number, shown: number | undefined): number {
	const {columns} = next;
	let bytes = 0;
	let last = -bytesToMove;
	for (let column = 0; column < columns; column++) {
		const at = row * columns + column;
		const from = shown === undefined ? -1 : shown * columns + column;
		const glyph = from === -1 ? ' ' : previous.glyphs[from];
		const style = from === -1 ? 0 : previous.styles[from];
		if (glyph === next.glyphs[at] && style === next.styles[at]) continue;
		bytes += Math.min(bytesToMove, column - last);
		last = column;
	}
	return bytes;
}

/** The band of rows between two rows that is best moved instead of written, if any is. */
function findShift(
	previous: Grid,
	next: Grid,
	{first, last}: {readonly first: number; readonly last: number},
): Shift | undefined {
	const distance = likelyDistance(previous, next, first, last);
	if (distance === 0) return undefined;
	const size = Math.abs(distance);
	const gain = (row: number, shown: number | undefined) =>
		bytesToWrite(previous, next, row, row) - bytesToWrite(previous, next, row, shown);
	let best = {top: 0, bottom: 0, saved: overhead};
	let top = first;
	let saved = 0;
	// The contiguous rows that save most together: a sum that falls below nothing begins anew.
	for (let row = first; row <= last - size; row++) {
		if (saved <= 0) {
			top = row;
			saved = 0;
		}
		// An upward shift takes the row from below; a downward one takes this row to `size` rows further down.
		saved += distance > 0 ? gain(row, row + size) : gain(row + size, row);
		if (saved > best.saved) best = {top, bottom: row + size, saved};
	}
	if (best.saved === overhead) return undefined;
	// The rows that become blank at the end of the band must be written whole.
	const emptied = distance > 0 ? best.bottom - size + 1 : best.top;
	for (let row = emptied; row < emptied + size; row++) best.saved += gain(row, undefined);
	return best.saved > overhead ? {top: best.top, bottom: best.bottom, distance} : undefined;
}

/** Row of the previous grid that a row shows after the shift, or -1 for blanks. */
function rowAfter(shift: Shift | undefined, row: number): number {
	if (shift === undefined || row < shift.top || row > shift.bottom) return row;
	const origin = row + shift.distance;
	return origin < shift.top || origin > shift.bottom ? -1 : origin;
}

type Extent = {
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

/** A row to write: its index in the next grid, and in the previous one, -1 for blanks. */
type Row = {
	readonly previous: Grid;
	readonly next: Grid;
	readonly row: number;
	readonly shown: number;
};

/** Marks the cells that differ; returns whether there are any. */
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
 * Marks also the cells that a terminal overwrites where it takes a marked glyph for wider. Halves of wide
 * characters need no care: where one differs, the other does or is written with it.
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

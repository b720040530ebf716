import type {Grid} from './grid.ts';
import type {Shift} from './pen.ts';

// What moving a band of rows costs in bytes, and some more, since it must be clearly worth it.
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
function placesOf(grid: Grid, first: number, last: number): ReadonlyMap<number, number> {
	const places = new Map<number, number>();
	for (let row = first; row <= last; row++) {
		const print = fingerprint(grid, row);
		places.set(print, places.has(print) ? -1 : row);
	}
	return places;
}

/** The distance that most rows moved up by, 0 if none moved. */
function likelyDistance(previous: Grid, next: Grid, first: number, last: number): number {
	const before = placesOf(previous, first, last);
	const votes = new Map<number, number>();
	let best = 0;
	for (const [print, row] of placesOf(next, first, last)) {
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
export function findShift(
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
		// Moving up, the row comes from below; moving down, the row `size` further down comes from this one.
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
export function rowAfter(shift: Shift | undefined, row: number): number {
	if (shift === undefined || row < shift.top || row > shift.bottom) return row;
	const origin = row + shift.distance;
	return origin < shift.top || origin > shift.bottom ? -1 : origin;
}

import type {Grid} from './grid.ts';
import {blankStyle, transition} from './styles.ts';
import {plainWidth} from '../../../renter/text/text-width.ts';

/** A cell of the terminal, counted from 0. */
export type Position = {readonly row: number; readonly column: number};

/** A cursor that may be anywhere. A column of -1 alone means: somewhere in the row. */
export const nowhere: Position = {row: -1, column: -1};

const csi = (count: number, letter: string) => `\u001B[${count === 1 ? '' : count}${letter}`;

/** Moves the cursor from any position. */
export function moveTo({row, column}: Position): string {
	return column === 0 ? csi(row + 1, 'H') : `\u001B[${row === 0 ? '' : row + 1};${column + 1}H`;
}

function shorter(first: string, second: string): string {
	return second.length < first.length ? second : first;
}

/** Moves within the row from one column, -1 where it is not known, to another. */
function moveAlong(from: number, to: number): string {
	if (from === to) return '';
	if (to === 0) return '\r';
	const absolute = csi(to + 1, 'G');
	if (from === -1) return absolute;
	if (to > from) return shorter(absolute, csi(to - from, 'C'));
	return shorter(shorter(absolute, csi(from - to, 'D')), '\b'.repeat(from - to));
}

function moveAcross(from: Position, to: Position): string {
	const distance = to.row - from.row;
	const along = moveAlong(from.column, to.column);
	if (distance < 0) return csi(-distance, 'A') + along;
	// A line feed alone keeps the column on some terminals only. The screen cannot scroll: a row below
	// exists.
	const feeds = '\r\n'.repeat(Math.min(distance, 4)) + moveAlong(0, to.column);
	const down = csi(distance, 'B') + along;
	return distance > 4 ? down : shorter(down, feeds);
}

/** The shortest way for the cursor from where it is to a position. */
export function shortestMove(from: Position, to: Position): string {
	if (from.row === to.row) return moveAlong(from.column, to.column);
	return from.row === -1 ? moveTo(to) : shorter(moveTo(to), moveAcross(from, to));
}

/** A band of rows, both included, whose content moves up by `distance` rows, down where it is negative. */
export type Shift = {readonly top: number; readonly bottom: number; readonly distance: number};

/** True if all terminals give the glyph the same width. */
function isAgreed(glyph: string): boolean {
	return glyph.length === 1 && plainWidth(glyph.charCodeAt(0)) !== 0;
}

/** Most columns that a terminal may give a glyph: two for each code point, however it joins them. */
export function reachOf(glyph: string): number {
	if (isAgreed(glyph)) return plainWidth(glyph.charCodeAt(0));
	return 2 * Array.from(glyph).length;
}

// The style the terminal draws in after it drew this cell; a blank is drawn in any style it looks right in.
function styleAfter(style: number, glyph: string, wanted: number): number {
	return glyph === ' ' && blankStyle(style) === wanted ? style : wanted;
}

function bytesOf(glyph: string): number {
	const code = glyph.charCodeAt(0);
	if (glyph.length !== 1 || plainWidth(code) !== 1) return Number.POSITIVE_INFINITY;
	if (code < 0x80) return 1;
	return code < 0x800 ? 2 : 3;
}

const longestGap = 16;

/** Writes cells of a grid, and tracks the terminal's cursor and style. */
export class Pen {
	readonly #grid: Grid;
	#at: Position;
	#style = 0;
	#output = '';

	constructor(grid: Grid, start: Position = nowhere) {
		this.#grid = grid;
		this.#at = start;
	}

	/** The whole output; the terminal draws in its own style again. */
	finish(): string {
		return this.#output + transition(this.#style, 0);
	}

	/** Writes the cell and gives the number of columns it takes. */
	put(row: number, column: number): number {
		this.#go(row, column);
		return this.#write();
	}

	/** Makes blanks from the cell to the end of its row. */
	erase(row: number, column: number): void {
		this.#go(row, column);
		this.#dress(' ', 0);
		this.#output += '\u001B[K';
	}

	/** Moves a band of rows. Deleting and inserting lines work everywhere; the Linux console has no CSI S and T. */
	shift({top, bottom, distance}: Shift): void {
		const isToTheEnd = bottom === this.#grid.rows - 1;
		const count = Math.abs(distance) === 1 ? '' : Math.abs(distance);
		const move = `${moveTo({row: top, column: 0})}\u001B[${count}${distance > 0 ? 'M' : 'L'}`;
		this.#output += isToTheEnd ? move : `\u001B[${top + 1};${bottom + 1}r${move}\u001B[r`;
		this.#at = nowhere;
	}

	#dress(glyph: string, wanted: number): void {
		const style = styleAfter(this.#style, glyph, wanted);
		if (style !== this.#style) this.#output += transition(this.#style, style);
		this.#style = style;
	}

	#go(row: number, column: number): void {
		const from = this.#at;
		if (row === from.row && column === from.column) return;
		const move = shortestMove(from, {row, column});
		const gap = row === from.row && from.column !== -1 ? column - from.column : 0;
		if (gap > 0 && gap <= longestGap && this.#isGapCheaper(column, move.length)) {
			for (let next = from.column; next < column; next++) this.#write();
		} else {
			this.#output += move;
			this.#at = {row, column};
		}
	}

	/** True if rewriting the cells up to a column takes no more bytes than moving there. */
	#isGapCheaper(column: number, bytesToMove: number): boolean {
		const {columns, glyphs, styles} = this.#grid;
		const start = this.#at.row * columns;
		let bytes = 0;
		let style = this.#style;
		for (let at = start + this.#at.column; at < start + column; at++) {
			const glyph = glyphs[at] ?? ' ';
			const after = styleAfter(style, glyph, styles[at] ?? 0);
			bytes += bytesOf(glyph) + transition(style, after).length;
			style = after;
		}
		const glyph = glyphs[start + column] ?? ' ';
		const wanted = styles[start + column] ?? 0;
		const bytesToDress = (from: number) => transition(from, styleAfter(from, glyph, wanted)).length;
		return bytes + bytesToDress(style) <= bytesToMove + bytesToDress(this.#style);
	}

	#write(): number {
		const {columns, glyphs, styles} = this.#grid;
		const {row, column} = this.#at;
		const at = row * columns + column;
		const glyph = glyphs[at] ?? ' ';
		const width = column + 1 < columns && glyphs[at + 1] === '' ? 2 : 1;
		this.#dress(glyph, styles[at] ?? 0);
		this.#output += isAgreed(glyph) ? glyph : this.#guarded(glyph, width);
		// After the last column terminals put the cursor in different places.
		if (column + width >= columns) this.#at = nowhere;
		else this.#at = {row, column: width === 1 && isAgreed(glyph) ? column + 1 : -1};
		return width;
	}

	/** Output of a glyph whose width terminals disagree on. */
	#guarded(glyph: string, width: number): string {
		const {column} = this.#at;
		// Clears the second column, in which a terminal may take the glyph for narrow.
		const ground = width === 2 ? `  ${moveAlong(-1, column)}` : '';
		if (column + reachOf(glyph) <= this.#grid.columns) return ground + glyph;
		// A terminal that takes it for wider must not wrap it into the next row or scroll the screen.
		return `\u001B[?7l${ground}${glyph}\u001B[?7h`;
	}
}

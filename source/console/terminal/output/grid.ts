import {linkIn} from './links.ts';
import {applyLink, applySgr, blankStyle} from './styles.ts';
import {cellsOf, clusterWidth} from '../../../renter/text/text-width.ts';

export type Grid = {
	readonly columns: number;
	readonly rows: number;
	/** Glyph of each cell, of harmless characters; '' in the second half of a wide character. */
	readonly glyphs: string[];
	/** The style of each cell as `styles.ts` numbers them. A blank has the style `blankStyle` gives. */
	readonly styles: Int32Array;
};

type Line = {readonly glyphs: readonly string[]; readonly styles: readonly number[]};

export function createGrid(columns: number, rows: number): Grid {
	const count = columns * rows;
	return {
		columns,
		rows,
		glyphs: Array.from<string>({length: count}).fill(' '),
		styles: new Int32Array(count),
	};
}

/** Makes rows of one grid equal to those of another of the same size. */
export function copyRows(from: Grid, to: Grid, first: number, last: number): void {
	const [start, end] = [first * from.columns, (last + 1) * from.columns];
	for (let at = start; at < end; at++) to.glyphs[at] = from.glyphs[at] ?? ' ';
	to.styles.set(from.styles.subarray(start, end), start);
}

const escape = 0x1b;

function skipWhile(line: string, from: number, isPart: (code: number) => boolean): number {
	let at = from;
	while (at < line.length && isPart(line.charCodeAt(at))) at += 1;
	return at;
}

/** Index behind the escape sequence that begins at `start`. */
function endOfEscape(line: string, start: number): number {
	const kind = line[start + 1] ?? '';
	if (kind === '[') return skipWhile(line, start + 2, code => code >= 0x20 && code < 0x40) + 1;
	if (kind !== '' && ']PX^_'.includes(kind)) {
		// A text for the terminal, such as a hyperlink, ends with BEL or with ESC \.
		const end = skipWhile(line, start + 2, code => code !== 0x07 && code !== escape);
		return line[end + 1] === '\\' ? end + 2 : end + (line.charCodeAt(end) === escape ? 0 : 1);
	}
	return skipWhile(line, start + 1, code => code >= 0x20 && code < 0x30) + 1;
}

// Widest terminal; the rest of a longer line is dropped.
const mostColumns = 4096;

function pushText(text: string, style: number, cells: {glyphs: string[]; styles: number[]}): void {
	const onBlank = blankStyle(style);
	for (const glyph of cellsOf(text)) {
		const width = clusterWidth(glyph);
		if (width === 0) continue;
		cells.glyphs.push(glyph);
		cells.styles.push(glyph === ' ' ? onBlank : style);
		if (width === 1) continue;
		cells.glyphs.push('');
		cells.styles.push(style);
	}
}

function parse(line: string): Line {
	const cells = {glyphs: [] as string[], styles: [] as number[]};
	let style = 0;
	let at = 0;
	while (at < line.length && cells.glyphs.length < mostColumns) {
		if (line.charCodeAt(at) === escape) {
			const end = endOfEscape(line, at);
			const isStyle = line[at + 1] === '[' && line[end - 1] === 'm';
			if (isStyle) style = applySgr(style, line.slice(at + 2, end - 1));
			else if (line.startsWith(']8;', at + 1))
				style = applyLink(style, linkIn(line.slice(at, end)));
			at = end;
		} else {
			const next = line.indexOf('\u001B', at);
			const end = Math.min(next === -1 ? line.length : next, at + mostColumns);
			pushText(line.slice(at, end), style, cells);
			at = end;
		}
	}
	return cells;
}

// Two generations: texts not used while one filled up are forgotten.
const mostLines = 256;
let young = new Map<string, Line>();
let old = new Map<string, Line>();

function parsed(line: string): Line {
	const known = young.get(line);
	if (known !== undefined) return known;
	const cells = old.get(line) ?? parse(line);
	if (young.size >= mostLines) {
		old = young;
		young = new Map();
	}
	// A line sliced off a frame would keep the whole frame in memory; this makes a text of its own.
	young.set(` ${line}`.slice(1), cells);
	return cells;
}

function blankOut(grid: Grid, at: number): void {
	grid.glyphs[at] = ' ';
	grid.styles[at] = blankStyle(grid.styles[at] ?? 0);
}

/**
 * Fills `limit` columns of a row with a line of text and SGR sequences, and with blanks after it.
 * A wide character that lies only half inside becomes a blank.
 */
export function drawGridLine(
	grid: Grid,
	row: number,
	column: number,
	line: string,
	limit: number,
): void {
	const count = Math.min(limit, grid.columns - column);
	if (count <= 0) return;
	const {glyphs, styles} = parsed(line);
	const start = row * grid.columns + column;
	const end = start + count;
	if (column > 0 && grid.glyphs[start] === '') blankOut(grid, start - 1);
	if (column + count < grid.columns && grid.glyphs[end] === '') blankOut(grid, end);
	const written = Math.min(count, glyphs.length);
	for (let index = 0; index < written; index++) {
		grid.glyphs[start + index] = glyphs[index] ?? ' ';
		grid.styles[start + index] = styles[index] ?? 0;
	}
	grid.glyphs.fill(' ', start + written, end);
	grid.styles.fill(0, start + written, end);
	if (glyphs[count] === '') blankOut(grid, end - 1);
}

/** Fills the grid with a frame: lines divided by line feeds, none of which moves the cursor. */
export function drawFrame(grid: Grid, frame: string): void {
	let from = 0;
	for (let row = 0; row < grid.rows; row++) {
		const feed = from > frame.length ? -1 : frame.indexOf('\n', from);
		const end = feed === -1 ? frame.length : feed;
		drawGridLine(grid, row, 0, frame.slice(from, end), grid.columns);
		from = end + 1;
	}
}

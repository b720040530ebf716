import type {Position} from './pen.ts';
import {Display, type DisplayOptions} from './display.ts';
import {createGrid, drawFrame, drawLine, type Grid} from './grid.ts';

const firstSentinel = 0xe000;
const lastSentinel = 0xf8ff;
/** Most regions of a frame, each of at most 400 rows: one private character a row. */
export const regionCount = 16;
const rowsOfRegion = 400;

/**
 * The beginning of one row of a painted region, which goes on over the blank cells behind it. Ink lays
 * out one character instead of a whole row of them; what shall cover the row must leave no cell blank.
 * Rows from 400 on stay blank.
 */
export function regionStart(region: number, row: number): string {
	if (region < 0 || region >= regionCount) throw new RangeError(`There is no region ${region}`);
	if (row >= rowsOfRegion) return ' ';
	return String.fromCharCode(firstSentinel + region * rowsOfRegion + row);
}

/** Neighbouring cells that show one painted line. */
type Span = {
	readonly region: number;
	readonly line: number;
	readonly row: number;
	readonly column: number;
	readonly width: number;
};

const sentinel = /[\uE000-\uF8FF]/;

function sentinelAt({glyphs}: Grid, at: number): number {
	const code = glyphs[at]?.charCodeAt(0) ?? 0;
	return code >= firstSentinel && code <= lastSentinel ? code - firstSentinel : -1;
}

function findSpans(grid: Grid): readonly Span[] {
	const spans: Span[] = [];
	const isBlank = (at: number) => grid.glyphs[at] === ' ' && grid.styles[at] === 0;
	for (let row = 0; row < grid.rows; row++) {
		const start = row * grid.columns;
		for (let column = 0; column < grid.columns;) {
			const found = sentinelAt(grid, start + column);
			let end = column + 1;
			if (found !== -1) {
				while (end < grid.columns && isBlank(start + end)) end += 1;
				const region = Math.floor(found / rowsOfRegion);
				spans.push({region, line: found % rowsOfRegion, row, column, width: end - column});
			}
			column = end;
		}
	}
	return spans;
}

type ScreenOptions = DisplayOptions & {readonly columns: number; readonly rows: number};

/** Frames that Ink makes, drawn on a terminal, and in their regions lines that are painted beside Ink. */
export type Screen = {
	/** Shows a frame: lines divided by line feeds. */
	readonly draw: (frame: string) => void;
	/** Shows lines in a painted region, in this frame and in those to come. */
	readonly paint: (region: number, lines: readonly string[]) => void;
	/** Shows the terminal's cursor at a position, or hides it. */
	readonly placeCursor: (position: Position | undefined) => void;
	/** Begins anew in another size: the next frame is drawn whole. */
	readonly resize: (columns: number, rows: number) => void;
	/** Takes the terminal for spoilt: the next `draw` or `paint` clears it and draws all. */
	readonly forget: () => void;
	/** Runs something that draws and paints, and shows all it did in one write. */
	readonly batch: (run: () => void) => void;
	/** The region and its line at a place, counted from 0; undefined where none is. */
	readonly regionAt: (
		column: number,
		row: number,
	) => {readonly region: number; readonly line: number} | undefined;
	/** The bytes written so far. */
	readonly bytes: number;
};

function covers(span: Span, column: number, row: number): boolean {
	return span.row === row && span.column <= column && column < span.column + span.width;
}

export function createScreen({columns, rows, ...options}: ScreenOptions): Screen {
	const display = new Display(columns, rows, options);
	const painted = new Map<number, readonly string[]>();
	let grid = createGrid(columns, rows);
	let drawn: string | undefined;
	let spans: readonly Span[] = [];
	/** The rows that a batch has changed so far; undefined outside of one. */
	let changed: {first: number; last: number} | undefined;

	function show(first: number, last: number): void {
		if (changed === undefined) display.show(grid, first, last);
		else changed = {first: Math.min(changed.first, first), last: Math.max(changed.last, last)};
	}

	function fill({region, line, row, column, width}: Span): void {
		const text = painted.get(region)?.[line] ?? '';
		drawLine(grid, row, column, text, width);
	}

	return {
		draw(frame) {
			if (frame !== drawn) {
				drawFrame(grid, frame);
				drawn = frame;
				spans = sentinel.test(frame) ? findSpans(grid) : [];
				for (const span of spans) fill(span);
			}
			show(0, grid.rows - 1);
		},
		paint(region, lines) {
			const before = painted.get(region) ?? [];
			painted.set(region, [...lines]);
			const isStale = (span: Span) =>
				span.region === region && before[span.line] !== lines[span.line];
			const stale = spans.filter(isStale);
			for (const span of stale) fill(span);
			if (drawn !== undefined) show(stale[0]?.row ?? 0, stale.at(-1)?.row ?? -1);
		},
		placeCursor: position => display.placeCursor(position),
		resize(newColumns, newRows) {
			display.resize(newColumns, newRows);
			grid = createGrid(newColumns, newRows);
			drawn = undefined;
			spans = [];
		},
		forget: () => display.forget(),
		batch(run) {
			changed = {first: grid.rows, last: -1};
			try {
				run();
			} finally {
				const {first, last} = changed;
				changed = undefined;
				if (last >= first) display.show(grid, first, last);
			}
		},
		regionAt: (column, row) => spans.find(span => covers(span, column, row)),
		get bytes() {
			return display.bytes;
		},
	};
}

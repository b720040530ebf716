import {moveTo, type Position} from './pen.ts';
import {difference} from './difference.ts';
import {createSelecting, readPieceText, type Selection} from './selection.ts';
import {copyRows, createGrid, type Grid, drawFrame, drawGridLine} from './grid.ts';

type DisplayOptions = {
	/** Takes what goes to the terminal, one update at a time. */
	readonly write: (data: string) => void;
	/**
	 * Ask the terminal to show a longer update at once.
	 * @default true
	 */
	readonly isSynchronized?: boolean;
	/** Returns text to append to an update of so many bytes, which may move the cursor. */
	readonly question?: (bytes: number) => string;
};

// Without CSI 3 J the scrollback stays.
const clear = '\u001B[m\u001B[H\u001B[2J';
// A short update arrives in one piece without being marked as one.
const longestUnmarked = 128;

class Display {
	readonly #write: (data: string) => void;
	readonly #isSynchronized: boolean;
	readonly #question: (bytes: number) => string;
	#shown: Grid;
	#isSpoilt = true;
	#cursor: Position | undefined;
	#isCursorShown = false;
	#bytes = 0;

	constructor(columns: number, rows: number, options: DisplayOptions) {
		const {write, isSynchronized = true, question = () => ''} = options;
		this.#shown = createGrid(columns, rows);
		this.#write = write;
		this.#isSynchronized = isSynchronized;
		this.#question = question;
	}

	/** The bytes written so far. */
	get bytes(): number {
		return this.#bytes;
	}

	/** Makes the terminal show the grid, which may differ from what it shows in the rows from `first` to `last`. */
	show(grid: Grid, first = 0, last = grid.rows - 1): void {
		if (this.#isSpoilt) {
			this.#renew(grid);
			return;
		}
		const update = difference(this.#shown, grid, {first, last});
		if (update === '') return;
		copyRows(grid, this.#shown, first, last);
		this.#update(update);
	}

	placeCursor(position: Position | undefined): void {
		if (position?.row === this.#cursor?.row && position?.column === this.#cursor?.column) return;
		this.#cursor = position;
		if (this.#isSpoilt) return;
		this.#send(position === undefined ? this.#hideCursor() : this.#showCursor());
	}

	/** Begins anew in another size. */
	resize(columns: number, rows: number): void {
		this.#shown = createGrid(columns, rows);
		this.#isSpoilt = true;
	}

	/** Forgets the terminal's content: the next update clears it and writes everything. */
	forget(): void {
		this.#isSpoilt = true;
	}

	#renew(grid: Grid): void {
		const update = difference(undefined, grid, {start: {row: 0, column: 0}});
		copyRows(grid, this.#shown, 0, grid.rows - 1);
		this.#isSpoilt = false;
		this.#update(this.#hideCursor() + clear + update);
	}

	#update(update: string): void {
		const asking = update + this.#question(Buffer.byteLength(update));
		if (update.length <= longestUnmarked) {
			this.#send(asking + this.#showCursor());
			return;
		}
		const hidden = this.#isCursorShown ? this.#hideCursor() : '';
		const whole = hidden + asking + this.#showCursor();
		this.#send(this.#isSynchronized ? `\u001B[?2026h${whole}\u001B[?2026l` : whole);
	}

	/** Moves the cursor to its position and shows it, if it has one. */
	#showCursor(): string {
		if (this.#cursor === undefined) return '';
		const row = Math.min(this.#cursor.row, this.#shown.rows - 1);
		const column = Math.min(this.#cursor.column, this.#shown.columns - 1);
		const change = this.#isCursorShown ? '' : '\u001B[?25h';
		this.#isCursorShown = true;
		return moveTo({row, column}) + change;
	}

	#hideCursor(): string {
		this.#isCursorShown = false;
		return '\u001B[?25l';
	}

	#send(update: string): void {
		this.#bytes += Buffer.byteLength(update);
		this.#write(update);
	}
}

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
export type TerminalScreen = {
	/** Shows a frame: lines divided by line feeds. */
	readonly draw: (frame: string) => void;
	/** Shows lines in a painted region, in this frame and in those to come. */
	readonly paint: (region: number, lines: readonly string[]) => void;
	/** Shows the terminal's cursor at a position, or hides it. */
	readonly placeCursor: (position: Position | undefined) => void;
	/** Begins anew in another size: the next frame is drawn whole. */
	readonly resize: (columns: number, rows: number) => void;
	/** Forgets the terminal's content: the next `draw` or `paint` clears it and draws everything. */
	readonly forget: () => void;
	/** Runs a function, and shows all that it drew and painted in one write. */
	readonly batch: (run: () => void) => void;
	/**
	 * The region at a cell, its line and its column there, counted from 0; undefined if there is
	 * none.
	 */
	readonly regionAt: (column: number, row: number) => PositionInRegion | undefined;
	/** The text of a row, without the blanks at its end. */
	readonly textAt: (row: number) => string;
	/** Draws a selection inverted, instead of the one before; undefined for none. */
	readonly select: (selection: Selection | undefined) => void;
	/** The text of the selection. */
	readonly selected: () => string;
	/** The bytes written so far. */
	readonly bytes: number;
};

type PositionInRegion = {
	readonly region: number;
	readonly line: number;
	readonly column: number;
	/** Columns of the screen that the region has there: from the first to before the last. */
	readonly left: number;
	readonly right: number;
};

function covers(span: Span, column: number, row: number): boolean {
	return span.row === row && span.column <= column && column < span.column + span.width;
}

function positionIn(
	spans: readonly Span[],
	column: number,
	row: number,
): PositionInRegion | undefined {
	const span = spans.find(one => covers(one, column, row));
	if (span === undefined) return undefined;
	const {region, line, column: left, width} = span;
	return {region, line, column: column - left, left, right: left + width};
}

export function createScreen({columns, rows, ...options}: ScreenOptions): TerminalScreen {
	const display = new Display(columns, rows, options);
	const painted = new Map<number, readonly string[]>();
	let grid = createGrid(columns, rows);
	let drawn: string | undefined;
	let spans: readonly Span[] = [];
	/** The rows that a batch has changed so far; undefined outside of one. */
	let changed: {first: number; last: number} | undefined;
	const selecting = createSelecting(() => grid, display);

	function show(first: number, last: number): void {
		if (changed === undefined) display.show(selecting.shown(), first, last);
		else changed = {first: Math.min(changed.first, first), last: Math.max(changed.last, last)};
	}

	const fill = ({region, line, row, column, width}: Span) =>
		drawGridLine(grid, row, column, painted.get(region)?.[line] ?? '', width);

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
			const isStale = ({line}: Span) => before[line] !== lines[line];
			const stale = spans.filter(span => span.region === region && isStale(span));
			for (const span of stale) fill(span);
			if (drawn !== undefined) show(stale[0]?.row ?? 0, stale.at(-1)?.row ?? -1);
		},
		placeCursor: position => display.placeCursor(position),
		resize(newColumns, newRows) {
			display.resize(newColumns, newRows);
			grid = createGrid(newColumns, newRows);
			drawn = undefined;
			spans = [];
			selecting.drop();
		},
		forget: () => display.forget(),
		batch(run) {
			changed = {first: grid.rows, last: -1};
			try {
				run();
			} finally {
				const {first, last} = changed;
				changed = undefined;
				if (last >= first) display.show(selecting.shown(), first, last);
			}
		},
		regionAt: (column, row) => positionIn(spans, column, row),
		textAt: row => readPieceText(grid, {row, start: 0, end: grid.columns}),
		select: selecting.select,
		selected: selecting.selected,
		get bytes() {
			return display.bytes;
		},
	};
}

import {moveTo, type Position} from './pen.ts';
import {difference} from './difference.ts';
import {copyRows, createGrid, type Grid} from './grid.ts';

export type DisplayOptions = {
	/** Takes what goes to the terminal, one update at a time. */
	readonly write: (data: string) => void;
	/**
	 * Ask the terminal to show a longer update at once.
	 * @default true
	 */
	readonly isSynchronized?: boolean;
	/** Gives what goes behind an update of so many bytes and may move the cursor. @default nothing */
	readonly question?: (bytes: number) => string;
};

// Without CSI 3 J the scrollback stays.
const clear = '\u001B[m\u001B[H\u001B[2J';
// A short update arrives in one piece without being marked as one.
const longestUnmarked = 128;

/** A terminal and what it shows. */
export class Display {
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

	/** Takes what the terminal shows for unknown: it is cleared and written whole next time. */
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

	/** Puts the cursor into its place and shows it, where there is one to be seen. */
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

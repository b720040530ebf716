/** Selection of cells with the mouse: in reading order, within the columns of the part where it began. */
import {copyRows, createGrid, type Grid} from './grid.ts';
import type {Position} from './pen.ts';
import {applySgr} from './styles.ts';

export type Selection = {
	readonly from: Position;
	readonly to: Position;
	/** First column, and the one behind the last; the whole width where nothing parts the screen. */
	readonly left: number;
	readonly right: number;
};

/** Cells of a row, from `start` to before `end`. */
type Piece = {readonly row: number; readonly start: number; readonly end: number};

function piecesOf(selection: Selection, {rows, columns}: Grid): readonly Piece[] {
	const {from, to, left} = selection;
	const right = Math.min(selection.right, columns);
	const isForward = from.row < to.row || (from.row === to.row && from.column <= to.column);
	const [first, last] = isForward ? [from, to] : [to, from];
	const within = (column: number) => Math.max(left, Math.min(column, right));
	const bottom = Math.min(last.row, rows - 1);
	return Array.from({length: bottom - first.row + 1}, (_, at) => {
		const row = first.row + at;
		return {
			row,
			start: row === first.row ? within(first.column) : left,
			end: row === last.row ? within(last.column + 1) : right,
		};
	});
}

/** Text of a piece, without the blanks at its end. */
export function readPieceText({columns, glyphs}: Grid, {row, start, end}: Piece): string {
	return glyphs
		.slice(row * columns + start, row * columns + end)
		.join('')
		.trimEnd();
}

function selectedText(grid: Grid, selection: Selection): string {
	return piecesOf(selection, grid)
		.map(piece => readPieceText(grid, piece))
		.join('\n');
}

function withSelection(grid: Grid, selection: Selection): Grid {
	const shown = createGrid(grid.columns, grid.rows);
	copyRows(grid, shown, 0, grid.rows - 1);
	for (const {row, start, end} of piecesOf(selection, grid)) {
		for (let at = row * grid.columns + start; at < row * grid.columns + end; at++) {
			shown.styles[at] = applySgr(grid.styles[at] ?? 0, '7');
		}
	}
	return shown;
}

export function createSelecting(grid: () => Grid, display: {readonly show: (shown: Grid) => void}) {
	let selection: Selection | undefined;
	const shown = () => (selection === undefined ? grid() : withSelection(grid(), selection));
	return {
		shown,
		select: (next: Selection | undefined): void => {
			selection = next;
			display.show(shown());
		},
		/** Forgets it, before another grid is shown. */
		drop: (): void => void (selection = undefined),
		selected: (): string => (selection === undefined ? '' : selectedText(grid(), selection)),
	};
}

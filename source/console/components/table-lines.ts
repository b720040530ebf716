import {ruleLine} from '../chrome.ts';
import {writeRow} from './columns.ts';
import type {Column} from './columns.ts';
import {linesFrom} from './line-source.ts';
import type {Table} from './table.ts';
import type {LineSource} from './painted.tsx';
import {fit} from '../terminal/output/text-width.ts';
import type {Theme} from '../theme.ts';

/** Where the cursor and, later, marks stand: the columns before the first cell. */
export const GUTTER = 2;

/** The lines of a table's rows in view, each written once for as long as its row is the same. */
export function tableLines<Row extends object>(
	table: Table<Row>,
	columns: ReadonlyArray<Column<Row>>,
	theme: Theme,
	meaning: 'plain' | 'quiet' = 'plain',
): LineSource {
	const [first, ...rest] = columns;
	const written = new WeakMap<Row, {readonly first: string; readonly rest: string}>();
	function write(row: Row) {
		const existing = written.get(row);
		if (existing !== undefined) return existing;
		const cells = {
			first: first === undefined ? '' : fit(first.cell(row), first.width, first.align),
			rest: rest.length === 0 ? '' : ` ${writeRow(rest, row)}`,
		};
		written.set(row, cells);
		return cells;
	}

	return linesFrom([table.state], () => {
		const state = table.state.get();
		const cursor = state.cursor - state.top;
		return state.shown.slice(state.top, state.top + state.height).map((row, line) => {
			const cells = write(row);
			const others = theme.style(meaning, cells.rest);
			return line === cursor
				? `${theme.glyphs.cursor} ${theme.style('chosen', cells.first)}${others}`
				: `  ${theme.style(meaning, cells.first)}${others}`;
		});
	});
}

/** The titles over the columns: the picked one stands out, the ordered one has its direction. */
export function tableHeading<Row>(
	table: Table<Row>,
	columns: ReadonlyArray<Column<Row>>,
	theme: Theme,
): LineSource {
	return linesFrom([table.view], () => {
		const {pickedId, order} = table.view.get();
		const titles = columns.map(column => {
			const isOrdered = column.id === order?.columnId;
			const title = fit(column.title, column.width, column.align);
			const written = isOrdered ? withDirection(column, order.isReversed, theme) : title;
			if (column.id === pickedId) return theme.style('chosen', written);
			return isOrdered ? theme.style('heading', written) : written;
		});
		return [' '.repeat(GUTTER) + titles.join(' ')];
	});
}

/** A title with the sign for its order behind it; the title gives way where both do not fit. */
function withDirection<Row>(column: Column<Row>, isReversed: boolean, theme: Theme): string {
	const {title, width, align, best} = column;
	const isAscending = (best === 'low') !== isReversed;
	const sign = isAscending ? theme.glyphs.ascending : theme.glyphs.descending;
	return fit(title.slice(0, width - sign.length) + sign, width, align);
}

/** The rule under a table, with where in it the cursor is. */
export function positionRule<Row>(table: Table<Row>, theme: Theme, width: number): LineSource {
	return linesFrom([table.state], () => [ruleLine(theme, width, table.position())]);
}

import {ruleLine} from '../chrome.ts';
import {writeRow} from './columns.ts';
import type {Column} from './columns.ts';
import {linesFrom} from './line-source.ts';
import {cursorPosition} from './table-state.ts';
import type {Table} from './table.ts';
import type {LineSource} from './painted.tsx';
import {fit} from '../terminal/text-width.ts';
import type {Theme} from '../theme.ts';

/** Where the cursor and, later, marks stand: the columns before the first cell. */
export const GUTTER = 2;

/** The lines of a table's rows in view, each written once for as long as its row is the same. */
export function tableLines<Row extends object>(
	table: Table<Row>,
	columns: ReadonlyArray<Column<Row>>,
	theme: Theme,
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
		const cursor = cursorPosition(state) - state.top;
		return state.shown.slice(state.top, state.top + state.height).map((row, line) => {
			const cells = write(row);
			return line === cursor
				? `${theme.glyphs.cursor} ${theme.style('chosen', cells.first)}${cells.rest}`
				: `  ${cells.first}${cells.rest}`;
		});
	});
}

/** The titles over the columns: the picked one in brackets, the ordered one with its direction. */
export function tableHeading<Row>(
	columns: ReadonlyArray<Column<Row>>,
	{pickedId, order}: ReturnType<Table<Row>['view']['get']>,
	theme: Theme,
): string {
	const titles = columns.map(({id, title, width, align, best}) => {
		const isAscending = (best === 'low') !== (order?.isReversed ?? false);
		const direction = isAscending ? theme.glyphs.ascending : theme.glyphs.descending;
		const written = fit(id === order?.columnId ? title + direction : title, width, align);
		if (id === pickedId) return theme.style('chosen', written);
		return id === order?.columnId ? theme.style('heading', written) : written;
	});
	return ' '.repeat(GUTTER) + titles.join(' ');
}

/** The rule under a table, with where in it the cursor is. */
export function positionRule<Row>(table: Table<Row>, theme: Theme, width: number): LineSource {
	return linesFrom([table.state], () => [ruleLine(theme, width, table.position())]);
}

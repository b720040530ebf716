/** The numbers behind a graph as a table, for readers of a screen, and for doubt. */
import {fit, printable} from '../../renter/text/text-width.ts';
import type {Binding, Bindings} from './bindings.ts';
import {spread} from './chrome.ts';
import {inHeight} from './panes.ts';
import type {Theme} from './theme.ts';

export type NumberTable = {
	readonly title: string;
	readonly heads: readonly string[];
	/** A row for each moment or step, the newest last. */
	readonly rows: ReadonlyArray<readonly string[]>;
};

type Paper = {
	readonly theme: Theme;
	readonly size: {readonly columns: number; readonly rows: number};
	/** First row that is shown; undefined for the last ones. */
	readonly top: number | undefined;
};

/** Title and heads of columns. */
export const TABLE_HEAD = 2;

/** Number of the first row that is shown. */
export function topTableRow(top: number | undefined, count: number, height: number): number {
	const last = Math.max(0, count - height);
	return Math.max(0, Math.min(top ?? last, last));
}

export function numberLines(
	{title, heads, rows}: NumberTable,
	{theme, size: {columns, rows: height}, top}: Paper,
): readonly string[] {
	const room = Math.max(1, height - TABLE_HEAD);
	const first = topTableRow(top, rows.length, room);
	const shown = rows.slice(first, first + room);
	const widths = heads.map((head, at) =>
		Math.max(head.length, ...shown.map(row => (row[at] ?? '').length)),
	);
	const line = (cells: readonly string[]) =>
		fit(widths.map((width, at) => fit(cells[at] ?? '', width, 'right')).join('  '), columns);
	const amount =
		rows.length === 0 ? 'nothing yet' : `${first + 1} to ${first + shown.length} of ${rows.length}`;
	return inHeight(
		[
			theme.style('heading', spread(columns, printable(title), amount)),
			theme.style('quiet', line(heads)),
			...shown.map(line),
		],
		height,
	);
}

/** The table for other programs: columns with tabs between. */
export function numberText({heads, rows}: NumberTable): string {
	return [heads, ...rows].map(cells => cells.join('\t')).join('\n');
}

export type NumbersTarget = {
	readonly scroll: (step: number) => void;
	/** Scrolls by so many screens. */
	readonly page: (step: number) => void;
	readonly copy: () => void;
	readonly close: () => void;
};

export const numbersKey = {
	keys: ['#'],
	id: 'as-numbers',
	title: 'the same as numbers, or as a graph again',
	hint: 'numbers',
	run: graph => graph.numbers(),
} satisfies Binding<{readonly numbers: () => void}>;

export const numbersBindings: Bindings<NumbersTarget> = [
	{...numbersKey, keys: ['#', 'Esc'], hint: 'graph', run: table => table.close()},
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: table => table.scroll(1)},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: table => table.scroll(-1)},
	{keys: ['PgDn', 'Space'], id: 'a-page-down', title: 'a page down', run: table => table.page(1)},
	{keys: ['PgUp'], id: 'a-page-up', title: 'a page up', run: table => table.page(-1)},
	{
		keys: ['g', 'Home'],
		id: 'first',
		title: 'the first',
		run: table => table.scroll(Number.NEGATIVE_INFINITY),
	},
	{
		keys: ['G', 'End'],
		id: 'last',
		title: 'the last',
		run: table => table.scroll(Number.POSITIVE_INFINITY),
	},
	{
		keys: ['y'],
		id: 'copy-the-numbers',
		title: 'copy all of them',
		hint: 'copy',
		run: table => table.copy(),
	},
];

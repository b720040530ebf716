import {count} from '../../renter/text/format.ts';
import {isSelectedAt, selectedRows, type SelectedRows, type ListState} from './state.ts';
import type {RowChanges, IdOf} from './merge.ts';
import {pad, partAt} from '../ui/chrome.ts';
import {ruleLine} from '../ui/rules.ts';
import {type Cells, signsOf, widthOfColumns, writeCells} from './cells.ts';
import type {Column} from './columns.ts';
import type {List} from './list.ts';
import {isAscending} from './order.ts';
import type {LineSource} from '../ui/panes.ts';
import {fit, widthOf} from '../../renter/text/text-width.ts';
import type {Theme} from '../ui/theme.ts';
import {derived} from '../../renter/state/store.ts';

/** Width of the cursor and the marks before the first cell. */
export const GUTTER = 2;

type RowsStyle = {
	/** Rows of an earlier time are quiet. @default 'plain' */
	readonly meaning?: 'plain' | 'quiet';
	/** Columns that the row under the cursor fills. @default those of the cells */
	readonly width?: number;
};

/** The lines of a table's rows in view, each written once for as long as its row is the same. */
export function listLines<Row extends object>(
	table: List<Row>,
	columns: ReadonlyArray<Column<Row>>,
	theme: Theme,
	{meaning = 'plain', width = GUTTER + widthOfColumns(columns)}: RowsStyle = {},
): LineSource {
	const written = new WeakMap<Row, Cells>();
	function write(row: Row, isGone: boolean): Cells {
		const existing = written.get(row);
		if (existing !== undefined && existing.isGone === isGone) return existing;
		const cells = writeCells(columns, row, isGone);
		written.set(row, cells);
		return cells;
	}

	const source = derived([table.state], () => {
		const state = table.state.get();
		return state.shown.slice(state.top, state.top + state.height).map((row, line) => {
			const index = state.top + line;
			const isSelected = isSelectedAt(state, table.idOf, index);
			const cells = write(row, state.missing.has(table.idOf(row)));
			const {edge, mark} = signsOf(theme, cells, {isSelected, isNews: table.isNews(row)});
			const text = cells.parts
				.map(part => theme.style(meaning === 'quiet' ? meaning : part.style, part.text))
				.join('');
			return index === state.cursor ? theme.row(pad(mark + text, width - 1)) : edge + mark + text;
		});
	});
	return {
		...source,
		click(line) {
			const {top, cursor, shown} = table.state.get();
			const index = top + line;
			if (index >= shown.length) return undefined;
			if (index === cursor) return 'Enter';
			table.moveTo(index);
			return undefined;
		},
	};
}

/** The titles over the columns: the picked one stands out, the ordered ones have their directions. */
export function listHeading<Row>(
	table: List<Row>,
	columns: ReadonlyArray<Column<Row>>,
	theme: Theme,
): LineSource {
	const source = derived([table.view], () => {
		const {pickedId, order} = table.view.get();
		const titles = columns.map((column, at) => {
			const rank = order.findIndex(({columnId}) => columnId === column.id);
			const part = order[rank];
			const number = order.length > 1 ? String(rank + 1) : '';
			// The last column has no gap behind it.
			const room = column.width + (at === columns.length - 1 ? 0 : 1);
			const title = titleOf(column, room, part && {...part, number}, theme);
			if (column.id === pickedId) return theme.style('chosen', title);
			return theme.style(part === undefined ? 'quiet' : 'heading', title);
		});
		return [' '.repeat(GUTTER) + titles.join('')];
	});
	const room = columns.map(({width}) => ' '.repeat(width));
	return {
		...source,
		click(_, at) {
			const column = columns[partAt(room, 1, at - GUTTER) ?? -1];
			if (column !== undefined) table.orderBy(column.id);
			return undefined;
		},
	};
}

type Ordered = {readonly isReversed: boolean; readonly number: string};

/** A title in the width of its column and the blank behind it, which the sign of its order may take. */
function titleOf<Row>(
	column: Column<Row>,
	room: number,
	ordered: Ordered | undefined,
	{glyphs}: Theme,
): string {
	const {title, width, align} = column;
	if (ordered === undefined) return fit(title, width, align).padEnd(room);
	const isUp = isAscending(column, ordered.isReversed);
	const sign = (isUp ? glyphs.ascending : glyphs.descending) + ordered.number;
	const whole = title + sign;
	const written = whole.length <= room ? whole : title.slice(0, room - 1) + sign.slice(0, 1);
	return fit(written, room, align);
}

export function titledLines<Row extends object>(
	list: List<Row>,
	columns: ReadonlyArray<Column<Row>>,
	theme: Theme,
	style: RowsStyle = {},
): LineSource {
	const heading = listHeading(list, columns, theme);
	const rows = listLines(list, columns, theme, style);
	return {
		...derived([list.state, list.view], () => [...heading.get(), ...rows.get()]),
		click: (line, column) =>
			line === 0 ? heading.click?.(0, column) : rows.click?.(line - 1, column),
	};
}

export type RuleTexts<Row> = {
	readonly summary?: Summary<Row>;
	/** A note in several lengths, the longest first: the first that fits is shown. */
	readonly notes?: readonly string[];
	/** Facts of the row under the cursor, where nothing else is said. */
	readonly about?: (row: Row) => readonly string[];
};

/**
 * The rule under a table: marks, held changes, and the cursor's position. The last is always there, the
 * others if there is space.
 */
export function positionRule<Row>(
	table: List<Row>,
	theme: Theme,
	width: number,
	{summary = () => '', notes = [], about = () => []}: RuleTexts<Row> = {},
): LineSource {
	const marked = selectedRowsOf(table.idOf);
	return derived([table.state], () => {
		const state = table.state.get();
		const texts = [describeSelection(marked(state), summary), describeWaiting(state.waiting)];
		const isAny = texts.some(words => words !== '') || notes.length > 0;
		const row = isAny ? undefined : table.current();
		const facts = row === undefined ? notes : about(row);
		return [ruleWith(theme, width, texts, {notes: facts, last: table.position()})];
	});
}

type Ends = {
	/** A note in several lengths, the longest first. */
	readonly notes: readonly string[];
	/** Last text, always shown. */
	readonly last: string;
};

/** A rule with a note in it, where it fits. */
export function noteRule(theme: Theme, width: number, ends: Ends): string {
	return ruleWith(theme, width, [], ends);
}

/**
 * A rule with words in it, and one of them at its end. Words that do not fit are dropped, the first
 * first.
 */
function ruleWith(
	theme: Theme,
	width: number,
	words: readonly string[],
	{notes, last}: Ends,
): string {
	const write = (word: string) => ` ${word} ${theme.glyphs.rule}`;
	const written = words.filter(word => word !== '').map(write);
	const used = () => written.reduce((sum, word) => sum + widthOf(word), 1);
	const room = width - widthOf(last) - 3;
	while (used() > room) written.shift();
	const note = notes.map(write).find(text => used() + widthOf(text) <= room);
	if (note !== undefined) written.push(note);
	if (written.length === 0) return ruleLine(theme, width, last);
	const start = theme.glyphs.rule + written.join('');
	return theme.style('quiet', start) + ruleLine(theme, width - widthOf(start), last);
}

/** Summary of the marked rows: "best $0.29, worst $0.31". */
type Summary<Row> = (rows: readonly Row[]) => string;

/** The marked rows of a state; computed again only when marks or rows have changed. */
function selectedRowsOf<Row>(idOf: IdOf<Row>): (state: ListState<Row>) => SelectedRows<Row> {
	let last: ListState<Row> | undefined;
	let found: SelectedRows<Row> = {rows: [], gone: 0};
	return state => {
		const isSame =
			last !== undefined &&
			last.shown === state.shown &&
			last.selected === state.selected &&
			last.missing === state.missing &&
			last.anchor === state.anchor &&
			(state.anchor === undefined || last.cursor === state.cursor);
		if (!isSame) found = selectedRows(state, idOf);
		last = state;
		return found;
	};
}

/** "3 marked: best .2930", and how many more of the marked rows are gone. */
function describeSelection<Row>({rows, gone}: SelectedRows<Row>, summary: Summary<Row>): string {
	if (rows.length + gone === 0) return '';
	const lost = gone === 0 ? '' : `, ${count(gone)} gone`;
	const text = rows.length === 0 ? '' : summary(rows);
	return `${count(rows.length)} marked${lost}${text === '' ? '' : `: ${text}`}`;
}

/** Effect of the waiting rows: "new 4, gone 2, moved 6 - R applies". */
function describeWaiting(waiting: RowChanges | undefined): string {
	if (waiting === undefined) return '';
	const {added, gone, moved} = waiting;
	const parts = [
		...(added === 0 ? [] : [`new ${count(added)}`]),
		...(gone === 0 ? [] : [`gone ${count(gone)}`]),
		...(moved === 0 ? [] : [`moved ${count(moved)}`]),
	];
	return `${parts.join(', ')} - R applies`;
}

/** The line above a list: the words of its filter, and dim behind them what it lists and how. */
export function filterLine(theme: Theme, width: number, words: string, note: string): string {
	const left = words === '' ? FILTER : `${FILTER} ${words}`;
	const room = width - widthOf(note) - 1;
	const right = room < 1 ? fit(note, width) : note;
	const prompt = room < FILTER.length ? '' : theme.style('quiet', FILTER);
	return (
		prompt +
		(room < 1 ? '' : fit(left.slice(FILTER.length), room - FILTER.length) + ' ') +
		theme.style('quiet', right)
	);
}

const FILTER = 'filter>';

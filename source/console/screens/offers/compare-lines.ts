/** A comparison as lines of text, at any size. */
import type {Job} from '../../../contract/nouns/offer-cost.ts';
import {pad, ruleLine, spread} from '../../ui/chrome.ts';
import {known, timeOfDay} from '../../../renter/text/format.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Size} from '../../terminal/terminal.ts';
import type {Theme} from '../../ui/theme.ts';
import {compareRows, type CompareCell, type CompareRow} from './compare.ts';
import type {Compared} from './compared.ts';
import {comparePane} from './compare-pane.ts';
import {pickedOf, type CompareState} from './compare-state.ts';
import {verdict, warnings} from './compare-verdict.ts';
import {drawJobEdit} from './job-edit.ts';

export type Comparison = {
	readonly offers: readonly Compared[];
	readonly job: Job;
	/** Time of the last answer with prices; undefined before the first. */
	readonly readAt: Date | undefined;
	readonly state: CompareState;
	readonly theme: Theme;
	readonly size: Size;
};

/** Title, rule, two lines of names, and at the foot a rule and the verdict. */
const LINES_AROUND = 6;
/** Costs of the job stay in view, with an empty line above them. */
const JOB_LINES = 3;
const PANE_WIDTH = 31;

/** Layout of the width: titles, as many columns as fit, and a pane beside them on wide screens. */
type Layout = {
	readonly titleWidth: number;
	readonly cellWidth: number;
	readonly columns: number;
	readonly tableWidth: number;
	readonly paneWidth: number;
};

function layoutOf({columns: width}: Size): Layout {
	const isWide = width >= 120;
	const paneWidth = isWide ? PANE_WIDTH : 0;
	const titleWidth = width < 66 ? 18 : isWide ? 28 : 23;
	const cellWidth = isWide ? 19 : width < 66 ? 15 : 17;
	const tableWidth = width - paneWidth;
	const columns = Math.max(1, Math.floor((tableWidth - titleWidth) / cellWidth));
	return {titleWidth, cellWidth, columns, tableWidth, paneWidth};
}

/** Lines under the heads of the columns: titles of groups, and rows. */
type BodyLine = {readonly heading: string} | CompareRow;

/** The rows that scroll, and how many of their lines do not fit. */
export function bodyOf({offers, job, state, size}: Omit<Comparison, 'theme' | 'readAt'>) {
	const room = Math.max(1, size.rows - LINES_AROUND - JOB_LINES);
	const rows = compareRows(offers, job);
	const shown = rows.filter(({differs}) => differs || !state.isOnlyDifferences);
	const body = shown.filter(({group}) => group !== 'JOB');
	const withHeadings = body.flatMap((row, at): readonly BodyLine[] =>
		row.group === body[at - 1]?.group ? [row] : [{heading: row.group}, row],
	);
	const ranked = body.toSorted((a, b) => Number(a.isDetail) - Number(b.isDetail));
	const lines = withHeadings.length <= room ? withHeadings : ranked;
	const costs = rows.filter(({group}) => group === 'JOB');
	return {lines, costs, room, hidden: Math.max(0, lines.length - room)};
}

/** The whole screen of a comparison, as many lines as it is high. */
export function compareLines(comparison: Comparison): readonly string[] {
	const {offers, readAt, state, theme, size} = comparison;
	const layout = layoutOf(size);
	const window = windowOf(comparison, layout);
	const {lines, costs, room, hidden} = bodyOf(comparison);
	const top = Math.min(state.top, hidden);
	const part = hidden === 0 ? '' : `${top + room} of ${lines.length} rows`;
	const age = readAt === undefined ? '' : `prices of ${timeOfDay(readAt)}`;
	const under = [part, age].filter(text => text !== '').join(' | ');
	const write = (line: BodyLine) => bodyLine(line, window, layout, theme);
	const inView = lines.slice(top, top + room).map(write);
	const notes = warnings(offers, comparison.job).map(note => fit(` ${note}`, layout.tableWidth));
	const table = [
		...headLines(comparison, window, layout),
		...fill([...inView, ...withNotes(notes, room - inView.length, theme)], room),
		'',
		...costs.map(write),
	];
	return [
		titleLine(comparison, window),
		ruleLine(theme, size.columns),
		...beside(table, comparePane(comparison, layout.paneWidth - 2, table.length), layout),
		ruleLine(theme, size.columns, state.edit?.problem ?? under),
		footLine(comparison),
	];
}

/** Columns in view, the picked one among them. */
function windowOf({offers, state}: Comparison, {columns}: Layout): {from: number; to: number} {
	const picked = pickedOf(state, idsOf(offers));
	const from = Math.max(0, Math.min(picked - Math.floor(columns / 2), offers.length - columns));
	return {from, to: Math.min(from + columns, offers.length)};
}

function idsOf(offers: readonly Compared[]): readonly number[] {
	return offers.map(({offer}) => offer.id);
}

type Window = ReturnType<typeof windowOf>;

function titleLine({offers, state, size}: Comparison, {from, to}: Window): string {
	const part = to - from < offers.length ? `, ${from + 1}-${to} shown` : '';
	const hides = state.isOnlyDifferences ? 'only differences' : '* differs';
	return spread(
		size.columns,
		`Offers > compare ${offers.length}${part}`,
		`${hides}   <best in row>`,
	);
}

function headLines({offers, state, theme}: Comparison, {from, to}: Window, layout: Layout) {
	const shown = offers.slice(from, to);
	const picked = pickedOf(state, idsOf(offers)) - from;
	const ids = shown.map(({offer, turn}, at) => {
		const isPicked = at === picked;
		const head = `${isPicked ? theme.glyphs.cursor : ' '}${offer.id} ${turnInWords(turn)}`;
		const id = fit(head, layout.cellWidth - 1);
		return `${isPicked ? theme.style('chosen', id) : theme.style('heading', id)} `;
	});
	const names = shown.map(({offer, isGone}) => {
		const name = ` ${known(String)(offer.num_gpus)}x ${known(printable)(offer.gpu_name)}`;
		const written = fit(isGone ? ' GONE' : name, layout.cellWidth - 1);
		return `${isGone ? theme.style('danger', written) : written} `;
	});
	const margin = ' '.repeat(layout.titleWidth);
	return [margin + ids.join(''), margin + names.join('')];
}

/** Rank in the fallback order: "2nd", "out". */
function turnInWords(turn: number | undefined): string {
	if (turn === undefined) return 'out';
	return ['1st', '2nd', '3rd'][turn - 1] ?? `${turn}th`;
}

function bodyLine(line: BodyLine, {from, to}: Window, layout: Layout, theme: Theme): string {
	if ('heading' in line) return theme.style('heading', line.heading);
	const title = fit(`${line.differs ? '*' : ' '} ${line.title}`, layout.titleWidth);
	return (
		title +
		line.cells
			.slice(from, to)
			.map(cell => writeCell(cell, layout, theme))
			.join('')
	);
}

function writeCell({text, isBest}: CompareCell, {cellWidth}: Layout, theme: Theme): string {
	if (!isBest) return fit(` ${text}`, cellWidth);
	// The sign that it is the best is never what is cut off.
	const inside = printable(text).slice(0, cellWidth - 3);
	return theme.style('good', fit(`<${inside}>`, cellWidth));
}

/** Remarks under the rows, where there is room for them. */
function withNotes(notes: readonly string[], room: number, theme: Theme): readonly string[] {
	if (notes.length === 0 || room < notes.length + 2) return [];
	return ['', theme.style('heading', 'WHAT IS EASILY OVERLOOKED'), ...notes];
}

function footLine({offers, job, state, theme, size}: Comparison): string {
	if (state.edit !== undefined)
		return pad(drawJobEdit(theme, state.edit, size.columns), size.columns);
	return fit(verdict(offers, job), size.columns);
}

/** The lines of the table with those of the pane at their right. */
function beside(table: readonly string[], pane: readonly string[], layout: Layout) {
	if (layout.paneWidth === 0) return table;
	return table.map((line, at) => `${pad(line, layout.tableWidth)}| ${pane[at] ?? ''}`);
}

function fill(lines: readonly string[], height: number): readonly string[] {
	return Array.from({length: height}, (_, at) => lines[at] ?? '');
}

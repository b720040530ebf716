import {spread, pad} from '../../ui/chrome.ts';
import {paneLine, ruleLine, withJoints} from '../../ui/rules.ts';
import {count, money, plainNumber, known, timeOfDay} from '../../../renter/text/format.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {type Compared, compareRows, type CompareCell, type CompareRow} from './compare.ts';
import type {Job} from '../../../contract/nouns/offer-cost.ts';
import type {Theme} from '../../ui/theme.ts';
import type {Size} from '../../terminal/terminal.ts';
import {lyingBar} from '../../ui/graph.ts';
import {inHeight} from '../../ui/panes.ts';
import {costOfJob, drawJobEdit, pickedOf, type CompareState} from './compare-state.ts';
import {verdict, comparisonWarnings} from './compare-verdict.ts';

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

/** The scrolling rows, and the count of their lines that do not fit. */
export function layOutComparison({offers, job, state, size}: Omit<Comparison, 'theme' | 'readAt'>) {
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
	const {lines, costs, room, hidden} = layOutComparison(comparison);
	const top = Math.min(state.top, hidden);
	const part = hidden === 0 ? '' : `${top + room} of ${lines.length} rows`;
	const age = readAt === undefined ? '' : `prices of ${timeOfDay(readAt)}`;
	const under = [part, age].filter(text => text !== '').join(' · ');
	const write = (line: BodyLine) => bodyLine(line, window, layout, theme);
	const inView = lines.slice(top, top + room).map(write);
	const notes = comparisonWarnings(offers, comparison.job).map(note =>
		fit(` ${note}`, layout.tableWidth),
	);
	const table = [
		...headLines(comparison, window, layout),
		...inHeight([...inView, ...withNotes(notes, room - inView.length, theme)], room),
		'',
		...costs.map(write),
	];
	return [
		titleLine(comparison, window),
		...withJoints(theme, [
			ruleLine(theme, size.columns),
			...beside(table, comparePane(comparison, layout.paneWidth - 2, table.length), layout, theme),
			ruleLine(theme, size.columns, state.edit?.problem ?? under),
		]),
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
	// The mark of the best value is never cut off.
	const inside = printable(text).slice(0, cellWidth - 3);
	return theme.style('good', fit(`<${inside}>`, cellWidth));
}

/** Remarks under the rows, if they fit. */
function withNotes(notes: readonly string[], room: number, theme: Theme): readonly string[] {
	if (notes.length === 0 || room < notes.length + 2) return [];
	return ['', theme.style('heading', 'WHAT IS EASILY OVERLOOKED'), ...notes];
}

function footLine({offers, job, state, theme, size}: Comparison): string {
	if (state.edit !== undefined)
		return pad(drawJobEdit(theme, state.edit, size.columns), size.columns);
	return fit(verdict(offers, job), size.columns);
}

function beside(
	table: readonly string[],
	pane: readonly string[],
	layout: Layout,
	theme: Theme,
): readonly string[] {
	if (layout.paneWidth === 0) return table;
	return table.map((line, at) => pad(line, layout.tableWidth) + paneLine(theme, pane[at] ?? ''));
}

/** Longest bar of use. */
const LONGEST_BAR = 12;

type Shown = {readonly offers: readonly Compared[]; readonly job: Job; readonly theme: Theme};

/** The lines of the pane, none longer than its width. */
function comparePane(
	{offers, job, theme}: Shown,
	width: number,
	height: number,
): readonly string[] {
	const ranked = offers.toSorted((a, b) => costOfJob(a) - costOfJob(b));
	const heading = (title: string) => theme.style('heading', fit(title, width));
	const lines = [
		heading('COST FOR YOUR JOB'),
		fit(` hours   ${plainNumber(job.hours)}     (Tab edits)`, width),
		fit(` disk    ${plainNumber(job.diskGb)} GB`, width),
		fit(` in      ${job.inGbPerHour} GB/h`, width),
		fit(` out     ${job.outGbPerHour} GB/h`, width),
		'',
		...ranked.map((compared, at) => costLine(compared, at === 0, width)),
		'',
		heading('RELATIVE SPEED'),
		...speedLines(offers, width),
		'',
		heading('FALLBACK ORDER'),
		...turnLines(offers, width),
	];
	return lines.slice(0, height);
}

function costLine({offer, cost}: Compared, isCheapest: boolean, width: number): string {
	const sign = isCheapest && cost.job !== undefined ? ' <' : '  ';
	return spread(width - 4, ` ${offer.id}`, `${money(cost.job)}${sign}`);
}

/** Fallback order, two offers on a line; those that are left out come last. */
function turnLines(offers: readonly Compared[], width: number): readonly string[] {
	const words = offers
		.toSorted((a, b) => (a.turn ?? Infinity) - (b.turn ?? Infinity))
		.map(({offer, turn}) => `${turn ?? '-'} ${offer.id}`);
	return Array.from({length: Math.ceil(words.length / 2)}, (_, at) =>
		fit(` ${words.slice(at * 2, at * 2 + 2).join('  ')}`, width),
	);
}

/** A bar for each offer whose speed is known, the fastest first; the fastest bar is the longest. */
function speedLines(offers: readonly Compared[], width: number): readonly string[] {
	const speeds = offers
		.flatMap(({offer: {id, dlperf}}) => (typeof dlperf === 'number' ? [{id, dlperf}] : []))
		.toSorted((a, b) => b.dlperf - a.dlperf);
	const fastest = speeds[0]?.dlperf ?? 0;
	if (fastest <= 0) return [fit(' not sent by this server', width)];
	const names = Math.max(...speeds.map(({id}) => String(id).length));
	return speeds.map(({id, dlperf}) => {
		const bar = lyingBar(dlperf / fastest, LONGEST_BAR);
		const left = ` ${String(id).padStart(names)} ${bar.padEnd(LONGEST_BAR)}`;
		return fit(`${left} ${count(dlperf).padStart(5)}`, width);
	});
}

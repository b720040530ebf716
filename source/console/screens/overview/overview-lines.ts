/** The fleet at a glance: its parts as lines, for small screens, usual ones and wide ones. */
import {timeOfDay} from '../../../renter/text/format.ts';
import {fit, fitMiddle} from '../../../renter/text/text-width.ts';
import type {FleetEvent} from '../../../renter/fleet/fleet-state.ts';
import {inHeight} from '../../ui/panes.ts';
import type {Size} from '../../terminal/terminal.ts';
import {endAxis, endLines} from './end-lines.ts';
import {largeLines} from './large-lines.ts';
import {overviewMoneyLines} from './money-lines.ts';
import {smallLines} from './small-lines.ts';
import {
	cursorLineIndex,
	type OverviewRow,
	type OverviewState,
	type OverviewData,
} from './overview-state.ts';
import {
	BETWEEN,
	counted,
	halves,
	linesIn,
	noteOfUse,
	partLines,
	sharedRows,
	spanName,
	title,
	WHO,
	type OverviewPage,
	type Paper,
} from './page.ts';
import {troubleLines, wasteText} from './trouble-lines.ts';
import {linesOfUse} from './use-lines.ts';
import {
	burnPart,
	changesPart,
	CHART_ROWS,
	DAY_ROWS,
	daysPart,
	overviewFootLines,
} from './wide-parts.ts';

/** Fewer rows show figures in large signs alone. */
const SMALL_ROWS = 16;
const WIDE_COLUMNS = 120;
const WIDE_ROWS = 32;
/** Least size for large signs, curves of runs, and watched prices. */
const LARGE_COLUMNS = 160;
const LARGE_ROWS = 50;

export const isWideOverview = ({columns, rows}: Size) =>
	columns >= WIDE_COLUMNS && rows >= WIDE_ROWS;
const isLarge = ({columns, rows}: Size) => columns >= LARGE_COLUMNS && rows >= LARGE_ROWS;
const isSmall = ({rows, columns}: Size) => rows < SMALL_ROWS || columns < 72;

/** Lines that the cursor can be on, in the order of the parts. */
export function cursorLines(
	data: OverviewData,
	state: OverviewState,
	size: Size,
): readonly OverviewRow[] {
	const wide = isWideOverview(size);
	return [
		...troubleLines(data),
		...(isSmall(size) ? endLines(data).slice(0, 1) : endLines(data)),
		...(isSmall(size) ? [] : linesOfUse(data, state)),
		...overviewMoneyLines(data, wide ? 2 : 1),
		...(wide ? changeLines(data.fleet.events) : []),
	];
}

export function overviewLines(
	state: OverviewState,
	data: OverviewData,
	paper: Paper,
): readonly string[] {
	const {size} = paper;
	if (isSmall(size)) return inHeight(smallLines(data, paper), size.rows);
	const lines = cursorLines(data, state, size);
	const chosen = lines[cursorLineIndex(lines, state)];
	const page = {state, data, paper, chosen, of: Map.groupBy(lines, ({part}) => part)};
	const draw = isLarge(size) ? largeLines : isWideOverview(size) ? wideLines : usualLines;
	return inHeight(draw(page), size.rows);
}

function usualLines(page: OverviewPage): readonly string[] {
	const {paper, data, state} = page;
	const {columns: width, rows} = paper.size;
	const wanted = (['TROUBLE', 'ENDS', 'USE'] as const).map(part => linesIn(page, part).length);
	const [troubles = 0, ends = 0, use = 0] = wanted;
	const quiet = troubles === 0 ? [paper.theme.style('good', ' all well')] : [];
	// Three titles, the hours, and the line of money.
	const [troubleRows = 0, endRows = 0, useRows = 0] = sharedRows(wanted, rows - 5 - quiet.length);
	const body = [
		title(paper, width, counted('TROUBLE', troubles, troubleRows), '! next   A alerts'),
		...quiet,
		...partLines(page, 'TROUBLE', {rows: troubleRows, width}),
		title(paper, width, `${counted('ENDS', ends, endRows)}, next 24 h`, WHO),
		...partLines(page, 'ENDS', {rows: endRows, width}),
		paper.theme.style('quiet', endAxis(data.now, width - 1)),
		title(paper, width, `USE, ${spanName(state)}`, noteOfUse(use, useRows)),
		...partLines(page, 'USE', {rows: useRows, width}),
	];
	return [...inHeight(body, rows - 1), ...partLines(page, 'MONEY', {rows: 1, width})];
}

function wideLines(page: OverviewPage): readonly string[] {
	const {paper, data, state} = page;
	const {columns, rows} = paper.size;
	const left = Math.floor((columns - BETWEEN) / 2) + 3;
	const right = columns - left - BETWEEN;
	const side = {leftWidth: left, height: CHART_ROWS + 3};
	const wanted = (['ENDS', 'USE'] as const).map(part => linesIn(page, part).length);
	const below = rows - side.height - (DAY_ROWS + 2) - 3 - 2;
	const [endRows = 0, useRows = 0] = sharedRows(wanted, Math.max(2, below));
	const [ends = 0, use = 0] = wanted;
	const body = [
		...halves(burnPart(page, left), topRight(page, right), side),
		title(paper, columns, `${counted('ENDS', ends, endRows)}, next 24 h`, WHO),
		...partLines(page, 'ENDS', {rows: endRows, width: columns}),
		paper.theme.style('quiet', endAxis(data.now, columns - 1)),
		title(paper, columns, `USE, ${spanName(state)}`, noteOfUse(use, useRows)),
		...partLines(page, 'USE', {rows: useRows, width: columns}),
		...halves(daysPart(page, left), changesPart(page, right), {...side, height: DAY_ROWS + 2}),
	];
	const foot = overviewFootLines(page);
	return [...inHeight(body, rows - foot.length), ...foot];
}

function topRight(page: OverviewPage, width: number): readonly string[] {
	const {paper, data} = page;
	const all = linesIn(page, 'TROUBLE').length;
	const rows = CHART_ROWS - 2;
	const lines = partLines(page, 'TROUBLE', {rows: Math.min(rows, all), width});
	const waste = wasteText(data);
	const shown = all === 0 ? [paper.theme.style('good', ' all well')] : lines;
	const said = waste === '' ? [] : [fit(` ${waste}`, width)];
	return [
		title(paper, width, counted('TROUBLE', all, lines.length), '! next   A alerts'),
		...inHeight([...shown, ...said], rows + 1),
		title(paper, width, 'MONEY'),
		...partLines(page, 'MONEY', {rows: 2, width}),
	];
}

function changeLines(events: readonly FleetEvent[]): readonly OverviewRow[] {
	return events.slice(0, DAY_ROWS).map(({at, id, label, from, to}) => ({
		part: 'LAST CHANGES',
		key: `change ${at} ${id}`,
		goes: {name: 'instance', id},
		write: width => {
			const change = from === undefined ? to : `${from} > ${to}`;
			const name = fit(fitMiddle(label || String(id), 14), 14);
			return fit(`${timeOfDay(new Date(at))} ${name} ${change}`, width);
		},
	}));
}

/** The overview on the largest screens: everything in two columns, with curves of runs and watched prices. */
import {duration, priceTag} from '../../../renter/text/format.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {WatchState} from '../../../renter/offers/watches.ts';
import {bar} from '../../ui/graph.ts';
import {inHeight} from '../../ui/panes.ts';
import type {Meaning, Theme} from '../../ui/theme.ts';
import {lossChart} from '../instances/learning/learning-lines.ts';
import {endAxis} from './end-lines.ts';
import type {OverviewData, WatchedPrice} from './overview-state.ts';
import {
	BETWEEN,
	counted,
	halves,
	linesIn,
	noteOfUse,
	partLines,
	spanName,
	title,
	WHO,
	type OverviewPage,
} from './page.ts';
import {shortName, wasteText} from './trouble-lines.ts';
import {runningRows} from './use-lines.ts';
import {
	burnPart,
	changesPart,
	CHART_ROWS,
	DAY_ROWS,
	daysPart,
	overviewFootLines,
	largeFigures,
} from './wide-parts.ts';

/** Rows of a curve with its title and its axis. */
const CURVE_ROWS = CHART_ROWS + 3;

export function largeLines(page: OverviewPage): readonly string[] {
	const {paper, data} = page;
	const {columns, rows} = paper.size;
	const left = Math.floor((columns - BETWEEN) / 2);
	const right = columns - left - BETWEEN;
	const figures = largeFigures(page);
	const foot = overviewFootLines(page);
	const fixed = figures.length + 3 + 2 * CURVE_ROWS + DAY_ROWS + 2 + foot.length;
	const height = Math.max(4, rows - fixed);
	const [first = daysPart(page, left), second = daysPart(page, right)] = runParts(data)
		.slice(0, 2)
		.map((part, at) => partOf(page, part, {width: at === 0 ? left : right, height: CURVE_ROWS}));
	const body = [
		...figures,
		...partLines(page, 'MONEY', {rows: 2, width: columns}),
		'',
		...halves(troublePart(page, {width: left, height: CURVE_ROWS}), burnPart(page, right), {
			leftWidth: left,
			height: CURVE_ROWS,
		}),
		...halves(endsPart(page, {width: left, height}), partOfUse(page, {width: right, height}), {
			leftWidth: left,
			height,
		}),
		...halves(first, second, {leftWidth: left, height: CURVE_ROWS}),
		...halves(
			changesPart(page, left),
			partOf(page, watchPart(data), {width: right, height: DAY_ROWS + 2}),
			{leftWidth: left, height: DAY_ROWS + 2},
		),
	];
	return [...inHeight(body, rows - foot.length), ...foot];
}

type Frame = {readonly width: number; readonly height: number};

function partOf({paper}: OverviewPage, {name, note, lines}: LargePart, {width, height}: Frame) {
	const room = {theme: paper.theme, columns: width, rows: height - 1};
	return [title(paper, width, name, note), ...lines(room)];
}

function troublePart(page: OverviewPage, {width, height}: Frame): readonly string[] {
	const {paper, data} = page;
	const all = linesIn(page, 'TROUBLE').length;
	const lines = partLines(page, 'TROUBLE', {rows: Math.min(all, height - 2), width});
	const waste = wasteText(data);
	return [
		title(paper, width, counted('TROUBLE', all, lines.length), '! next   A alerts'),
		...(all === 0 ? [paper.theme.style('good', ' all well')] : lines),
		...(waste === '' ? [] : [fit(` ${waste}`, width)]),
	];
}

function endsPart(page: OverviewPage, {width, height}: Frame): readonly string[] {
	const {paper, data} = page;
	const all = linesIn(page, 'ENDS').length;
	const rows = Math.min(all, height - 2);
	return [
		title(paper, width, `${counted('ENDS', all, rows)}, next 24 h`, WHO),
		...partLines(page, 'ENDS', {rows, width}),
		paper.theme.style('quiet', endAxis(data.now, width - 1)),
	];
}

function partOfUse(page: OverviewPage, {width, height}: Frame): readonly string[] {
	const {paper, state} = page;
	const all = linesIn(page, 'USE').length;
	const rows = Math.min(all, height - 1);
	return [
		title(paper, width, `USE, ${spanName(state)}`, noteOfUse(all, rows)),
		...partLines(page, 'USE', {rows, width}),
	];
}

type Room = {readonly theme: Theme; readonly columns: number; readonly rows: number};

/** A part of the page: its title, a note at the right, and its lines for a size. */
type LargePart = {
	readonly name: string;
	readonly note: string;
	readonly lines: (room: Room) => readonly string[];
};

/** Fewer steps make no curve. */
const FEWEST_STEPS = 2;

/** Losses of the runs, the dearest instance first. */
function runParts({fleet, runs}: OverviewData): readonly LargePart[] {
	return runningRows(fleet.rows).flatMap(row => {
		const reading = runs.get(row.instance.id);
		if (reading === undefined || reading.training.steps.length < FEWEST_STEPS) return [];
		const {training, rest} = reading;
		const {step = 0, steps} = training;
		const loss = steps.at(-1)?.loss ?? Number.NaN;
		const left = rest === undefined ? '' : `, ETA ${duration(rest.seconds)}`;
		return {
			name: `${printable(shortName(row))}, loss`,
			note: `${Number(loss.toPrecision(3))} at step ${step}${left}`,
			lines: room => lossChart(reading, {theme: room.theme, size: room}),
		};
	});
}

/** Columns of a trend. */
const TREND = 28;
const WORDS = 17;

/** Watched prices: the cheapest, its comparison with the wanted price, and its trend. */
function watchPart({watched}: OverviewData): LargePart {
	return {
		name: 'PRICES WATCHED',
		note: 'all-in, by the hour',
		lines: ({theme, columns, rows}) =>
			watched.length === 0
				? [theme.style('quiet', fit(' none: m watches a price in 1 Offers', columns))]
				: watched.slice(0, rows).map(one => watchLine(one, {theme, columns})),
	};
}

function watchLine({watch, state}: WatchedPrice, {theme, columns}: Omit<Room, 'rows'>): string {
	const {words, below} = watch;
	const wanted = fit(printable(words) || 'any', WORDS);
	const start = ` ${wanted} <${fit(priceTag(below), 6)} cheapest ${fit(priceTag(state.cheapest), 6)}`;
	const {text, meaning} = besideWanted(state, below);
	const rest = columns - start.length - 2;
	const trend = rest > TREND + 22 ? trendText(state.trend) : '';
	const said = fit(text, Math.max(0, rest - trend.length));
	return `${start}  ${theme.style(meaning, said)}${trend}`;
}

function besideWanted(
	{cheapest, below: count, queryAt, problem}: WatchState,
	wanted: number,
): {readonly text: string; readonly meaning: Meaning} {
	if (problem !== undefined) return {text: printable(problem), meaning: 'warning'};
	if (count > 0) {
		const text = `CHEAP ENOUGH, ${count} ${count === 1 ? 'offer' : 'offers'}`;
		return {text, meaning: 'good'};
	}
	if (cheapest === undefined)
		return {text: queryAt === undefined ? 'not asked yet' : 'none is offered', meaning: 'quiet'};
	return {text: `${Math.ceil((100 * (cheapest - wanted)) / wanted)} % too dear`, meaning: 'plain'};
}

/** Bars between the least and the most of a trend, at the right. */
function trendText(trend: ReadonlyArray<number | undefined>): string {
	const known = trend.filter(price => price !== undefined);
	const [least, most] = [Math.min(...known), Math.max(...known)];
	const shares = trend.map(price =>
		price === undefined ? undefined : most === least ? 0.5 : (price - least) / (most - least),
	);
	return shares.slice(-TREND).map(bar).join('').padStart(TREND);
}

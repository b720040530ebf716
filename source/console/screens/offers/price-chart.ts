/** Price of a kind of GPU over time: the median of what was free, between its 10th and 90th percentile. */
import {bucketsIn, bucketStartOf, ticksIn, type Window} from '../../../renter/history/buckets.ts';
import {isoDay, priceTag} from '../../../renter/text/format.ts';
import {fit} from '../../../renter/text/text-width.ts';
import type {GpuPrice} from '../../queries/offers.ts';
import {
	axisBelow,
	besideAxis,
	curveLines,
	roundStep,
	shareOn,
	valueTicks,
	type Plot,
} from '../../ui/graph.ts';
import {logBounds, type ScaleKind} from '../../ui/log-scale.ts';
import {inHeight} from '../../ui/panes.ts';
import type {NumberTable} from '../../ui/number-table.ts';
import type {Theme} from '../../ui/theme.ts';
import type {Size} from '../../terminal/terminal.ts';
import {DAY_MS, HOUR_MS} from '../../../contract/rules/durations.ts';

/** Columns of the axis at the left, and of the names of the curves at the right. */
const LEFT = 7;
const RIGHT = 11;

/** Days up to now in buckets of whole hours, two a column. */
export function priceWindow(days: number, now: number, {columns}: Pick<Size, 'columns'>): Window {
	const count = 2 * Math.max(8, columns - LEFT - RIGHT);
	const step = Math.ceil((days * DAY_MS) / count / (2 * HOUR_MS)) * 2 * HOUR_MS;
	return {step, first: Math.floor(now / step) - count + 1, count, offsetMs: 0};
}

const names = ['p90', 'median', 'p10'] as const;

type Paper = {
	readonly theme: Theme;
	readonly columns: number;
	readonly rows: number;
	readonly scale: ScaleKind;
};

/** Curves over their axes, in the given number of lines, and two for the axis of time. */
export function priceChart(
	prices: readonly GpuPrice[],
	window: Window,
	{theme, columns, rows, scale}: Paper,
): readonly string[] {
	const means = names.map(name =>
		bucketsIn(
			window,
			prices.map(price => ({at: price.at, value: price[name]})),
		).map(bucket => bucket?.mean),
	);
	const known = means.flat().filter(value => value !== undefined);
	if (known.length === 0) return inHeight([' no price of a free one is kept yet'], rows + 2);
	const isLog = scale === 'log';
	const bounds = isLog ? logBounds(known) : scaleOf(known, rows);
	const plot = {...bounds, isLog, columns: columns - LEFT - RIGHT, rows};
	const curves = [means[1] ?? [], means[0] ?? [], means[2] ?? []].map((values, at) =>
		at === 0
			? ({values, meaning: 'curve', letter: 'a'} as const)
			: ({values, meaning: 'quiet', letter: at === 1 ? 'c' : 'b', dash: [1, 2]} as const),
	);
	const lines = curveLines(curves, plot, theme);
	const ends = endNames(
		names.map(name => prices.findLast(price => price[name] !== undefined)?.[name]),
		plot,
	);
	const ticks = [0, ...ticksIn(window, 5).slice(1, -1), window.count - 1].map(index => ({
		at: Math.floor(index / 2),
		text: day(bucketStartOf(window, index)),
	}));
	const {rule, texts} = axisBelow(plot.columns, ticks, {indent: LEFT, theme});
	const named = lines.map((line, row) => {
		const name = ends.get(row) ?? '';
		return line + (name.startsWith('<now') ? theme.style('strong', name) : name);
	});
	return [
		...besideAxis(named, valueTicks(plot, priceTag), {width: LEFT, theme}),
		rule,
		fit(texts, columns),
	];
}

export function priceNumbers(name: string, prices: readonly GpuPrice[]): NumberTable {
	return {
		title: `${name}: $ per GPU and hour of what was free`,
		heads: ['TIME (UTC)', ...names.map(one => one.toUpperCase())],
		rows: prices.map(price => [
			new Date(price.at).toISOString().slice(0, 16),
			...names.map(one => priceTag(price[one])),
		]),
	};
}

/** A scale of round prices around all of them. */
function scaleOf(
	prices: readonly number[],
	rows: number,
): {readonly low: number; readonly high: number} {
	const [least, most] = [Math.min(...prices), Math.max(...prices)];
	const step = roundStep((most - least || most * 0.2) / Math.max(1, Math.floor(rows / 3)));
	const half = step / 2;
	const low = Math.floor(least / half) * half;
	return {low, high: Math.max(low + step, Math.ceil(most / half) * half)};
}

/** The last price of each curve, at its row, and never two in one row. */
function endNames(
	[p90, now, p10]: ReadonlyArray<number | undefined>,
	plot: Pick<Plot, 'low' | 'high' | 'isLog' | 'rows'>,
): ReadonlyMap<number, string> {
	const {rows} = plot;
	const rowOf = (value: number) => rows - 1 - Math.round(shareOn(plot, value) * (rows - 1));
	const ends = new Map<number, string>();
	if (now === undefined) return ends;
	const middle = Math.max(1, Math.min(rowOf(now), rows - 2));
	ends.set(middle, `<now ${priceTag(now)}`);
	if (p90 !== undefined) ends.set(Math.min(middle - 1, rowOf(p90)), `<p90 ${priceTag(p90)}`);
	if (p10 !== undefined) ends.set(Math.max(middle + 1, rowOf(p10)), `<p10 ${priceTag(p10)}`);
	return ends;
}

/** Comparison of the present price with that of other days, and the days for which there is none. */
export function comparePricesInWords(prices: readonly GpuPrice[], window: Window): string {
	const shown = prices.filter(
		({at, median}) => at >= bucketStartOf(window, 0) && median !== undefined,
	);
	const now = shown.at(-1)?.median;
	if (now === undefined) return '';
	const days = [...Map.groupBy(shown, ({at}) => Math.floor(at / DAY_MS)).values()].slice(0, -1);
	const dearer = days.filter(one => (one.at(-1)?.median ?? 0) > now).length;
	const gaps = shown.flatMap(({at}, index) => {
		const before = shown[index - 1]?.at ?? at;
		return at - before > Math.max(2 * window.step, DAY_MS) ? [[before, at] as const] : [];
	});
	const [from, until] = gaps.at(-1) ?? [];
	const gap =
		from === undefined || until === undefined
			? ''
			: `; gap ${day(from)} to ${day(until)}: not known`;
	if (days.length === 0) return gap.slice(2);
	return `now is cheaper than on ${dearer} of ${days.length} days${gap}`;
}

function day(at: number): string {
	return isoDay(at / 1000).slice(5);
}

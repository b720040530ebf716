/** Money of the overview: sums, forecasts, and the cost an hour over the day. */
import {creditHours} from '../../../renter/instance/burn.ts';
import {costToCome, forecastOf} from '../../../renter/fleet/forecast.ts';
import {hoursText} from '../../../renter/fleet/fleet-texts.ts';
import {bucketsIn, indexOf, bucketStartOf, type Window} from '../../../renter/history/buckets.ts';
import {cents, count, money} from '../../../renter/text/format.ts';
import {fit, widthOf} from '../../../renter/text/text-width.ts';
import {
	axisBelow,
	besideAxis,
	curveLines,
	roundStep,
	valueTicks,
	type Curve,
} from '../../ui/graph.ts';
import type {Theme} from '../../ui/theme.ts';
import type {OverviewRow, OverviewData} from './overview-state.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../../contract/rules/durations.ts';

/** First moments of the next month, and the last day of this one, in UTC, as bills have them. */
function monthEnd(now: number): {readonly at: number; readonly name: string} {
	const date = new Date(now);
	const at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
	const last = new Date(at - 1);
	return {at, name: `${last.getUTCDate()} ${monthName(last)}`};
}

export function monthName(date: Date): string {
	const at = date.getUTCMonth() * 3;
	return 'JanFebMarAprMayJunJulAugSepOctNovDec'.slice(at, at + 3);
}

/** "+352", and "+3,360": dollars alone, where a forecast knows no cents. */
const more = (dollars: number) => `+${dollars < 10 ? money(dollars).slice(1) : count(dollars)}`;

/** Sums, and the forecast until the month ends; the second is empty if nothing costs. */
function moneyTexts({fleet, now}: OverviewData): readonly [sums: string, forecast: string] {
	const {spent, credit, burn, rows} = fleet;
	const hours = creditHours(credit, burn);
	const sums = [
		spent?.today !== undefined && `today ${cents(spent.today)}`,
		spent?.month !== undefined && `month ${cents(spent.month)}`,
		credit !== undefined &&
			`credit ${cents(credit)}${hours === undefined ? '' : ` = ${hoursText(hours)}`}`,
	];
	const end = monthEnd(now);
	const {byLeases, ifNothingEnds} = forecastOf(rows, end.at - now);
	const {least, most} = byLeases;
	const leases = more(least) === more(most) ? more(most) : `${more(least)} to ${more(most)}`;
	const forecast =
		burn.atMost === 0
			? ''
			: `to ${end.name}: by leases ${leases}, if nothing ends ${more(ifNothingEnds)}`;
	return [sums.filter(Boolean).join('   '), forecast];
}

/** One line if there is little space, else two. */
export function overviewMoneyLines(data: OverviewData, lines: 1 | 2): readonly OverviewRow[] {
	const [sums, forecast] = moneyTexts(data);
	const [, leases = ''] = /^(to .*?), if/.exec(forecast) ?? [];
	const brief = [...sums.split('   '), leases.replace(': by leases', '')];
	const texts = lines === 1 ? [brief] : [[sums], [forecast]];
	return texts
		.filter(parts => parts.join('') !== '')
		.map((parts, at) => ({
			part: 'MONEY',
			key: `money ${at}`,
			goes: {name: 'account'},
			write: (width, theme) => theme.style('money', fitting(parts, width)),
		}));
}

/** As many parts as fit: a sum that is cut is another sum. */
function fitting(parts: readonly string[], width: number): string {
	let text = '';
	for (const part of parts) {
		const longer = text === '' ? part : `${text}  ${part}`;
		if (widthOf(longer) <= width) text = longer;
	}
	return fit(text, width);
}

/** Columns of the axis of dollars. */
const AXIS = 6;

/** Today in UTC: what it cost an hour, at most above it, and behind now what the leases leave. */
export function burnChart(
	data: OverviewData,
	{theme, columns, rows}: {readonly theme: Theme; readonly columns: number; readonly rows: number},
): readonly string[] {
	const {history, fleet, now} = data;
	const window = dayWindow(now, columns - AXIS);
	const present = indexOf(window, now);
	const all = [...history.burn, {at: now, now: fleet.burn.now, atMost: fleet.burn.atMost}];
	const means = (of: 'now' | 'atMost') =>
		bucketsIn(
			window,
			all.map(sample => ({at: sample.at, value: sample[of]})),
		).map(bucket => bucket?.mean);
	const [certain, most] = [means('now'), means('atMost')];
	const coming = comingRates(data, window);
	const dots = most.map((value, index) => (index > present ? coming[index] : value));
	const known = [...certain, ...dots].filter(value => value !== undefined);
	const top = Math.max(0.01, ...known);
	const step = roundStep(top / Math.max(2, Math.floor(rows / 3)));
	const plot = {columns: window.count / 2, rows, low: 0, high: Math.ceil(top / step) * step};
	const curves: readonly Curve[] = [
		{values: certain, meaning: 'curve', letter: 'a', isFilled: true},
		{values: dots, meaning: 'quiet', letter: '.', dash: [1, 2]},
	];
	const lines = curveLines(curves, plot, theme);
	const write = (value: number) => (step < 1 ? `$${value.toFixed(2)}` : `$${count(value)}`);
	const {rule, texts} = axisBelow(plot.columns, dayTicks(window, present), {indent: AXIS, theme});
	return [...besideAxis(lines, valueTicks(plot, write), {width: AXIS, theme}), rule, texts];
}

/** A day of UTC in buckets of round minutes, two to a column, as many as fit. */
function dayWindow(now: number, columns: number): Window {
	const minutes =
		[6, 8, 10, 12, 15, 20, 30, 60].find(length => 1440 / length <= columns * 2) ?? 120;
	const step = minutes * MINUTE_MS;
	const buckets = DAY_MS / step;
	return {step, first: Math.floor(now / DAY_MS) * buckets, count: buckets, offsetMs: 0};
}

/** The most that an hour may cost in each bucket to come, as leases leave it. */
function comingRates(
	{fleet: {rows}, now}: OverviewData,
	window: Window,
): ReadonlyArray<number | undefined> {
	const upTo = (at: number) =>
		rows.reduce((sum, row) => sum + costToCome(row, Math.max(0, at - now)).most, 0);
	return Array.from({length: window.count}, (_, index) => {
		const from = bucketStartOf(window, index);
		if (from < now) return undefined;
		return ((upTo(from + window.step) - upTo(from)) * HOUR_MS) / window.step;
	});
}

/** Each sixth hour, and now where it is not beside one. */
function dayTicks({count: buckets}: Window, present: number) {
	const hours = [0, 6, 12, 18, 24].map(hour => ({
		at: Math.min(buckets / 2 - 1, Math.floor((hour * buckets) / 48)),
		text: `${String(hour).padStart(2, '0')}:00`,
	}));
	const now = {at: Math.floor(present / 2), text: 'now'};
	const others = hours.filter(({at}, index) => index === 0 || Math.abs(at - now.at) > 5);
	return [...others, now].toSorted((a, b) => a.at - b.at);
}

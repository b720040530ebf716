/** Page of spending as lines: sums, the days of the month, and two forecasts. */
import {creditHours} from '../../../renter/instance/burn.ts';
import {costToCome, forecastOf} from '../../../renter/fleet/forecast.ts';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import {hoursText} from '../../../renter/fleet/fleet-texts.ts';
import {cents, count, hourly, MISSING, money} from '../../../renter/text/format.ts';
import {fit} from '../../../renter/text/text-width.ts';
import type {Account} from '../../../contract/nouns/account.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {barRows, lyingBar, shareOn} from '../../ui/graph.ts';
import {logBounds, type ScaleKind} from '../../ui/log-scale.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine, withJoints} from '../../ui/rules.ts';
import {inHeight} from '../../ui/panes.ts';
import type {NumberTable} from '../../ui/number-table.ts';
import type {Theme} from '../../ui/theme.ts';
import type {Size} from '../../terminal/terminal.ts';
import {noteRule} from '../../list/lines.ts';
import {unreadNotes} from '../../list/unreadable.ts';
import type {Charges} from '../../queries/account.ts';
import {
	dayText,
	spendingGroupings,
	perDay,
	sumsOf,
	totalOf,
	type SpendingGrouping,
} from './spending.ts';
import {DAY_MS, HOUR_MS} from '../../../contract/rules/durations.ts';

export type SpendingPage = {
	readonly charges: Charges | undefined;
	readonly fleet: FleetState;
	/** Undefined if it is not known. */
	readonly account: Pick<Account, 'balance' | 'credit'> | undefined;
	readonly by: SpendingGrouping;
	/** The day that is read; undefined for the whole month. */
	readonly day: number | undefined;
	readonly scale: ScaleKind;
	/** Dollars a month; undefined without a budget. */
	readonly budget: number | undefined;
	readonly list: readonly string[];
	readonly trouble: string;
	/** Milliseconds since 1970. */
	readonly now: number;
	readonly theme: Theme;
	readonly size: Size;
};

const CHART_ROWS = 4;
const SMALL_ROWS = 16;
const LARGE_ROWS = 32;
const FORECAST_ROWS = 4;

type Heights = {readonly list: number; readonly chart: number; readonly more: number};

/** Lines of the table with its titles, of the chart, and of further tables. */
export function heightsIn({rows}: Size): Heights {
	const chart = rows < SMALL_ROWS ? 0 : rows < LARGE_ROWS ? CHART_ROWS : CHART_ROWS * 2;
	const more = rows < LARGE_ROWS ? 0 : 6;
	// Title, rule, the chart's rule and axes, the forecast, and a line for the budget or for trouble.
	const others = 2 + (chart === 0 ? 0 : chart + 2) + more + FORECAST_ROWS + 1;
	return {chart, more, list: Math.max(2, rows - others)};
}

export function spendingLines(page: SpendingPage): readonly string[] {
	const {charges, theme, size, list} = page;
	const {columns, rows} = size;
	const heights = heightsIn(size);
	const lines = [
		headLine(page),
		sumRule(page),
		...inHeight(list, heights.list),
		...(heights.chart === 0 ? [] : chartLines(page, heights.chart)),
		...(heights.more === 0 ? [] : moreTables(page, heights.more)),
		ruleLine(theme, columns, `to ${monthEndName(charges, page.now)}`),
		...forecastLines(page),
		page.trouble === '' ? budgetLine(page) : fit(page.trouble, columns),
	];
	return withJoints(theme, inHeight(lines, rows));
}

function headLine({by, charges, theme, size}: SpendingPage): string {
	const isNarrow = size.columns < 72;
	const names = spendingGroupings.map(name => {
		const text = isNarrow ? name : `by ${name}`;
		return name === by ? `[${text}]` : text;
	});
	const span = charges === undefined ? '' : spanText(charges);
	const left = ['SPENDING', ...names].join(isNarrow ? ' ' : '  ');
	return theme.style('heading', spread(size.columns, left, span));
}

/** "1 to 23 Nov, UTC". */
function spanText({first, today}: Charges): string {
	const [from, to] = [first, today].map(day => new Date(day * DAY_MS));
	return from === undefined || to === undefined
		? ''
		: `${from.getUTCDate()} to ${to.getUTCDate()} ${monthName(to)}, UTC`;
}

function monthName(date: Date): string {
	const at = date.getUTCMonth() * 3;
	return 'JanFebMarAprMayJunJulAugSepOctNovDec'.slice(at, at + 3);
}

function sumRule({charges, day, theme, size}: SpendingPage): string {
	const list = charges?.list ?? [];
	const shown = day === undefined ? list : list.filter(one => one.day === day);
	const unreadable = charges?.unreadable ?? noneUnreadable;
	const isPart = charges?.isCut === true || unreadable.count > 0;
	const when = day === undefined ? '' : `${dayText(day)}: `;
	const sum = `${when}${cents(totalOf(shown))}${isPart ? ' or more' : ''}`;
	return noteRule(theme, size.columns, {
		notes: unreadNotes(unreadable),
		last: charges === undefined ? 'asking what was charged' : sum,
	});
}

/** A column for each day of the month: what was charged, and what is to come at most. */
function chartLines(page: SpendingPage, rows: number): readonly string[] {
	const {charges, theme, size, day} = page;
	if (charges === undefined) return inHeight([' asking what was charged'], rows + 2);
	const known = perDay(charges);
	const coming = comingDays(page, charges);
	const most = Math.max(...known, ...coming, 0);
	const width = size.columns >= 120 ? 3 : 1;
	const isLog = page.scale === 'log';
	const {low, high} = isLog ? logBounds([...known, ...coming]) : {low: 0, high: most || 1};
	const share = (dollars: number) => (dollars > 0 ? shareOn({low, high, isLog}, dollars) : 0);
	const past = barRows(known.map(share), rows, width);
	const next = barRows(coming.map(share), rows, width).map(line => line.replaceAll(/[▁-█]/g, '▒'));
	const days = charges.last - charges.first + 1;
	const numbers = Array.from({length: days}, (_, at) => {
		const isNamed = at % 5 === 0 || at === days - 1;
		const text = isNamed && (days - 1 - at >= 2 || at === days - 1) ? String(at + 1) : '';
		return text.padStart(width).padStart(width + 1);
	});
	const mark = day === undefined ? undefined : day - charges.first;
	const ends = isLog ? [money(high), money(low)] : [money(most), '0'];
	const ticks = [ends[0], ...Array.from({length: rows - 2}, () => ''), ends[1]];
	const title = `$ a day, ▒ to come by leases, at most${isLog ? ', log' : ''}`;
	return [
		ruleLine(theme, size.columns, title),
		...past.map((line, at) => {
			const later = theme.style('quiet', next[at] ?? '');
			const axis = theme.style('quiet', `${(ticks[at] ?? '').padStart(8)}┤`);
			return `${axis}${theme.style('curve', line)}${later}`;
		}),
		fit(
			`${' '.repeat(9)}${numbers.map((text, at) => (at === mark ? '^'.padStart(width + 1) : text)).join('')}`,
			size.columns,
		),
	];
}

export function dayNumbers(charges: Charges | undefined): NumberTable {
	const days = charges === undefined ? [] : perDay(charges);
	return {
		title: '$ charged a day',
		heads: ['DAY (UTC)', 'CHARGED'],
		rows: days.map((dollars, at) => [
			new Date(((charges?.first ?? 0) + at) * DAY_MS).toISOString().slice(0, 10),
			dollars.toFixed(4),
		]),
	};
}

/** Dollars at most of each day to come in this month, as leases leave them; none for earlier months. */
function comingDays({fleet: {rows}, now}: SpendingPage, {today, last}: Charges): readonly number[] {
	const upTo = (day: number) =>
		rows.reduce((sum, row) => sum + costToCome(row, Math.max(0, day * DAY_MS - now)).most, 0);
	return Array.from({length: last - today}, (_, at) => {
		const day = today + 1 + at;
		return day * DAY_MS < now ? 0 : upTo(day + 1) - upTo(day);
	});
}

/** The same charges by GPU and by week, side by side. */
function moreTables({charges, theme, size}: SpendingPage, rows: number): readonly string[] {
	const half = Math.floor((size.columns - 2) / 2);
	const table = (by: SpendingGrouping, title: string) => {
		const sums = sumsOf(charges?.list ?? [], by).slice(0, rows - 1);
		const bar = Math.max(4, half - 36);
		return [
			ruleLine(theme, half, title),
			...sums.map(
				({name, dollars, ofMost}) =>
					`  ${fit(name, 20)}${fit(money(dollars), 10, 'right')}  ` +
					theme.style('curve', fit(lyingBar(ofMost, bar), bar)),
			),
		];
	};
	const right = inHeight(table('week', 'by week'), rows);
	return inHeight(table('GPU', 'by GPU'), rows).map(
		(line, at) => `${line === '' ? ' '.repeat(half) : line}  ${right[at] ?? ''}`,
	);
}

function monthEnd(now: number): number {
	const date = new Date(now);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function monthEndName(charges: Charges | undefined, now: number): string {
	const last = new Date(monthEnd(now) - 1);
	const hours = Math.floor((monthEnd(now) - now) / HOUR_MS);
	const days = Math.floor(hours / 24);
	const left = `${days} ${days === 1 ? 'day' : 'days'} ${hours % 24} h to go`;
	return `${last.getUTCDate()} ${monthName(last)}, ${charges === undefined ? '' : left}`;
}

/** Two forecasts, always both: with the leases as they are, and if nothing ends; then the credit. */
function forecastLines(page: SpendingPage): readonly string[] {
	const {fleet, now, size, theme} = page;
	const {byLeases, ifNothingEnds, hours} = forecastOf(fleet.rows, monthEnd(now) - now);
	const spent = spentOf(page);
	const range = (write: (dollars: number) => string) => {
		const [least, most] = [write(byLeases.least), write(byLeases.most)];
		return least === most ? most : `${least} to ${most}`;
	};
	const whole = (dollars: number) => (spent === undefined ? MISSING : cents(spent + dollars));
	const isNarrow = size.columns < 72;
	const lines = isNarrow
		? [`  each lease ends it  ${range(whole)}`, `  nothing ends        ${whole(ifNothingEnds)}`]
		: [
				`  ${fit('if each lease ends it', 23)} ${fit(range(plus), 22)} = ${range(whole)}`,
				`  ${fit('if nothing ends', 23)} ${fit(plus(ifNothingEnds), 22)} = ${whole(ifNothingEnds)}, ${hourly(fleet.burn.now)} x ${count(hours)} h`,
			];
	return [...lines.map(line => theme.style('money', fit(line, size.columns))), creditLine(page)];
}

function budgetLine(page: SpendingPage): string {
	const {budget, fleet, now, size, theme} = page;
	const {columns} = size;
	if (budget === undefined)
		return theme.style('quiet', fit('  budget: none for a month; budgets.json sets one', columns));
	const known = `  budget ${cents(budget)}`;
	const spent = spentOf(page);
	if (spent === undefined) return fit(`${known}: what the month cost is not known`, columns);
	const {byLeases, ifNothingEnds} = forecastOf(fleet.rows, monthEnd(now) - now);
	const [least, most] = [byLeases.least, byLeases.most].map(dollars => budget - spent - dollars);
	const nothing = budget - spent - ifNothingEnds;
	const text =
		columns < 72
			? `${known}: ${roomText(most, least)}`
			: `${known}: ${roomText(most, least)} by leases, ${roomText(nothing)} if nothing ends`;
	const meaning = (least ?? 0) < 0 ? 'danger' : (most ?? 0) < 0 ? 'warning' : 'plain';
	return theme.style(meaning, fit(text, columns));
}

const sideOf = (room: number) => (room < 0 ? 'over' : 'under');
const sumOf = (room: number) => cents(Math.abs(room));

/** "$30.89 under", "$12.10 over", "$12.10 over to $30.89 under". */
function roomText(least = 0, most = least): string {
	if (sumOf(least) === sumOf(most)) return `${sumOf(most)} ${sideOf(most)}`;
	const first = sideOf(least) === sideOf(most) ? sumOf(least) : `${sumOf(least)} ${sideOf(least)}`;
	return `${first} to ${sumOf(most)} ${sideOf(most)}`;
}

function spentOf({fleet, charges, now}: SpendingPage): number | undefined {
	const day = Math.floor(now / DAY_MS);
	const isPresent = charges !== undefined && charges.first <= day && day <= charges.last;
	return fleet.spent?.month ?? (isPresent ? totalOf(charges.list) : undefined);
}

const plus = (dollars: number) => `+${cents(dollars).slice(1)}`;

/** Time that the credit lasts; a warning where it may not cover the leases of this month. */
function creditLine({fleet, account, now, size, theme}: SpendingPage): string {
	const {burn, rows} = fleet;
	const credit = fleet.credit ?? account?.credit ?? undefined;
	const balance = account?.balance ?? undefined;
	const hours = creditHours(credit, burn);
	const known = `  credit ${money(credit)}`;
	if (hours === undefined || !Number.isFinite(hours.least)) {
		const ledger = balance === undefined ? '' : `, balance ${money(balance)} by the ledger`;
		return fit(`${known}${ledger}`, size.columns);
	}
	const left = monthEnd(now) - now;
	const isShort = (credit ?? 0) < forecastOf(rows, left).byLeases.most;
	const text = `${known} lasts ${hoursText(hours)}; then what runs is stopped, disks cost on`;
	return theme.style(isShort ? 'warning' : 'plain', fit(text, size.columns));
}

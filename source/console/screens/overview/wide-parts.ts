/** Parts of the overview for wide screens: large signs, charts, and the last changes. */
import {hourly, money} from '../../../renter/text/format.ts';
import {fit} from '../../../renter/text/text-width.ts';
import {bigLines} from '../../ui/big-digits.ts';
import {pad} from '../../ui/chrome.ts';
import {barRows} from '../../ui/graph.ts';
import {burnChart, monthName} from './money-lines.ts';
import type {OverviewData} from './overview-state.ts';
import {partLines, title, type OverviewPage} from './page.ts';
import {troubleLines, wasteText} from './trouble-lines.ts';
import {DAY_MS} from '../../../contract/rules/durations.ts';

export const CHART_ROWS = 9;
export const DAY_ROWS = 5;

/** The cost, and the counts of what is in trouble, in signs that can be read from across a room. */
export function largeFigures({data, paper: {theme, size}}: OverviewPage): readonly string[] {
	const {burn, rows} = data.fleet;
	const left = Math.floor(size.columns / 2);
	const cost = bigLines([`${hourly(burn.now)}/h`, hourly(burn.now)], {width: left, dot: 3});
	const troubles = troubleLines(data).length;
	const count = bigLines([String(troubles)], {width: left, dot: 3});
	const running = bigLines([String(burn.groups.running.count)], {width: left, dot: 3});
	const meaning = troubles > 0 ? 'danger' : 'good';
	const all = rows.filter(({condition}) => condition !== 'gone').length;
	const names = `${'IN TROUBLE'.padEnd(30)}RUNNING of ${all}`;
	return [
		'',
		...cost.map((line, at) => {
			const counts = `${theme.style(meaning, fit(count[at] ?? '', 28))}  ${running[at] ?? ''}`;
			return ` ${theme.style('money', pad(line, left))} ${counts}`;
		}),
		`${' '.repeat(left + 2)}${names}`,
	];
}

export function burnPart({paper, data}: OverviewPage, width: number): readonly string[] {
	const {burn} = data.fleet;
	const most = burn.atMost > burn.now ? `, max ${hourly(burn.atMost).slice(1)}` : '';
	return [
		title(paper, width, 'BURN, today, UTC', `${hourly(burn.now)}/h now${most}`),
		...burnChart(data, {theme: paper.theme, columns: width, rows: CHART_ROWS}),
	];
}

/** Days whose numbers stand below their bars. */
const EACH_DAY = 5;

export function daysPart({paper, data: {days}}: OverviewPage, width: number): readonly string[] {
	const name = 'LAST DAYS, $ a day';
	if (days === undefined)
		return [
			title(paper, width, name),
			paper.theme.style('quiet', ' What was charged is not known.'),
		];
	const dates = days.dollars.map((_, at) => new Date((days.first + at) * DAY_MS));
	const [first, last] = [dates[0], dates.at(-1)].map(date => date && dayName(date));
	const most = Math.max(...days.dollars, 0);
	const shares = days.dollars.map(dollars => dollars / Math.max(most, Number.EPSILON));
	const axis = dates.map((date, at) =>
		at % EACH_DAY === 0 ? String(date.getUTCDate()).padEnd(2 * EACH_DAY) : '',
	);
	const ticks = [money(most), ...Array.from({length: DAY_ROWS - 3}, () => ''), '0'];
	return [
		title(paper, width, name, `${first ?? ''} to ${last ?? ''}, UTC`),
		...barRows(shares, DAY_ROWS - 1, 1).map(
			(line, at) =>
				paper.theme.style('quiet', `${(ticks[at] ?? '').padStart(9)} ┤`) +
				paper.theme.style('curve', line),
		),
		paper.theme.style('quiet', fit(`${' '.repeat(12)}${axis.join('')}`, width)),
	];
}

const dayName = (date: Date) => `${date.getUTCDate()} ${monthName(date)}`;

export function changesPart(page: OverviewPage, width: number): readonly string[] {
	return [
		title(page.paper, width, 'LAST CHANGES', '5 activity'),
		...partLines(page, 'LAST CHANGES', {rows: DAY_ROWS, width}),
	];
}

/** The next thing to do, in a sentence or two. */
function footText(data: OverviewData): string {
	const count = troubleLines(data).length;
	return count === 0
		? 'Nothing wants you.'
		: `${count} in trouble: ! goes to the newest. ${wasteText(data)}`.trimEnd();
}

export function overviewFootLines({data, paper: {theme, size}}: OverviewPage): readonly string[] {
	const rule = theme.style('quiet', theme.glyphs.rule.repeat(size.columns));
	return [rule, fit(footText(data), size.columns)];
}

/** The pane about money beside the list: the burn of a day, waste, the next ends, and the latest events. */
import {cents, hourly, timeOfDay} from '../../../renter/text/format.ts';
import {fit, fitMiddle, printable} from '../../../renter/text/text-width.ts';
import {burnByHour, moneyAgeOf} from '../../../renter/fleet/fleet-texts.ts';
import type {FleetEvent, FleetRow, FleetState} from '../../../renter/fleet/fleet-state.ts';
import {isSweepable} from '../../../renter/instance/condition.ts';
import {stateSigns} from '../../../renter/instance/state-signs.ts';
import {wasteIn, type Waste} from '../../../renter/instance/burn.ts';
import {conditionWord} from '../../../renter/nouns/activity.ts';
import {barRows, besideAxis, lyingBar, roundStep} from '../../ui/graph.ts';
import {pad} from '../../ui/chrome.ts';
import type {Theme} from '../../ui/theme.ts';
import {endsAtOf, endsMeaning, endsText, whoMeaning, whoText} from './ends.ts';
import {ageOf, labelOf, meaningOfCondition, roughly} from './words.ts';

type Paper = {readonly theme: Theme; readonly width: number};

export function moneyPaneLines(state: FleetState, paper: Paper): readonly string[] {
	const parts = [
		burnLines(state, paper),
		wasteLines(state.rows, paper),
		nextEndLines(state.rows, paper),
		latestLines(state.events, paper),
	];
	return parts
		.filter(lines => lines.length > 0)
		.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

/** A heading with quiet words behind it, and bright ones at its end. */
function heading({theme, width}: Paper, [name, note, sum = '']: readonly string[]): string {
	const [shown = '', said = ''] = [name, note];
	const room = width - shown.length - sum.length - 1;
	return (
		theme.style('heading', shown) +
		theme.style('quiet', fit(` ${said}`, room + 1)) +
		theme.style('strong', sum)
	);
}

const HOURS = 24;
const ROWS = 6;
const AXIS_WIDTH = 5;

function burnLines(state: FleetState, paper: Paper): readonly string[] {
	const {burn, samples, spent, credit} = state;
	const {theme, width} = paper;
	const unpriced = burn.unpriced === 0 ? [] : [` ${burn.unpriced} without a known price`];
	const sums = [
		burn.now === burn.atMost ? '' : `at most ${hourly(burn.atMost)}/h`,
		[
			...(spent?.today === undefined ? [] : [`today ${cents(spent.today)}`]),
			...(spent?.month === undefined ? [] : [`month ${cents(spent.month)}`]),
		].join(' · '),
		credit === undefined ? '' : `credit ${cents(credit)}`,
		moneyAgeOf(state),
	];
	return [
		heading(paper, ['BURN', '$/h, last 24 h', hourly(burn.now)]),
		...burnChart(burnByHour(samples, HOURS), paper),
		...[...sums, ...unpriced]
			.filter(text => text !== '')
			.map(text => theme.style('quiet', fit(text, width))),
	];
}

/** Bars of the hours over an axis; nothing for the first minutes, which are too few for a chart. */
function burnChart(
	hours: ReadonlyArray<number | undefined>,
	{theme, width}: Paper,
): readonly string[] {
	const seen = hours.filter(cost => cost !== undefined);
	if (seen.length < 2) return [];
	const step = roundStep(Math.max(...seen) / 2);
	const top = step * Math.max(1, Math.ceil(Math.max(...seen) / step));
	const rows = barRows(
		hours.map(cost => (cost ?? 0) / top),
		ROWS,
		1,
	).map(line => line.replaceAll(/ (.)/g, '$1'));
	const ticks = [
		{at: 0, text: tickText(top)},
		{at: ROWS / 2, text: tickText(top / 2)},
		{at: ROWS - 1, text: '0'},
	];
	const bars = rows.map(line => theme.style('curve', line));
	const below = `${' '.repeat(AXIS_WIDTH)}24h${'12h'.padStart(HOURS / 2 - 1)}${'now'.padStart(HOURS / 2 - 2)}`;
	return [
		...besideAxis(bars, ticks, {width: AXIS_WIDTH, theme}),
		theme.style('quiet', fit(below, width)),
	];
}

const tickText = (value: number) => String(Number(value.toPrecision(2)));

const MOST_WASTE = 5;
const [NAME, WHY, BAR] = [11, 11, 6];
/** All of a line but its bar and its amount. */
const BESIDE_BAR = '▲ '.length + NAME + 1 + WHY + 1;

function wasteLines(rows: readonly FleetRow[], {theme, width}: Paper): readonly string[] {
	const waste = wasteIn(rows);
	if (waste.length === 0) return [];
	const saved = waste.reduce((sum, {perHour}) => sum + perHour, 0);
	const swept = rows.filter(isSweepable).length;
	const most = Math.max(...waste.map(({perHour}) => perHour));
	const key = swept === 0 ? '' : `X sweeps ${swept === waste.length ? 'all ' : ''}${swept}`;
	const sum = `${hourly(saved)}/h`;
	const title =
		theme.style('danger', 'WASTE') +
		theme.style('quiet', ' up to ') +
		theme.style('danger', sum) +
		theme.style('quiet', key.padStart(Math.max(0, width - 'WASTE up to '.length - sum.length)));
	const shown = waste.slice(0, MOST_WASTE);
	// A bar gives way to an amount: an amount of which the end is cut off is another amount.
	const longest = Math.max(...shown.map(one => hourly(one.perHour).length));
	const barWidth = Math.max(1, Math.min(BAR, width - BESIDE_BAR - 1 - longest));
	const lines = shown.map(one => {
		const row = rows.find(({instance}) => instance.id === one.id);
		const label = row === undefined ? '' : labelOf(row.instance);
		const look = row === undefined ? 'danger' : meaningOfCondition(row.condition);
		const name = fit(fitMiddle(label === '' ? `id ${one.id}` : label, NAME), NAME);
		const why = fit(`${one.reason} ${row === undefined ? '' : lastingOf(one.reason, row)}`, WHY);
		const bar = fit(lyingBar(most === 0 ? 0 : one.perHour / most, barWidth), barWidth);
		const sign = row === undefined ? ' ' : stateSigns[row.condition].sign;
		return `${theme.style(look, sign)} ${name} ${theme.style('quiet', why)} ${theme.style(look, bar)} ${hourly(one.perHour).padStart(longest)}`;
	});
	const more = waste.length - lines.length;
	return [title, ...lines, ...(more > 0 ? [theme.style('quiet', `  and ${more} more`)] : [])];
}

/** Time of cost without use. */
function lastingOf(reason: Waste['reason'], row: FleetRow): string {
	if (reason === 'idle') return roughly(row.now - (row.observation.idleSince ?? row.now));
	return ageOf(row).replace(/(?<=[dhm])\d\d$/, '');
}

const MOST_ENDS = 4;

/** The instances that end first, and who enforces that; those of one name and one end are one line. */
function nextEndLines(rows: readonly FleetRow[], paper: Paper): readonly string[] {
	const {theme} = paper;
	const ending = rows
		.filter(row => endsAtOf(row) !== undefined)
		.toSorted((a, b) => (endsAtOf(a) ?? 0) - (endsAtOf(b) ?? 0));
	const groups = Map.groupBy(ending, row => `${stemOf(row)} ${endsText(row)} ${whoText(row)}`);
	if (groups.size === 0) return [];
	const lines = [...groups.values()].slice(0, MOST_ENDS).flatMap(group => {
		const [row] = group;
		if (row === undefined) return [];
		const name =
			group.length === 1
				? labelOf(row.instance) || String(row.instance.id)
				: `${stemOf(row)}* ${group.length}`;
		const when = theme.style(
			endsMeaning(row) === 'quiet' ? 'plain' : endsMeaning(row),
			fit(endsText(row, 12), 12),
		);
		return `  ${fit(fitMiddle(name, 12), 12)} ${when} ${theme.style(whoMeaning(row), whoText(row))}`;
	});
	return [heading(paper, ['ENDS', 'next']), ...lines];
}

/** A label up to its last number: `eval-` of `eval-7`. */
function stemOf({instance}: FleetRow): string {
	return labelOf(instance).replace(/(?<!\d)\d+$/, '');
}

function latestLines(events: readonly FleetEvent[], paper: Paper): readonly string[] {
	return events.length === 0 ? [] : [heading(paper, ['LATEST', '']), ...eventLines(events, paper)];
}

/** Events: the time, the instance, its new state and the one before. */
export function eventLines(
	events: readonly FleetEvent[],
	{theme, width}: Paper,
): readonly string[] {
	return events.map(({at, id, label, from, to}) => {
		const time = timeOfDay(new Date(at)).slice(0, 5);
		const name = fit(fitMiddle(printable(label) || String(id), NAME), NAME);
		const before = from === undefined ? '' : ` was ${conditionWord(from)}`;
		const word = conditionWord(to);
		const rest = fit(before, Math.max(0, width - time.length - NAME - word.length - 2)).trimEnd();
		return pad(
			`${theme.style('quiet', time)} ${name} ${theme.style(meaningOfCondition(to), word)}${theme.style('quiet', rest)}`,
			width,
		);
	});
}

/** Ends of the next 24 hours: a bar for each instance, and who confirmed its lease. */
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {isUnkept, lateMs, leaseOf, nextEnd, waitingOf} from '../../../renter/leases/held.ts';
import {hasEnd} from '../../../renter/words/lease.ts';
import {fit, fitMiddle} from '../../../renter/text/text-width.ts';
import {lyingBar} from '../../ui/graph.ts';
import type {Meaning, Theme} from '../../ui/theme.ts';
import {endsAtOf, endsMeaning, endsText} from '../instances/ends.ts';
import {roughly} from '../instances/words.ts';
import type {OverviewRow, OverviewData} from './overview-state.ts';
import {NAME_WIDTH, shortName} from './trouble-lines.ts';
import {HOUR_MS} from '../../../contract/rules/durations.ts';

const SPAN_MS = 24 * HOUR_MS;

/** Instances by their ends: those that are late first, those without an end last. */
export function endingRows(rows: readonly FleetRow[]): readonly FleetRow[] {
	return rows
		.filter(({condition}) => condition !== 'gone')
		.toSorted((a, b) => compare(rank(a), rank(b)) || a.instance.id - b.instance.id);
}

const rank = (row: FleetRow) =>
	lateMs(row.instance, row.now) === undefined ? (endsAtOf(row) ?? Infinity) : -1;

/** Infinity less infinity is no number. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b);

export function endLines({fleet: {rows}}: Pick<OverviewData, 'fleet'>): readonly OverviewRow[] {
	return endingRows(rows).map(row => {
		const {id} = row.instance;
		return {
			part: 'ENDS',
			key: `ends ${id}`,
			goes: {name: 'instance', id},
			write: (width, theme) => endLine(row, width, theme),
		};
	});
}

const WHEN_WIDTH = 10;
const WHO_WIDTH = 13;

const barWidth = (width: number) => Math.max(4, width - NAME_WIDTH - WHEN_WIDTH - WHO_WIDTH - 3);

function endLine(row: FleetRow, width: number, theme: Theme): string {
	const name = fit(fitMiddle(shortName(row), NAME_WIDTH), NAME_WIDTH);
	const {text, meaning} = barOf(row, barWidth(width));
	const isLate = lateMs(row.instance, row.now) !== undefined;
	const when = theme.style(isLate ? 'alarm' : endsMeaning(row), fit(whenText(row), WHEN_WIDTH));
	return `${name} ${theme.style(meaning, fit(text, barWidth(width)))} ${when} ${whoText(row)}`;
}

function whenText(row: FleetRow): string {
	const late = lateMs(row.instance, row.now);
	// The column beside it says who keeps it, but not who watches its work.
	const {isWaiting} = waitingOf(leaseOf(row.instance), row.keepers);
	return late === undefined
		? endsText({...row, keepers: isWaiting ? row.keepers : undefined}, WHEN_WIDTH)
		: `LATE ${roughly(late)}`;
}

function whoText({keepers}: FleetRow): string {
	if (keepers === undefined) return '';
	return isUnkept(keepers) ? 'not confirmed' : keepers.padStart(WHO_WIDTH);
}

/** Bar until the end: whole if somebody confirmed it, grey if nobody did, dots if only idleness or costs end it. */
function barOf(row: FleetRow, width: number): {readonly text: string; readonly meaning: Meaning} {
	const {instance, keepers = '', now} = row;
	const {lease} = leaseOf(instance);
	const next = nextEnd(instance, now);
	const isNever = lease === undefined || !hasEnd(lease) || (next && next.action === 'none');
	if (isNever === true) return {text: `${'─'.repeat(width - 1)}>`, meaning: 'warning'};
	if (next === undefined) return {text: '░'.repeat(width), meaning: 'plain'};
	if (next.leftMs < 0) return {text: '', meaning: 'plain'};
	const share = Math.min(1, next.leftMs / SPAN_MS);
	const grey = '▒'.repeat(Math.max(1, Math.round(width * share)));
	const isKept = /[A-Z]/.test(keepers);
	return isKept ? {text: lyingBar(share, width), meaning: 'curve'} : {text: grey, meaning: 'plain'};
}

/** Hours of this machine's clock below the bars, each sixth. */
export function endAxis(now: number, width: number): string {
	const bars = barWidth(width);
	const line = Array.from({length: width + 1}, () => ' ');
	const write = (at: number, text: string) => {
		for (const [index, sign] of text.split('').entries()) line[NAME_WIDTH + 2 + at + index] = sign;
	};
	write(0, 'now');
	const begin = new Date(now);
	const first = new Date(begin).setMinutes(0, 0, 0) + HOUR_MS;
	for (let at = first; at < now + SPAN_MS; at += HOUR_MS) {
		const date = new Date(at);
		const column = Math.round((bars * (at - now)) / SPAN_MS);
		const fits = column >= 5 && column <= bars - 5;
		if (date.getHours() % 6 !== 0 || !fits) continue;
		write(column, `${String(date.getHours()).padStart(2, '0')}:00`);
	}
	return line.join('').trimEnd();
}

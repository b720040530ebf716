/** The fleet in words, on every screen: its cost and its problems. */
import {unreadableCountText} from '../text/unreadable.ts';
import {cents, count as counted, hourly} from '../text/format.ts';
import {isEndlessInstance, isUnkept} from '../leases/held.ts';
import {burnOf, creditHours, type Rated} from '../instance/burn.ts';
import {signs, stateSigns} from '../instance/state-signs.ts';
import type {BurnSample, FleetRow, FleetState, Incomplete, Troubles} from './fleet-state.ts';
import {HOUR_MS, MINUTE_MS} from '../../contract/rules/durations.ts';

/** First line's texts about rented instances; all empty if there are none. */
export type FleetTexts = {
	/** "$4.42/h" */
	readonly burn: string;
	/**
	 * "max 9.55": the cost once all instances do what they should; empty if that is the present
	 * one.
	 */
	readonly most: string;
	/**
	 * Highest possible costs of the last hours, the latest last; undefined for hours without a
	 * poll.
	 */
	readonly burns: ReadonlyArray<number | undefined>;
	/** "● 12": instances by their signs; empty for none. */
	readonly counts: Readonly<Record<keyof FleetCounts, string>>;
	/** "3 without an end $1.24/h" */
	readonly endless: string;
	/** "$1.17": charged today. */
	readonly today: string;
	/** "$998.83", and "5-8d": how long that lasts. */
	readonly credit: string;
	readonly lasts: string;
	/** "12 min ago": age of both; empty while they are as fresh as the list. */
	readonly moneyAge: string;
	/** "stale, retry 10s": replaces the links. The part before the comma is enough on its own. */
	readonly notice: string;
};

type FleetCounts = Readonly<Record<Exclude<keyof typeof signs, 'gone'>, number>>;

const noCounts = {running: '', booting: '', stopped: '', watched: '', bad: ''};

export const noFleetTexts: FleetTexts = {
	burn: '',
	most: '',
	burns: [],
	counts: noCounts,
	endless: '',
	today: '',
	credit: '',
	lasts: '',
	moneyAge: '',
	notice: '',
};

/** "25 of 60 instances, the rest could not be read", or "2 of 40 could not be read". */
export function incompleteText({read, total, unreadable}: Incomplete): string {
	const known = read + unreadable.count;
	const all = Math.max(total ?? known, known);
	return all > known
		? `${read} of ${all} instances, the rest could not be read`
		: (unreadableCountText(unreadable) ?? '');
}

/** Texts about the fleet; empty without instances. */
export function fleetTexts(state: FleetState): FleetTexts {
	const {rows, burn, credit, spent, samples} = state;
	const notice = noticeOf(state);
	if (rows.length === 0) return {...noFleetTexts, notice};
	const now = hourly(burn.now);
	const most = hourly(burn.atMost);
	const unknown = burn.unpriced === 0 ? '' : ' + ?';
	const hours = creditHours(credit, burn);
	return {
		burn: `${now}/h${unknown}`,
		most: now === most ? '' : `max ${most.replace('$', '')}`,
		burns: burnByHour(samples, HEADER_HOURS),
		counts: formatCounts(countFleet(rows)),
		endless: endlessText(rows),
		notice,
		today: spent?.today === undefined ? '' : cents(spent.today),
		credit: credit === undefined ? '' : cents(credit),
		lasts: hours === undefined ? '' : hoursText(hours),
		moneyAge: moneyAgeOf(state),
	};
}

/** Age of credit and charges after which polls, every five minutes, must have failed. */
const OLD_MONEY_MS = 10 * MINUTE_MS;

/** Age of credit and charges beside the list; empty while they are not old. */
export function moneyAgeOf({
	checkedAt,
	moneyAt,
}: Pick<FleetState, 'checkedAt' | 'moneyAt'>): string {
	if (checkedAt === undefined || moneyAt === undefined) return '';
	const age = checkedAt - moneyAt;
	return age < OLD_MONEY_MS ? '' : `${Math.floor(age / MINUTE_MS)} min ago`;
}

const HEADER_HOURS = 12;

/** Instances by their signs; the one count for header, pane and commands. */
function countFleet(rows: ReadonlyArray<Pick<FleetRow, 'condition'>>): FleetCounts {
	const count = (kind: keyof FleetCounts) =>
		rows.filter(({condition}) => stateSigns[condition].sign === signs[kind]).length;
	return {
		running: count('running'),
		booting: count('booting'),
		stopped: count('stopped'),
		watched: count('watched'),
		bad: count('bad'),
	};
}

function formatCounts(counts: FleetCounts): FleetTexts['counts'] {
	const word = (kind: keyof FleetCounts) =>
		counts[kind] === 0 ? '' : `${signs[kind]} ${counts[kind]}`;
	return {
		running: word('running'),
		booting: word('booting'),
		stopped: word('stopped'),
		watched: word('watched'),
		bad: word('bad'),
	};
}

/** Highest possible cost in each of the last hours; undefined for hours without a poll. */
export function burnByHour(
	samples: readonly BurnSample[],
	hours: number,
): ReadonlyArray<number | undefined> {
	const last = samples.at(-1);
	if (last === undefined) return [];
	return Array.from({length: hours}, (_, index) => {
		const from = last.at - (hours - index) * HOUR_MS;
		const own = samples.filter(({at}) => at > from && at <= from + HOUR_MS);
		return own.length === 0 ? undefined : Math.max(...own.map(({atMost}) => atMost));
	});
}

/**
 * Message to the shell at exit: instances that still cost money, as last polled; empty without any.
 */
export function exitText(state: FleetState): string {
	const rows = state.rows.filter(({condition}) => condition !== 'gone');
	const {burn, most, endless} = fleetTexts(state);
	if (rows.length === 0) return '';
	const many = rows.length === 1 ? '1 instance goes on' : `${rows.length} instances go on`;
	const staleness = state.error === undefined ? '' : ', as last heard';
	const ends = endless === '' ? '' : `, ${endless}`;
	return `${many}: ${burn}${most === '' ? '' : ` (${most})`}${ends}${staleness}. rentty ps lists them.`;
}

/**
 * Cost that continues until the user ends it, including leases without an enforcer; destroyed
 * instances have none.
 */
function endlessText(rows: readonly FleetRow[]): string {
	const endless = rows.filter(
		({condition, instance, keepers}) =>
			condition !== 'gone' && (isEndlessInstance(instance) || isUnkept(keepers)),
	);
	const perHour = endless.reduce((sum, {rate: {now = 0}}) => sum + now, 0);
	return endless.length === 0 ? '' : `${endless.length} without an end ${hourly(perHour)}/h`;
}

/**
 * Notice about a stale list; empty if it is fresh. The part before the comma is enough if space is
 * short.
 */
function noticeOf({checkedAt, error, everyMs, isPaused, slowness}: FleetState): string {
	const seconds = Math.round(everyMs / 1000);
	if (isPaused) return 'paused, p goes on';
	if (error !== undefined && checkedAt !== undefined) {
		const status = 'status' in error && typeof error.status === 'number' ? ` ${error.status}` : '';
		return `stale${status}, retry ${seconds}s`;
	}
	return slowness > 1 ? `429, every ${seconds}s` : '';
}

export function troubleCount({undead, stuck, dead}: Troubles): number {
	return undead + stuck + dead;
}

/**
 * "12-26h", "12h" if both ends are the same, minutes below an hour, and days from three on:
 * "40m-2h", "33-136d".
 */
export function hoursText({least, most}: {readonly least: number; readonly most: number}): string {
	const [from, to] = [largestUnit(least), largestUnit(most)];
	if (!Number.isFinite(most)) return `${from} or more`;
	if (from === to) return from;
	return from.at(-1) === to.at(-1) ? `${from.slice(0, -1)}-${to}` : `${from}-${to}`;
}

/** Hours from which days say more. */
const MOST_HOURS = 72;

function largestUnit(hours: number): string {
	if (hours < 1) return `${Math.floor(hours * 60)}m`;
	return hours < MOST_HOURS ? `${Math.floor(hours)}h` : `${counted(Math.floor(hours / 24))}d`;
}

/** "$2.04/h", or "at least $2.04/h" where a price is unknown. */
export function hourlySum(rows: readonly Rated[]): string {
	const {now, unpriced} = burnOf(rows);
	return `${unpriced > 0 ? 'at least ' : ''}${cents(now)}/h`;
}

/** Fleet in words, on every screen: its cost and its problems. */
import {unreadableWords} from '../text/unreadable.ts';
import {cents, count as counted, hourly} from '../text/format.ts';
import {isEndless, isUnkept} from '../leases/held.ts';
import {creditHours} from '../instance/burn.ts';
import type {FleetRow, FleetState, Incomplete, Troubles} from './fleet-state.ts';

/** First line's texts about rented instances; all empty where there are none. */
export type FleetWords = {
	/** "$4.42/h (max 9.55)" */
	readonly burn: string;
	/** "1 STUCK 1 DEAD" */
	readonly trouble: string;
	/** "3 without an end $1.24/h" */
	readonly endless: string;
	/** Text for wide screens: credit, and counts by condition. */
	readonly more: string;
	/** "stale, retry 10s": in the place of the links. The part before the comma is enough on its own. */
	readonly notice: string;
};

/** "25 of 60 instances, the rest could not be read", or "2 of 40 could not be read". */
export function incompleteText({read, total, unreadable}: Incomplete): string {
	const known = read + unreadable.count;
	const all = Math.max(total ?? known, known);
	return all > known
		? `${read} of ${all} instances, the rest could not be read`
		: (unreadableWords(unreadable) ?? '');
}

/** Without an instance there is nothing to say of money and trouble. */
export function fleetWords(state: FleetState): FleetWords {
	const {rows, burn, troubles, credit} = state;
	const notice = noticeOf(state);
	if (rows.length === 0) return {burn: '', trouble: '', endless: '', more: '', notice};
	const now = hourly(burn.now);
	const most = hourly(burn.atMost);
	const unknown = burn.unpriced === 0 ? '' : ' + ?';
	const {running, booting} = burn.groups;
	const hours = creditHours(credit, burn);
	const lasts = hours === undefined ? '' : ` = ${hoursText(hours)}`;
	const money = credit === undefined ? [] : [`credit ${cents(credit)}${lasts}`];
	return {
		burn: `${now}/h${now === most ? '' : ` (max ${most.replace('$', '')})`}${unknown}`,
		trouble: troubleWords(troubles),
		endless: endlessWords(rows),
		notice,
		more: [...money, ` ${running.count} run ${booting.count} boot`].join(' '),
	};
}

/** Farewell to a shell: instances that go on costing, as last heard; empty where none does. */
export function leftWords(state: FleetState): string {
	const rows = state.rows.filter(({condition}) => condition !== 'gone');
	const {burn, endless} = fleetWords(state);
	if (rows.length === 0) return '';
	const many = rows.length === 1 ? '1 instance goes on' : `${rows.length} instances go on`;
	const heard = state.error === undefined ? '' : ', as last heard';
	const ends = endless === '' ? '' : `, ${endless}`;
	return `${many}: ${burn}${ends}${heard}. rentty ps lists them.`;
}

/** Cost that goes on until the user ends it, a lease that nobody keeps included; gone instances have none. */
function endlessWords(rows: readonly FleetRow[]): string {
	const endless = rows.filter(
		({condition, instance, keepers}) =>
			condition !== 'gone' && (isEndless(instance) || isUnkept(keepers)),
	);
	const perHour = endless.reduce((sum, {rate: {now = 0}}) => sum + now, 0);
	return endless.length === 0 ? '' : `${endless.length} without an end ${hourly(perHour)}/h`;
}

/**
 * Notice about a stale list; empty where it is fresh. The part before the comma is enough where
 * there is little room.
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

/** "1 STUCK 2 DEAD"; empty where nothing is wrong. */
function troubleWords({undead, stuck, dead}: Troubles): string {
	const words = [
		[undead, 'UNDEAD'],
		[stuck, 'STUCK'],
		[dead, 'DEAD'],
	] as const;
	return words
		.filter(([count]) => count > 0)
		.map(([count, word]) => `${count} ${word}`)
		.join(' ');
}

export function troubleCount({undead, stuck, dead}: Troubles): number {
	return undead + stuck + dead;
}

/** "12-26h", "12h" where both ends are the same, and minutes for less than an hour: "40m-2h". */
export function hoursText({least, most}: {readonly least: number; readonly most: number}): string {
	const [from, to] = [largestUnit(least), largestUnit(most)];
	if (!Number.isFinite(most)) return `${from} or more`;
	if (from === to) return from;
	return from.at(-1) === to.at(-1) ? `${from.slice(0, -1)}-${to}` : `${from}-${to}`;
}

function largestUnit(hours: number): string {
	return hours < 1 ? `${Math.floor(hours * 60)}m` : `${counted(Math.floor(hours))}h`;
}

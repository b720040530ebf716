/** History of a host in words: only facts that were seen. */
import {MISSING} from '../format.ts';
import {dayOf, type Boot, type HostRecord, type PriceSeen} from './host-history.ts';

/** The levels of a curve drawn in characters that every terminal has. */
const LEVELS = '_.-^';
const DAYS_IN_CURVE = 14;

/** Boots on a host, for a cell: "2 ok, 2:05", "1 STUCK 11-02". */
export function historyInShort(host: HostRecord | undefined): string {
	if (host === undefined) return MISSING;
	const {boots, stuck} = host;
	const latest = boots.at(-1);
	const parts = [
		...(stuck.length > 0 ? [`${stuck.length} STUCK ${monthAndDay(stuck.at(-1))}`] : []),
		...(latest === undefined ? [] : [`${boots.length} ok, ${minutes(latest.seconds)}`]),
	];
	return parts.length === 0 ? MISSING : parts.join(', ');
}

/** Boots on a host, one fact each. */
export function bootFacts({boots, stuck}: HostRecord) {
	const times = boots.slice(-3).map(({seconds}) => minutes(seconds));
	const good = [['boots', `${boots.length} ok: ${times.join(', ')}`] as const];
	const bad = [['STUCK', `${stuck.length}, last ${dateOf(stuck.at(-1))}`] as const];
	return [...(stuck.length > 0 ? bad : []), ...(boots.length > 0 ? good : [])];
}

/** Duration of a boot: 1:50. */
export function minutes(seconds: number): string {
	const whole = Math.round(seconds);
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function dateOf(boot: Boot | undefined): string {
	const date = new Date(boot?.at ?? Number.NaN);
	return Number.isNaN(date.getTime()) ? MISSING : date.toISOString().slice(0, 10);
}

function monthAndDay(boot: Boot | undefined): string {
	return dateOf(boot).replace(/^\d+-/, '');
}

/** The price that was seen last before today, and how many days ago. */
export function lastSeen(
	prices: readonly PriceSeen[] | undefined,
	now: Date,
): {readonly dollars: number; readonly daysAgo: number} | undefined {
	const today = dayOf(now);
	const seen = prices?.findLast(([day]) => day < today);
	return seen === undefined ? undefined : {dollars: seen[1], daysAgo: today - seen[0]};
}

/** Prices of some days as a line: a character a day, the lowest price at the bottom, blank where none was seen. */
export function curveOf(prices: readonly PriceSeen[], now: Date): string {
	const today = dayOf(now);
	const recent = prices.filter(([day]) => today - day < DAYS_IN_CURVE && day <= today);
	const dollars = recent.map(([, price]) => price);
	const [low, high] = [Math.min(...dollars), Math.max(...dollars)];
	const first = recent[0]?.[0];
	if (first === undefined) return '';
	const byDay = new Map(recent);
	return Array.from({length: today - first + 1}, (_, at) => {
		const price = byDay.get(first + at);
		if (price === undefined) return ' ';
		const share = high === low ? 0 : (price - low) / (high - low);
		return LEVELS.charAt(Math.round(share * (LEVELS.length - 1)));
	}).join('');
}

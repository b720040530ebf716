/** State of a guard's instances from one poll to the next. */
import {isSameStart} from '../../client/nouns/instance-list.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {fullPrice} from '../instance/burn.ts';
import {countFirst, advanceClock, type Clocks, type Counted, costLimitWarning} from './decide.ts';
import type {GuardEvent} from './ending.ts';
import type {ChangedLease} from './agreed.ts';
import {leaseOf, startOf, type HeldLease} from './held.ts';
import {remainingTerms, writeTerms} from './lease-terms.ts';
import {announcedFrom, leaseKey, type Lease} from '../words/lease.ts';
import {noSightings, type KeptSightings} from './sightings.ts';

export type WatchedLease = {
	readonly history: KeptSightings;
	/** Clocks at the last poll; undefined before the first. */
	readonly clock: Counted | undefined;
	/** The lease of these polls: a changed one restarts them. */
	readonly leaseText: string;
	readonly endsAt: number | undefined;
	/** False for a deadline that had passed when first seen, and was not agreed here. */
	readonly isTimely?: boolean | undefined;
	/** True for a deadline that was in time by the service's date alone, which may have jumped. */
	readonly isByDate?: boolean | undefined;
	/** Label and lease at the last poll. */
	readonly held: HeldLease;
	/** Bytes that the instance's network had transferred. */
	readonly bytes: number | undefined;
	/** The nearest warning that was given, in seconds before the end. */
	readonly warned: number;
	/** True if the warning about the cost limit was given. */
	readonly isCostSaid?: boolean | undefined;
	/** The highest observed price of an hour; undefined without one. */
	readonly dearest?: number | undefined;
};

export type ResumedState = Omit<WatchedLease, 'held'>;

export type Listed = HeldLease & {readonly instance: Instance};

type PollClock = {
	readonly counted: Counted;
	/** True at a guard's first poll. */
	readonly isFirst: boolean;
};

type Options = {
	/** Called for an instance with a new lease, with the service's time in milliseconds. */
	readonly renew: (listed: Listed, date: number, isInTime: boolean) => void;
	/**
	 * True unless a deadline was overdue when first seen, and of unknown origin. @param date in
	 * milliseconds
	 */
	readonly isTimely: (listed: Listed, date: number) => boolean;
	/** Called for an instance that has another lease, or is gone. */
	readonly forget: (id: number) => void;
	readonly resume: (id: number, now: Clocks) => ResumedState | undefined;
};

const fresh = {history: noSightings, bytes: undefined};

export function createWatched({renew, isTimely, forget, resume}: Options) {
	const all = new Map<number, WatchedLease>();

	/** The clock of a new lease, and if its deadline is in time by that or by the guard's. */
	function timeOf(
		listed: Listed,
		own: Counted | undefined,
		{counted, date}: Pick<PollClock, 'counted'> & {readonly date: number},
	) {
		const isCounted = isTimely(listed, (own ?? counted).time);
		const isOfDate = own === undefined && isTimely(listed, date);
		// No clock by which a deadline is past was the one by which it was set.
		const clock = own ?? (isCounted && !isOfDate ? counted : undefined);
		return {clock, isTimely: isCounted || isOfDate, isByDate: isOfDate && !isCounted};
	}

	return {
		all: (): ReadonlyArray<readonly [id: number, watched: WatchedLease]> => [...all],
		get: (id: number): WatchedLease | undefined => all.get(id),
		set: (id: number, watched: WatchedLease): void => void all.set(id, watched),
		/**
		 * Observations of earlier polls under the same lease. @param counted the guard's time at this
		 * poll
		 */
		recall(listed: Listed, now: Clocks, {counted, isFirst}: PollClock): WatchedLease {
			const {instance, ...held} = listed;
			const {id} = instance;
			const leaseText = textOf(held);
			const before = all.get(id) ?? resume(id, now);
			if (before?.leaseText === leaseText) return {...before, held};
			forget(id);
			const endsAt = held.lease?.endsAt;
			const first = isFirst ? counted : undefined;
			const own = clockFor(before ?? {clock: first, endsAt}, endsAt);
			const from = before === undefined ? startOf(instance) : now.date / 1000;
			const warned = announcedFrom((endsAt ?? Infinity) - from);
			const kept = {...timeOf(listed, own, {counted, date: now.date}), dearest: before?.dearest};
			renew(listed, now.date, kept.isTimely);
			return {...fresh, warned, leaseText, endsAt, held, ...kept};
		},
		keepOnly(listed: readonly Listed[]): void {
			const ids = new Set(listed.map(({instance}) => instance.id));
			for (const id of all.keys()) {
				if (ids.has(id)) continue;
				all.delete(id);
				forget(id);
			}
		},
	};
}

function textOf({lease, isUnknown}: HeldLease): string {
	if (isUnknown) return 'unknown';
	return lease === undefined ? 'none' : leaseKey(lease);
}

/** A deadline set by a clock that jumped belongs to that clock. */
function clockFor(before: Pick<WatchedLease, 'clock' | 'endsAt'>, endsAt: number | undefined) {
	return before.endsAt === endsAt ? before.clock : undefined;
}

/**
 * Counts the service's time, and reports a jumping clock once, until it has run evenly for as long.
 */
export function createClockNote(
	report: (event: GuardEvent) => void,
	resume: (now: Clocks) => Counted | undefined,
) {
	let last: Counted | undefined;
	return (now: Clocks): Counted => {
		const before = last ?? resume(now);
		last = before === undefined ? countFirst(now) : advanceClock(before, now);
		const {apartSince, date, time} = last;
		const isSettled = now.steady >= (before?.settledAt ?? 0);
		if (apartSince !== undefined && apartSince !== before?.apartSince && isSettled) {
			report({kind: 'clock', label: '', seconds: Math.round((date - time) / 1000), date});
		}
		return last;
	};
}

type Leased = {readonly id: number; readonly label: string; readonly lease: Lease};

/** Warns once that a lease may reach its cost limit; true once it has. */
export function noteCost(
	{id, label, lease}: Leased,
	{history, isCostSaid = false}: Pick<WatchedLease, 'history' | 'isCostSaid'>,
	report: (event: GuardEvent) => void,
): boolean {
	const last = history.sightings.at(-1);
	const costs = last && costLimitWarning(lease, last);
	if (costs === undefined || isCostSaid) return isCostSaid;
	report({kind: 'may cost', id, label, costs, due: leaseKey(lease)});
	return true;
}

type Priced = {
	readonly instance: Instance;
	readonly label: string;
	/** Seconds until the lease's deadline; undefined without one. */
	readonly leftSeconds: number | undefined;
};

/** Relative tolerance within which two prices are the same. */
const SAME_PRICE = 1e-6;

/** Reports a price increase of a running instance; keeps the highest so far. */
export function notePrice(
	{instance, label, leftSeconds}: Priced,
	dearest: number | undefined,
	report: (event: GuardEvent) => void,
): number | undefined {
	const price = fullPrice(instance);
	if (price === undefined) return dearest;
	if (dearest !== undefined && price > dearest * (1 + SAME_PRICE)) {
		const left = Math.max(0, leftSeconds ?? 0);
		const untilEnd = leftSeconds === undefined ? undefined : (price * left) / 3600;
		report({kind: 'dearer', id: instance.id, label, from: dearest, to: price, untilEnd});
	}
	return Math.max(price, dearest ?? price);
}

type DatedRecord = {readonly record: Instance | undefined; readonly at: number};

/** Minutes by which an uptime may be ahead of the elapsed time: services round it. */
const UPTIME_SLACK_MINUTES = 2;

/**
 * Reports a start that moved or disappeared, and an uptime that grew by more than the elapsed time.
 * @param at in milliseconds
 */
export function noteContradiction(
	{instance, label, at}: {readonly instance: Instance; readonly label: string; readonly at: number},
	before: DatedRecord | undefined,
	report: (event: GuardEvent) => void,
): void {
	if (before?.record === undefined) return;
	const {id, start_date: start, uptime_mins: uptime} = instance;
	const {start_date: startBefore, uptime_mins: uptimeBefore} = before.record;
	const kind = 'contradiction';
	if (typeof startBefore === 'number' && !isSameStart(startBefore, start)) {
		const [was, is] = [startBefore, start].map(startText);
		report({kind, id, label, field: 'start_date', before: was ?? '', after: is ?? ''});
	}
	if (typeof uptime !== 'number' || typeof uptimeBefore !== 'number') return;
	const passed = Math.max(0, at - before.at) / 60_000;
	if (uptime <= uptimeBefore + passed + UPTIME_SLACK_MINUTES) return;
	const [was, is] = [uptimeBefore, uptime].map(minutes => `${Math.round(minutes)} min`);
	report({kind, id, label, field: 'uptime_mins', before: was ?? '', after: is ?? ''});
}

function startText(start: number | null | undefined): string {
	if (typeof start !== 'number') return 'nothing';
	const date = new Date(start * 1000);
	return Number.isNaN(date.valueOf()) ? String(start) : date.toISOString();
}

/** A lease that was changed elsewhere, in words. @param date the service's time, in milliseconds */
export function changedEvent({instance, before, after}: ChangedLease, date: number): GuardEvent {
	const {label} = leaseOf(instance);
	const formatTerms = (lease: Lease) => writeTerms(remainingTerms(lease, Math.floor(date / 1000)));
	const due = leaseKey(after);
	return {
		kind: 'changed lease',
		id: instance.id,
		label,
		before: formatTerms(before),
		after: formatTerms(after),
		due,
	};
}

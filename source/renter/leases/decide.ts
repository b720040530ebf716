/**
 * Decides whether a lease ends its instance. An end costs data, so no rule ends an instance after
 * one poll, after an incomplete list, or while clocks disagree.
 */
import {isSameStart} from '../../client/nouns/instance-list.ts';
import {actionOf, DESTROY_AFTER_SECONDS, dueAct, type Lease} from '../words/lease.ts';

/** Observation of an instance in one complete list. */
export type Sighting = {
	/** The counted service time of the poll: milliseconds since 1970. */
	readonly date: number;
	/** Milliseconds on a clock of this machine that never jumps. */
	readonly steady: number;
	/** The instance's `start_date`; undefined if the service does not send it. */
	readonly startDate: number | undefined;
	/** True if the instance's GPUs are released. */
	readonly isStopped: boolean;
	/** Consecutive polls that measured the instance as idle; undefined if it is busy. */
	readonly idle: Idle | undefined;
	/** Certain cost so far, with its disk, in dollars. */
	readonly cost: number | undefined;
	/** Highest possible cost so far; absent if unknown. */
	readonly costAtMost?: number | undefined;
	/** Evidence of two polls that its work is done, in a few words; undefined if it is not. */
	readonly done?: string | undefined;
};

/** A moment on the service's clock, and on one that never jumps, in milliseconds. */
export type SightingTime = Pick<Sighting, 'date' | 'steady'>;

/** Consecutive polls, at short intervals, that showed an instance as idle. */
type Idle = {
	readonly from: SightingTime;
	readonly looks: number;
};

type Rule = 'deadline' | 'idle' | 'cost' | 'done' | 'budget';

export type Decision =
	| {readonly kind: 'wait'}
	| {
			readonly kind: 'end';
			readonly action: 'stop' | 'destroy';
			readonly rule: Rule;
			/** A few words for the journal. */
			readonly evidence: string;
			/** Delay of the decision after the end was due. */
			readonly lateMs: number;
	  };

/** The longest time between two consecutive polls. */
export const MOST_APART_MS = 90_000;

const wait: Decision = {kind: 'wait'};

/** @param sightings Observations from complete lists, the newest last. */
export function decide(lease: Lease, sightings: readonly Sighting[]): Decision {
	const last = sightings.at(-1);
	if (last === undefined || last.startDate === undefined) return wait;
	const row = unbroken(sightings);
	const overdue = overdueBy(lease, row, last);
	if (overdue !== undefined) return overdue;
	if (lease.isKept) return wait;
	return overCost(lease, row, last) ?? idleFor(lease, last) ?? isDone(lease, row) ?? wait;
}

/** The latest consecutive sightings of the same instance, on clocks that agree. */
function unbroken(sightings: readonly Sighting[]): readonly Sighting[] {
	const broken = sightings.findLastIndex((each, index) => {
		const before = sightings[index - 1];
		return before === undefined || !agree(before, each);
	});
	return sightings.slice(broken);
}

/** True if both clocks agree on the time between two moments, and it is long enough. */
export function agreeApart(
	one: SightingTime,
	other: SightingTime,
	leastMs = LEAST_APART_MS,
): boolean {
	const passed = other.steady - one.steady;
	return passed >= leastMs && Math.abs(other.date - one.date - passed) <= TOLERANCE_MS;
}

function agree(one: Sighting, other: Sighting): boolean {
	return isSameStart(one.startDate, other.startDate) && agreeApart(one, other, 0);
}

export function idleAgain(
	before: Sighting | undefined,
	now: Omit<Sighting, 'idle'>,
): Idle | undefined {
	const isNext =
		before?.idle !== undefined &&
		now.steady - before.steady <= MOST_APART_MS &&
		agree(before, {...now, idle: undefined});
	if (isNext) return {from: before.idle.from, looks: before.idle.looks + 1};
	return {from: {date: now.date, steady: now.steady}, looks: 1};
}

/** The first poll since which a condition holds, if it holds long enough. */
function heldSince(
	row: readonly Sighting[],
	holds: (sighting: Sighting) => boolean,
): Sighting | undefined {
	const failed = row.findLastIndex(sighting => !holds(sighting));
	const first = row[failed + 1];
	const last = row.at(-1);
	if (first === undefined || last === undefined) return undefined;
	return agreeApart(first, last) ? first : undefined;
}

function overdueBy(lease: Lease, row: readonly Sighting[], last: Sighting): Decision | undefined {
	const next = dueAct(lease, last.isStopped);
	if (next === undefined) return undefined;
	const {action, at: due} = next;
	const first = heldSince(row, ({date}) => date >= due);
	if (first === undefined) return undefined;
	const evidence = `deadline ${at(due)}, two lists at ${at(first.date)} and ${at(last.date)}`;
	return {kind: 'end', action, rule: 'deadline', evidence, lateMs: last.date - due};
}

function overCost(lease: Lease, row: readonly Sighting[], last: Sighting): Decision | undefined {
	const {maxCost} = lease;
	const action = costAction(lease, last);
	if (maxCost === undefined) return undefined;
	const first = heldSince(row, ({cost}) => cost !== undefined && cost >= maxCost);
	if (first === undefined || action === undefined) return undefined;
	const evidence = `cost ${costsText(last, maxCost)}, two lists at ${at(first.date)} and ${at(last.date)}`;
	return {kind: 'end', action, rule: 'cost', evidence, lateMs: last.date - first.date};
}

/** An instance stopped by "stop first" is destroyed by the deadline that was set then. */
function costAction(lease: Lease, {isStopped}: Sighting) {
	return isStopped && lease.action !== 'destroy' ? undefined : actionOf(lease, false);
}

function costsText({cost = 0, costAtMost}: Sighting, maxCost: number): string {
	const most = costAtMost === undefined ? '' : `, at most $${costAtMost.toFixed(2)},`;
	return `at least $${cost.toFixed(2)}${most} of $${maxCost}`;
}

/** Cost in words if the limit of a lease may be reached, which ends nothing; else undefined. */
export function costLimitWarning(lease: Lease, last: Sighting): string | undefined {
	const {maxCost, isKept} = lease;
	const {cost = 0, costAtMost = 0} = last;
	if (maxCost === undefined || isKept || costAction(lease, last) === undefined) return undefined;
	return cost < maxCost && costAtMost >= maxCost ? costsText(last, maxCost) : undefined;
}

function idleFor(lease: Lease, last: Sighting): Decision | undefined {
	if (lease.idleSeconds === undefined || last.idle === undefined) return undefined;
	const {from, looks} = last.idle;
	const length = Math.min(last.steady - from.steady, last.date - from.date);
	const isProven = looks > 1 && length >= LEAST_APART_MS && length >= lease.idleSeconds * 1000;
	const action = actionOf(lease, last.isStopped);
	if (!isProven || action === undefined) return undefined;
	const evidence = `idle for ${Math.floor(length / 1000)} s in ${looks} looks until ${at(last.date)}`;
	return {kind: 'end', action, rule: 'idle', evidence, lateMs: length - lease.idleSeconds * 1000};
}

/**
 * True if the work is done, and two lists show the instance unchanged since its work was checked.
 */
function isDone(lease: Lease, row: readonly Sighting[]): Decision | undefined {
	const last = row.at(-1);
	const first = heldSince(row, ({done, isStopped}) => done !== undefined && !isStopped);
	const action = actionOf(lease, false);
	if (lease.whenDone === undefined || first === undefined || action === undefined) return undefined;
	const evidence = `${last?.done ?? ''}, two lists until ${at(last?.date ?? first.date)}`;
	return {kind: 'end', action, rule: 'done', evidence, lateMs: (last ?? first).date - first.date};
}

/** The lease of an instance that was stopped without a deadline: destruction an hour later. */
export function leaseAfterStop(lease: Lease, rule: Rule, date: number): Lease | undefined {
	if (lease.action !== 'stop-destroy' || rule === 'deadline' || rule === 'budget') return undefined;
	const endsAt = Math.ceil(date / 1000) + DESTROY_AFTER_SECONDS;
	const rules = {idleSeconds: undefined, maxCost: undefined, whenDone: undefined};
	return {...lease, ...rules, endsAt, action: 'destroy'};
}

function at(ms: number): string {
	return new Date(ms).toISOString().slice(0, 19).concat('Z');
}

/** A moment on three clocks, in milliseconds. */
export type Clocks = {
	/** The `Date` of the service's answer, since 1970. */
	readonly date: number;
	/** Clock of this machine, since 1970. */
	readonly wall: number;
	/** A clock of this process that never jumps, and stands still while the machine sleeps. */
	readonly steady: number;
};

export type Counted = Clocks & {
	/** The service's time that counts, in milliseconds since 1970. */
	readonly time: number;
	/**
	 * Moment since which the service's clock differs from the counted time, on the steady clock.
	 */
	readonly apartSince: number | undefined;
	/** Moment since which the counted time has run evenly, on the steady clock. */
	readonly evenSince: number;
	/**
	 * Moment from which a jump of the service's clock counts as a new problem, on the steady clock.
	 */
	readonly settledAt?: number | undefined;
};

/** Tolerance: dates have whole seconds, and replies take time. */
export const TOLERANCE_MS = 3000;

/** The least time between two polls that prove something. */
const LEAST_APART_MS = 10_000;

/**
 * The time by which leases end: the service's, as far as two of three clocks agree that it passed.
 * A jump of one clock does not count.
 *
 * @param before the moment of the previous poll; undefined if none counts
 */
export function advanceClock(before: Counted | undefined, now: Clocks): Counted {
	if (before === undefined) return fresh(now, now.steady);
	const gaps = [now.date - before.date, now.wall - before.wall, now.steady - before.steady];
	const time = before.time + passedBy(gaps);
	const ahead = now.date - time;
	const {evenSince} = before;
	const jump = Math.abs(ahead - (before.date - before.time));
	const isSame = jump <= TOLERANCE_MS;
	const settledAt = isSame ? before.settledAt : Math.max(before.settledAt ?? 0, now.steady + jump);
	if (Math.abs(ahead) <= TOLERANCE_MS) return {...fresh(now, evenSince), settledAt};
	const apartSince = (isSame ? before.apartSince : undefined) ?? now.steady;
	// A clock counts again once it has run evenly for as long as it jumped.
	if (now.steady - apartSince >= Math.abs(ahead)) return {...fresh(now, apartSince), settledAt};
	// Of two single dates neither disproves the other, unless this machine's clock agreed with the first.
	const wasOfMachine = Math.abs(before.date - before.wall) <= TOLERANCE_MS;
	const isLong = before.steady - evenSince >= LEAST_APART_MS;
	const isProven = before.apartSince !== undefined || wasOfMachine || isLong;
	return isProven ? {...now, time, apartSince, evenSince, settledAt} : fresh(now, now.steady);
}

/** Tolerated skew between the clocks of two machines. */
const APART_MS = 60_000;

/** Earliest plausible time: no correct clock is earlier than this program. */
const EARLIEST = Date.UTC(2025, 0);

/**
 * The time at the very first poll: time ahead of this machine's clock counts only after the clock
 * has run evenly.
 */
export function countFirst(now: Clocks): Counted {
	const isAhead = now.date - now.wall > APART_MS && now.wall >= EARLIEST;
	const counted = fresh(now, now.steady);
	return isAhead ? {...counted, time: now.wall, apartSince: now.steady} : counted;
}

function fresh(now: Clocks, evenSince: number): Counted {
	return {...now, time: now.date, apartSince: undefined, evenSince};
}

/** The time on which two clocks agree, else the earliest of the three. */
export function passedBy(gaps: readonly number[]): number {
	const [least = 0, next = 0, most = next] = gaps.toSorted((a, b) => a - b);
	const areTwo = next - least <= TOLERANCE_MS || (gaps.length > 2 && most - next <= TOLERANCE_MS);
	return Math.max(0, areTwo ? next : least);
}

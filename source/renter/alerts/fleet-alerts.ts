/** A console's alerts about leases and budgets: an end is near, has come, or is late. */
import {hasStopped} from '../../client/nouns/instance-list.ts';
import type {Fleet} from '../fleet/fleet.ts';
import {followLeases} from '../fleet/following.ts';
import {newEvents, type FleetRow, type FleetState, type FleetEvent} from '../fleet/fleet-state.ts';
import type {AgreedLeases} from '../leases/agreed.ts';
import {budgetState, type Budget} from '../leases/budgets.ts';
import {changedEvent} from '../leases/watched.ts';
import {leaseOf, startOf} from '../leases/held.ts';
import {remainingTerms, writeTerms} from '../leases/lease-terms.ts';
import {
	announcedFrom,
	leaseKey,
	slackSeconds,
	warningFor,
	warningSeconds,
	type Lease,
} from '../words/lease.ts';
import type {Timers} from '../state/timers.ts';
import type {Alert, Notify, Event} from '../words/alert.ts';
import {alertOf} from './guard-alerts.ts';
import type {AlertStore} from './kept-alerts.ts';
import type {GuardEvent} from '../leases/ending.ts';
import type {InstanceCondition} from '../instance/condition.ts';
import {presentSpent} from '../instance/cost.ts';
import {HOUR_MS} from '../../contract/rules/durations.ts';

type EndsOptions = {
	readonly fleet: Pick<Fleet, 'state'>;
	readonly notify: Pick<Notify, 'alert'>;
	readonly alerts: Pick<AlertStore, 'get' | 'acknowledge' | 'refresh'>;
	readonly timers: Timers;
	/** Name of the service. */
	readonly profile: string;
	readonly budgets: () => readonly Budget[];
};

/** Seconds after which a due end counts as late. */
const LATE_SECONDS = 120;
const MOST_WAIT_MS = HOUR_MS;

/** Follows a fleet while it is watched, and the clock between two polls. */
export function followEnds({
	fleet,
	notify,
	alerts,
	timers,
	profile,
	budgets,
}: EndsOptions): () => void {
	let latest = fleet.state.get();
	let forget: (() => void) | undefined;
	const announced = new Set<string>();
	/** Seconds that each lease had when it was made, if that was observed. */
	let lengths: ReadonlyMap<string, number> = new Map();

	function announce(event: GuardEvent, help = ''): void {
		const alert = alertOf(event, profile, timers.now());
		if (announced.has(alert.id)) return;
		announced.add(alert.id);
		notify.alert(alert, `${alert.title}. ${help === '' ? alert.text : help}`);
	}

	function check(): void {
		forget?.();
		const before = latest;
		latest = fleet.state.get();
		alerts.refresh();
		const now = timers.now();
		for (const event of endedBetween(before, latest)) announce(event);
		const deadlines = latest.rows.flatMap(row => deadlineOf(row, now) ?? []);
		const isFirst = before.checkedAt === undefined;
		lengths = new Map(
			deadlines.map(one => {
				const length = isFirst ? (one.lease.endsAt ?? Infinity) - one.start : one.left;
				return [keyOf(one), lengths.get(keyOf(one)) ?? length];
			}),
		);
		for (const deadline of deadlines) {
			const event = dueEvent(deadline, announcedFrom(lengths.get(keyOf(deadline)) ?? Infinity));
			if (event !== undefined) announce(event, event.kind === 'ending' ? EXTEND_HELP : '');
		}
		for (const event of [...lostLeases(latest), ...movedLeases(latest)]) announce(event);
		for (const event of budgetEvents(budgets(), latest, now)) announce(event);
		alerts.acknowledge(settledEnds(alerts.get(), latest.rows, {profile, now}));
		const next = msToNext(deadlines);
		forget = next === undefined ? undefined : timers.after(Math.min(next, MOST_WAIT_MS), check);
	}

	const unsubscribe = fleet.state.subscribe(check);
	return () => {
		unsubscribe();
		forget?.();
	};
}

type ChangesOptions = Pick<EndsOptions, 'fleet' | 'notify' | 'timers' | 'profile'> & {
	readonly agreed: Pick<AgreedLeases, 'note'> | undefined;
};

/** Reports leases changed by others, while a fleet is watched. */
export function followChangedLeases({fleet, notify, timers, profile, agreed}: ChangesOptions) {
	return followLeases(fleet, agreed, (changed, date) => {
		const alert = alertOf(changedEvent(changed, date), profile, timers.now());
		notify.alert(alert, `${alert.title}. ${alert.text}`);
	});
}

const EXTEND_HELP = 'A lists alerts; + there puts it off by an hour.';

type Deadline = {
	readonly id: number;
	readonly label: string;
	readonly lease: Lease;
	/** Seconds until the end; negative after it. */
	readonly left: number;
	/** The service's time, in milliseconds. */
	readonly date: number;
	/** Start of the instance, in seconds: no lease of it was made before. */
	readonly start: number;
};

const keyOf = ({id, lease}: Deadline): string => `${id} ${leaseKey(lease)}`;

/** Deadline of an instance; undefined if it has none, or has ended. @param now of this machine */
function deadlineOf(row: FleetRow, now: number): Deadline | undefined {
	const {instance, condition, skewMs} = row;
	const {lease, label} = leaseOf(instance);
	if (lease?.endsAt === undefined) return undefined;
	if (condition === 'gone' || condition === 'destroying') return undefined;
	if (lease.action !== 'destroy' && hasStopped(instance)) return undefined;
	const date = now + skewMs;
	const start = startOf(instance);
	return {id: instance.id, label, lease, left: lease.endsAt - date / 1000, date, start};
}

/** Due event: the end is near, or late. @param from seconds before the end */
function dueEvent({id, label, lease, left, date}: Deadline, from = Infinity) {
	const warning = warningFor(lease, date, from);
	if (warning !== undefined) return {kind: 'ending', id, label, ...warning} as const;
	if (-left < lateAfter(lease)) return undefined;
	return {kind: 'late', id, label, seconds: Math.round(-left), due: leaseKey(lease)} as const;
}

function lateAfter(lease: Lease): number {
	return LATE_SECONDS + slackSeconds(lease);
}

function msToNext(deadlines: readonly Deadline[]): number | undefined {
	const waits = deadlines.flatMap(({lease, left}) =>
		[...warningSeconds, -lateAfter(lease)].map(seconds => left - seconds).filter(wait => wait > 0),
	);
	return waits.length === 0 ? undefined : Math.ceil(Math.min(...waits) * 1000);
}

/** Instances observed to end after their deadline. */
function endedBetween(before: FleetState, after: FleetState): readonly GuardEvent[] {
	if (after.events === before.events) return [];
	return newEvents(before.events, after.events).flatMap(({id, to, at}): readonly GuardEvent[] => {
		const row = after.rows.find(({instance}) => instance.id === id);
		if (row === undefined || (to !== 'gone' && to !== 'stopped')) return [];
		const {lease, label} = leaseOf(row.instance);
		const isDue = lease?.endsAt !== undefined && lease.endsAt * 1000 <= at + row.skewMs;
		// The user destroyed this instance here, so it did not end by itself.
		if (!isDue || row.observation.destroyedAt !== undefined) return [];
		const act = to === 'gone' ? 'destroy' : 'stop';
		const due = leaseKey(lease);
		return [{kind: 'ended', id, label, act, evidence: 'lease deadline', proof: to, due}];
	});
}

/** Leases that were agreed here, but are missing from labels. */
function lostLeases({rows}: FleetState): readonly GuardEvent[] {
	return rows.flatMap(({instance, lostLease, now}): readonly GuardEvent[] => {
		if (lostLease === undefined) return [];
		const terms = writeTerms(remainingTerms(lostLease, Math.floor(now / 1000)));
		const {label} = leaseOf(instance);
		return [{kind: 'lost lease', id: instance.id, label, terms, due: leaseKey(lostLease)}];
	});
}

/** Leases whose deadline moved when the service's clock was corrected. */
function movedLeases({rows}: FleetState): readonly GuardEvent[] {
	return rows.flatMap(({instance, leaseMovedMs: ms, now}): readonly GuardEvent[] => {
		const {lease, label} = leaseOf(instance);
		if (ms === undefined || lease?.endsAt === undefined) return [];
		const leftMs = lease.endsAt * 1000 - now;
		return [{kind: 'moved lease', id: instance.id, label, ms, leftMs, due: leaseKey(lease)}];
	});
}

/** @param now of this machine, since when the last poll may be of another day */
function budgetEvents(
	budgets: readonly Budget[],
	{burn, spent: known, checkedAt, rows}: FleetState,
	now: number,
): readonly GuardEvent[] {
	if (checkedAt === undefined) return [];
	const spent = presentSpent(known, now + (rows[0]?.skewMs ?? 0));
	return budgets.flatMap((budget): readonly GuardEvent[] => {
		// Charges per label are unknown here.
		if (budget.label !== undefined) return [];
		const all = {hour: burn.now, day: spent?.today, month: spent?.month};
		const found = budgetState(budget, all, burn.unpriced > 0 ? undefined : burn.atMost);
		if (found === undefined || found.level === 'fine') return [];
		return [{kind: 'budget', label: '', state: found}];
	});
}

/** Announced ends that were postponed, have come, or are announced again. */
function settledEnds(
	alerts: readonly (Alert & {readonly isNew: boolean})[],
	rows: readonly FleetRow[],
	{profile, now}: {readonly profile: string; readonly now: number},
): readonly string[] {
	const open = alerts.filter(({kind, isNew}) => isNew && kind === 'lease-ending');
	return open.flatMap(({id, instance}) => {
		const row = rows.find(one => one.instance.id === instance);
		// A single list may leave an instance out.
		if (row === undefined) return [];
		const deadline = deadlineOf(row, now);
		const event = deadline && dueEvent(deadline);
		const isAnnounced = event?.kind === 'ending' && alertOf(event, profile, now).id === id;
		return isAnnounced ? [] : [id];
	});
}

export type NextChange = {
	/**
	 * Requests a notification of an instance's next change, or cancels it; returns true if it is
	 * now requested.
	 */
	readonly toggle: (id: number) => boolean;
	readonly isAsked: (id: number) => boolean;
};

/** Announces the next change of single instances, once for each request. */
export function createNextChange(fleet: Pick<Fleet, 'state'>, notify: Notify): NextChange {
	const asked = new Set<number>();
	let {events} = fleet.state.get();
	fleet.state.subscribe(() => {
		const before = events;
		({events} = fleet.state.get());
		for (const event of newEvents(before, events)) {
			if (asked.delete(event.id)) notify.send(changeOf(event));
		}
	});
	return {
		toggle(id) {
			if (!asked.delete(id)) asked.add(id);
			return asked.has(id);
		},
		isAsked: id => asked.has(id),
	};
}

const conditionTexts: Readonly<Partial<Record<InstanceCondition, string>>> = {
	noSsh: 'running without an answer by SSH',
	undead: 'still listed although it was destroyed',
	waiting: 'waiting for its GPUs',
	destroying: 'being destroyed',
};

function changeOf({id, label, from, to, at}: FleetEvent): Event {
	const name = label === '' ? `Instance ${id}` : `${label} (${id})`;
	const was = from === undefined ? '' : `was ${conditionTexts[from] ?? from}, and `;
	// The time of the change is part of the state, so that each change is announced.
	return {
		kind: 'changed',
		instance: id,
		about: `instance ${id}`,
		state: `${to} at ${at}`,
		text: `${name} ${was}is now ${conditionTexts[to] ?? to}.`,
	};
}

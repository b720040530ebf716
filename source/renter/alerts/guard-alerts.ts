/** Alerts of leases and budgets: the same event has the same id on every machine. */
import {createHash} from 'node:crypto';
import {spokenTime} from '../instance/times.ts';
import {money, pricePerHour} from '../text/format.ts';
import {budgetText, type BudgetState} from '../leases/budgets.ts';
import {type GuardEvent, isLabelEvent, type LabelEvent, MOST_PAUSE_MS} from '../leases/ending.ts';
import type {Alert, AlertKind, AnnouncedEnd} from '../words/alert.ts';
import {keptAlert, type AlertStore, type KeptAlert} from './kept-alerts.ts';
import {HOUR_MS} from '../../contract/rules/durations.ts';

export function alertOf(event: GuardEvent, profile: string, now: number): Alert {
	const instance = 'id' in event ? event.id : undefined;
	const name = [instance ?? profile, event.label].join(' ').trim();
	const {kind, title, text, key} = alertText(event, name);
	// A budget is renewed each day.
	const day = event.kind === 'budget' ? new Date(now).toISOString().slice(0, 10) : '';
	const identity = JSON.stringify([profile, instance, kind, key, day]);
	const id = createHash('sha256').update(identity).digest('hex').slice(0, 32);
	const alert = {id, kind, at: new Date(now).toISOString(), title, text, profile, instance};
	if (event.kind !== 'ending') return alert;
	const at = new Date(now + event.seconds * 1000).toISOString();
	return wordedAt({...alert, ends: {name, at}}, now);
}

/** The alert in words that are true at a moment: a late warning admits that it is late. */
export function wordedAt(alert: Alert, now: number): Alert {
	return alert.ends === undefined ? alert : {...alert, title: titleOfEnd(alert.ends, now)};
}

function titleOfEnd({name, at}: AnnouncedEnd, now: number): string {
	const left = Date.parse(at) - now;
	if (left <= 0) return `${name} was to end ${spokenTime(-left)} ago`;
	return `${name} ends in ${Math.max(1, Math.round(left / 60_000))} min`;
}

type AlertText = {
	readonly kind: AlertKind;
	readonly title: string;
	readonly text: string;
	/** Key of the event among others of its kind. */
	readonly key: string;
};

function alertText(event: GuardEvent, name: string): AlertText {
	if (isLabelEvent(event)) return labelAlert(event, name);
	switch (event.kind) {
		case 'ending': {
			const text = `rentty lease ${event.id} --extend 1h puts it off.`;
			return {kind: 'lease-ending', title: `${name} ends`, text, key: event.due};
		}
		case 'late': {
			const minutes = Math.round(event.seconds / 60);
			const title = `${name} was to end ${minutes} min ago, and is still there`;
			const text = 'It may go on costing: nothing has ended it.';
			return {kind: 'lease-failed', title, text, key: `late ${event.due}`};
		}
		case 'postponed':
			return {
				kind: 'lease-postponed',
				title: `${name} ends later`,
				text: event.why,
				key: event.due,
			};
		case 'ended': {
			const text = `${event.proof}: ${event.evidence}`;
			return {kind: 'lease-ended', title: `${name} has ended`, text, key: event.act};
		}
		case 'not ended': {
			const {act, proof, due} = event;
			const often = `in the end every ${MOST_PAUSE_MS / 60_000} minutes`;
			const text = `${act} did not work: ${proof}. It may go on costing. It is tried again and again, ${often}.`;
			return {kind: 'lease-failed', title: `${name} did not end`, text, key: `${act} ${due}`};
		}
		case 'clock':
		case 'contradiction':
			return serviceAlert(event, name);
		case 'budget':
		case 'may cost':
		case 'dearer':
			return moneyAlert(event, name);
	}
}

type ServiceEvent = GuardEvent & {readonly kind: 'clock' | 'contradiction'};

/** Text about a service's claim, which is not taken as true. */
function serviceAlert(event: ServiceEvent, name: string): AlertText {
	switch (event.kind) {
		case 'clock': {
			const {seconds, date} = event;
			const far = `${spokenTime(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'back' : 'on'}`;
			const title = `The clock of ${name} jumped ${far}`;
			const text =
				'That is not taken for time: what runs ends by the clock of before, until the new one has gone on for as long. Nothing is ended earlier.';
			return {kind: 'guard-trouble', title, text, key: `clock ${date}`};
		}
		case 'contradiction': {
			const {field, before, after} = event;
			const title = `The service contradicts itself about ${name}`;
			const text = `${field} was ${before}, and is ${after} now: nothing is ended by it. Its deadline and its price count as before.`;
			return {kind: 'guard-trouble', title, text, key: field};
		}
	}
}

type MoneyEvent = GuardEvent & {readonly kind: 'budget' | 'may cost' | 'dearer'};

function moneyAlert(event: MoneyEvent, name: string): AlertText {
	switch (event.kind) {
		case 'budget':
			return budgetAlert(event.state, name);
		case 'may cost': {
			const {due, costs} = event;
			const text = `It has cost ${costs}: nothing ends it by its cost until that is certain.`;
			return {kind: 'budget', title: `${name} may have cost its limit`, text, key: `may ${due}`};
		}
		case 'dearer': {
			const {id, from, to, untilEnd} = event;
			const end = untilEnd === undefined ? '' : `, ${money(untilEnd)} until its end`;
			const text = `${pricePerHour(to)} instead of ${pricePerHour(from)}${end}. rentty destroy ${id} ends it.`;
			return {kind: 'dearer', title: `${name} costs more`, text, key: String(to)};
		}
	}
}

/** Text about a label whose lease is not the agreed one. */
function labelAlert(event: LabelEvent, name: string): AlertText {
	switch (event.kind) {
		case 'unknown lease': {
			const text = 'Its label has a lease that cannot be read: nothing is ended by it here.';
			return {kind: 'guard-trouble', title: `${name} is not guarded`, text, key: ''};
		}
		case 'overdue lease': {
			const {id, seconds, due} = event;
			const ago = spokenTime(seconds * 1000);
			const text = `Its label has a deadline that was ${ago} past when it was first seen here: nothing is ended by it. rentty lease ${id} --for 1h sets another, rentty destroy ${id} ends it.`;
			return {kind: 'lease-changed', title: `${name} has an old deadline`, text, key: `old ${due}`};
		}
		case 'changed lease': {
			const {before, after, due} = event;
			const text = `Agreed was: ${before}. Its label says now: ${after}. If that was not you, set it again with rentty lease ${event.id}.`;
			return {kind: 'lease-changed', title: `${name} has another lease`, text, key: due};
		}
		case 'lost lease': {
			const {id, terms, due} = event;
			const text = `Its label no longer says what was agreed: ${terms}. Nothing is ended by that here, and a watchdog in it still may act. rentty lease ${id} --restore writes it again, --none lets go of it.`;
			return {kind: 'guard-trouble', title: `${name} has lost its lease`, text, key: `lost ${due}`};
		}
		case 'moved lease': {
			const title = `${name} ends at another time than was asked for`;
			return {kind: 'lease-changed', title, text: movedText(event), key: `moved ${event.due}`};
		}
	}
}

type Moved = {
	readonly id: number;
	/** Milliseconds by which the end is later than requested; negative if earlier. */
	readonly ms: number;
	readonly leftMs: number;
};

/**
 * Sentences about a deadline that a wrong clock of the service moved, and how to set the intended
 * one.
 */
export function movedText({id, ms, leftMs}: Moved): string {
	const side = ms > 0 ? 'ahead' : 'behind';
	const clock = `The service's clock was ${spokenTime(Math.abs(ms))} ${side} when the lease of ${id} was set, and is right now.`;
	const meantMs = leftMs - ms;
	const ends = `It ends in ${spokenTime(Math.max(0, leftMs))}`;
	if (meantMs <= 0) return `${clock} ${ends}, and was to have ended: rentty destroy ${id} ends it.`;
	const minutes = Math.max(1, Math.round(meantMs / 60_000));
	return `${clock} ${ends}, and ${spokenTime(meantMs)} was meant: rentty lease ${id} --for ${minutes}m sets that.`;
}

const budgetTitles: Readonly<Record<BudgetState['level'], (name: string) => string>> = {
	fine: name => `${name} keeps its budget`,
	near: name => `${name} nears its budget`,
	'may be over': name => `The budget of ${name} may be spent`,
	over: name => `The budget of ${name} is spent`,
};

function budgetAlert(state: BudgetState, name: string): AlertText {
	const {level, of, limit} = state;
	const isUncertain = level === 'may be over';
	const text = `It costs ${budgetText(state)}${isUncertain ? ': nothing ends by what is not certain' : ''}.`;
	return {kind: 'budget', title: budgetTitles[level](name), text, key: `${level} ${of} ${limit}`};
}

type OutboxOptions = {
	readonly kept: AlertStore;
	/** Sends an alert by every route; fulfils even if a route failed for good. */
	readonly deliver: (alert: Alert) => Promise<unknown>;
	/** After an abort, alerts in progress count as not sent. */
	readonly signal: AbortSignal;
	/** In milliseconds. */
	readonly now: () => number;
};

const MOST_AN_HOUR = 30;
/**
 * The most queued troubles of the guard itself, so that events of instances are not crowded out.
 */
const MOST_TROUBLES = 10;

/**
 * At-least-once alerts: each is written to its file first. A guard sends at most so many an hour,
 * also for a service that makes it report more; the others wait in the file.
 */
export function openOutbox({kept, deliver, signal, now}: OutboxOptions) {
	const underWay = new Map<string, Promise<void>>();
	let started: ReadonlyArray<{readonly kind: AlertKind; readonly at: number}> = [];

	function isWithinLimit(kind: AlertKind): boolean {
		started = started.filter(({at}) => Math.abs(now() - at) < HOUR_MS);
		const troubles = started.filter(one => one.kind === 'guard-trouble').length;
		return started.length < MOST_AN_HOUR && (kind !== 'guard-trouble' || troubles < MOST_TROUBLES);
	}

	async function send(alert: Alert): Promise<void> {
		await kept.settle();
		await deliver(alert);
		if (!signal.aborted) kept.markSent(alert.id);
	}

	function start(alert: Alert): void {
		const {id, kind} = alert;
		if (underWay.has(id) || !isWithinLimit(kind)) return;
		started = [...started, {kind, at: now()}];
		underWay.set(
			id,
			send(alert).finally(() => underWay.delete(id)),
		);
	}

	return {
		/** Keeps and sends an alert unless its event is known: either the console or the guard sends it. */
		add(alert: Alert | KeptAlert): void {
			const one = 'key' in alert ? alert : keptAlert(alert);
			if (kept.add({...one, isUntold: true})) start(alert);
		},
		/** Sends alerts that this guard, or one before it, has not sent. */
		resume(): void {
			kept.refresh();
			for (const {key: _key, isNew: _isNew, isUntold, ...alert} of kept.get()) {
				if (isUntold === true) start(alert);
			}
		},
		/** Waits for all sends in progress, and until everything is in the file. */
		async settle(): Promise<void> {
			await Promise.all(underWay.values());
			await kept.settle();
		},
	};
}

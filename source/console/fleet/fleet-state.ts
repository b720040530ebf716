/** All that is known of what is rented, and how a look at the service changes it. */
import type {Instance} from '../../contract/instance-record.ts';
import type {Limits} from '../default-settings.ts';
import {noteBoot, usualLoading} from './boot-times.ts';
import type {BootTimes} from './boot-times.ts';
import {burnOf, noBurn, rateOf} from './burn.ts';
import type {Burn, Rated} from './burn.ts';
import {conditionOf} from './condition.ts';
import type {Condition, Sight} from './condition.ts';
import {miss, observe} from './observations.ts';
import type {Observation} from './observations.ts';
import {byTrouble, troublesOf} from './order.ts';
import type {Troubles} from './order.ts';
import type {Spent} from './spending.ts';

/** An instance with all that is made of it. A new look makes a new one. */
export type FleetRow = Sight & Rated;

/** Something that happened to an instance. */
export type FleetEvent = {
	readonly at: number;
	readonly id: number;
	readonly label: string;
	readonly from: Condition | undefined;
	readonly to: Condition;
};

export type BurnSample = {readonly at: number; readonly now: number; readonly atMost: number};

export type FleetState = {
	/** Trouble first, then the dearest. */
	readonly rows: readonly FleetRow[];
	readonly burn: Burn;
	readonly troubles: Troubles;
	/** What happened while rentty looked, the last first. */
	readonly events: readonly FleetEvent[];
	/** What it cost of late, the last sample last: one a minute at most. */
	readonly samples: readonly BurnSample[];
	readonly boots: BootTimes;
	/** When the service last told; undefined before the first time. */
	readonly checkedAt: number | undefined;
	/** Why the last look failed. */
	readonly error: Error | undefined;
	/** How many times more seldom than usual the service is asked, for it wanted fewer calls: 1 or more. */
	readonly slowness: number;
	/** Dollars. */
	readonly credit: number | undefined;
	/** What was charged of late; undefined where the service does not say. */
	readonly spent: Spent | undefined;
	readonly isPaused: boolean;
	/** Milliseconds between two looks. */
	readonly everyMs: number;
};

export const unseenFleet: FleetState = {
	rows: [],
	burn: noBurn,
	troubles: {undead: 0, stuck: 0, dead: 0},
	events: [],
	samples: [],
	boots: {},
	checkedAt: undefined,
	error: undefined,
	slowness: 1,
	credit: undefined,
	spent: undefined,
	isPaused: false,
	everyMs: 10_000,
};

export type Look = {
	readonly now: number;
	readonly limits: Limits;
	/** What an earlier run of the program saw of instances. */
	readonly remembered?: ReadonlyMap<number, Observation>;
};

const MOST_EVENTS = 50;
const SAMPLE_MS = 60_000;
const MOST_SAMPLES = 360;

/** How many looks in a row must miss an instance before its row goes. */
const LOOKS_TO_FORGET = 2;

/** Takes the whole list as the service sent it. */
export function lookAtAll(
	state: FleetState,
	instances: readonly Instance[],
	look: Look,
): FleetState {
	const before = new Map(state.rows.map(row => [row.instance.id, row]));
	let {boots} = state;
	const rows = instances.map(instance => {
		const row = before.get(instance.id);
		before.delete(instance.id);
		const seen = row?.seen ?? look.remembered?.get(instance.id);
		const observed = observe(seen, instance, sightOptions(look));
		boots = noteBoot(boots, instance, seen, observed);
		return rowOf(instance, observed, {...look, boots});
	});
	for (const row of before.values()) {
		const seen = miss(row.seen);
		if (seen.missed < LOOKS_TO_FORGET) rows.push(rowOf(row.instance, seen, {...look, boots}));
	}
	return {
		...withRows({...state, boots}, rows, look.now),
		checkedAt: look.now,
		error: undefined,
	};
}

/** Takes one instance, or word that it is not there. The other rows stay the same objects. */
export function lookAtOne(
	state: FleetState,
	id: number,
	instance: Instance | undefined,
	look: Look,
): FleetState {
	const row = state.rows.find(({instance: {id: other}}) => other === id);
	if (row === undefined) return state;
	const seen =
		instance === undefined ? miss(row.seen) : observe(row.seen, instance, sightOptions(look));
	const boots =
		instance === undefined ? state.boots : noteBoot(state.boots, instance, row.seen, seen);
	const next = rowOf(instance ?? row.instance, seen, {...look, boots});
	const rows = state.rows.flatMap(other => {
		if (other !== row) return [other];
		return seen.missed < LOOKS_TO_FORGET ? [next] : [];
	});
	return withRows({...state, boots}, rows, look.now);
}

/** Notes what rentty itself knows of an instance: that its destruction was accepted. */
export function noteOf(
	state: FleetState,
	id: number,
	note: Pick<Observation, 'destroyedAt'>,
	look: Look,
): FleetState {
	const rows = state.rows.map(row =>
		row.instance.id === id
			? rowOf(row.instance, {...row.seen, ...note}, {...look, boots: state.boots})
			: row,
	);
	return withRows(state, rows, look.now);
}

/** Notes whether SSH answered, by instance. */
export function noteSsh(
	state: FleetState,
	answers: ReadonlyMap<number, boolean>,
	look: Look,
): FleetState {
	const rows = state.rows.map(row => {
		const hasAnswered = answers.get(row.instance.id);
		if (hasAnswered === undefined) return row;
		const {sshAnsweredAt, sshSilentSince, ...seen} = row.seen;
		const heard = hasAnswered
			? {sshAnsweredAt: sshAnsweredAt ?? look.now, sshSilentSince: undefined}
			: {sshAnsweredAt, sshSilentSince: sshSilentSince ?? look.now};
		return rowOf(row.instance, {...seen, ...heard}, {...look, boots: state.boots});
	});
	return withRows(state, rows, look.now);
}

function sightOptions({now, limits}: Look) {
	return {now, idleBelow: limits.idleBelowPercent};
}

function rowOf(
	instance: Instance,
	seen: Observation,
	{now, limits, boots}: Look & {readonly boots: BootTimes},
): FleetRow {
	const sight: Sight = {instance, seen, usualMs: usualLoading(boots, instance), limits, now};
	const condition = conditionOf(sight);
	return {...sight, condition, rate: rateOf(instance, condition)};
}

function withRows(state: FleetState, unordered: readonly FleetRow[], now: number): FleetState {
	const rows = unordered.toSorted(byTrouble);
	const burn = burnOf(rows);
	// What was there at the first look did not happen.
	const events = state.checkedAt === undefined ? [] : eventsOf(state.rows, rows, now);
	return {
		...state,
		rows,
		burn,
		troubles: troublesOf(rows),
		events: [...events, ...state.events].slice(0, MOST_EVENTS),
		samples: sampled(state.samples, {at: now, now: burn.now, atMost: burn.atMost}),
	};
}

function eventsOf(
	before: readonly FleetRow[],
	after: readonly FleetRow[],
	at: number,
): readonly FleetEvent[] {
	const conditions = new Map(before.map(({instance: {id}, condition}) => [id, condition]));
	return after.flatMap(({instance: {id, label}, condition: to}) => {
		const from = conditions.get(id);
		return from === to ? [] : [{at, id, label: label ?? '', from, to}];
	});
}

/** Of events with the last one first, those that came since. */
export function newEvents(
	before: readonly FleetEvent[],
	after: readonly FleetEvent[],
): readonly FleetEvent[] {
	const [last] = before;
	const at = last === undefined ? -1 : after.indexOf(last);
	return at === -1 ? after : after.slice(0, at);
}

function sampled(samples: readonly BurnSample[], sample: BurnSample): readonly BurnSample[] {
	const last = samples.at(-1);
	if (last !== undefined && sample.at - last.at < SAMPLE_MS) return samples;
	return [...samples, sample].slice(-MOST_SAMPLES);
}

/** Hourly cost of a fleet: certain, at most, and wasted. Dollars. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {isAtRest, type InstanceCondition} from './condition.ts';

/** Hourly price of one instance; undefined parts are not sent by the service. */
export type HourlyRate = {
	readonly now: number | undefined;
	/** Price once the instance does what it should. */
	readonly atMost: number | undefined;
};

export type Rated = {
	readonly instance: Instance;
	readonly condition: InstanceCondition;
	readonly rate: HourlyRate;
};

/** Hourly price of an instance in its present state, and the highest until a user changes it. */
export function rateOf(instance: Instance, condition: InstanceCondition): HourlyRate {
	if (condition === 'gone') return {now: 0, atMost: 0};
	const now = instance.instance?.totalHour ?? presentRate(instance) ?? undefined;
	if (isAtRest(condition)) return {now, atMost: now};
	const full = instance.dph_total ?? undefined;
	return {now, atMost: full === undefined ? undefined : Math.max(full, now ?? 0)};
}

/** Price of an hour while it runs, with its disk; undefined if the service does not send it. */
export function fullPrice({dph_total: total, dph_base: base, storage_total_cost: disk}: Instance) {
	const sum = typeof base === 'number' ? base + (disk ?? 0) : undefined;
	return typeof total === 'number' && Number.isFinite(total) ? total : sum;
}

/** For services without a present price: computing while the instance runs, and its disk. */
function presentRate({actual_status: status, dph_total, storage_total_cost}: Instance) {
	return status === 'running' ? dph_total : storage_total_cost;
}

type Share = {
	readonly count: number;
	readonly now: number;
	readonly atMost: number;
};

type BurnGroup = 'running' | 'stopped' | 'booting' | 'stuck' | 'dead';

export type Burn = Share & {
	/** Count of instances without a known price. */
	readonly unpriced: number;
	readonly groups: Readonly<Record<BurnGroup, Share>>;
};

const none: Share = {count: 0, now: 0, atMost: 0};

export const noBurn: Burn = {
	...none,
	unpriced: 0,
	groups: {running: none, stopped: none, booting: none, stuck: none, dead: none},
};

const groupOf: Readonly<Record<InstanceCondition, BurnGroup>> = {
	undead: 'dead',
	stuck: 'stuck',
	dead: 'dead',
	noSsh: 'running',
	failing: 'dead',
	failed: 'stopped',
	slow: 'booting',
	provisioning: 'booting',
	loading: 'booting',
	destroying: 'dead',
	other: 'running',
	running: 'running',
	idle: 'running',
	waiting: 'stopped',
	stopped: 'stopped',
	unlisted: 'booting',
	gone: 'dead',
};

/** Cost of a whole fleet. Destroyed instances cost nothing and are not counted. */
export function burnOf(fleet: readonly Rated[]): Burn {
	const groups = {...noBurn.groups};
	let total = none;
	let unpriced = 0;
	for (const {condition, rate} of fleet) {
		if (condition === 'gone') continue;
		const {now = 0, atMost = now} = rate;
		if (rate.now === undefined || rate.atMost === undefined) unpriced += 1;
		total = add(total, now, atMost);
		const group = groupOf[condition];
		groups[group] = add(groups[group], now, atMost);
	}
	return {...total, unpriced, groups};
}

function add({count, ...share}: Share, now: number, atMost: number): Share {
	return {count: count + 1, now: share.now + now, atMost: share.atMost + atMost};
}

export type Waste = {
	readonly id: number;
	readonly reason: 'stuck' | 'dead' | 'idle' | 'failed' | 'stopped';
	readonly perHour: number;
	/** True if the cost is a worst case. */
	readonly isAtMost: boolean;
};

/** Possible savings, the largest first. */
export function wasteIn(fleet: readonly Rated[]): readonly Waste[] {
	return fleet.flatMap(wasteOf).toSorted((a, b) => b.perHour - a.perHour || a.id - b.id);
}

const reasons: Readonly<Partial<Record<InstanceCondition, Waste['reason']>>> = {
	stuck: 'stuck',
	dead: 'dead',
	undead: 'dead',
	idle: 'idle',
	failed: 'failed',
	stopped: 'stopped',
};

function wasteOf({instance: {id}, condition, rate: {now = 0, atMost = 0}}: Rated): Waste[] {
	const reason = reasons[condition];
	if (reason === undefined) return [];
	// An idle instance costs its present price; a stuck one may begin to cost its full price at any time.
	const perHour = reason === 'idle' ? now : atMost;
	return perHour === 0 ? [] : [{id, reason, perHour, isAtMost: perHour > now}];
}

/** Hours that a credit lasts, at worst and at best; undefined if that is unknown. */
export function creditHours(
	credit: number | undefined,
	{now, atMost, unpriced}: Pick<Burn, 'now' | 'atMost' | 'unpriced'>,
): {readonly least: number; readonly most: number} | undefined {
	if (credit === undefined || unpriced > 0 || atMost <= 0) return undefined;
	const left = Math.max(0, credit);
	return {least: left / atMost, most: now > 0 ? left / now : Number.POSITIVE_INFINITY};
}

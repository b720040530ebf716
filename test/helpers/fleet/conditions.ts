/** Looks at one instance without a service, and what it is said to be. */
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {conditionOf, type Sight} from '../../../source/renter/instance/condition.ts';
import {observe, type Observation} from '../../../source/renter/instance/observations.ts';
import {atMinute, startDate} from './looks.ts';

export const {limits} = defaultSettings;
export const MINUTE = 60_000;

/** What a service says of one instance at a look. */
export type Seen = Partial<Omit<Instance, 'id'>> & {
	/** On the service's clock. */
	readonly minute: number;
	/** On this machine's clock. @default the same */
	readonly localMinute?: number;
	/** The minute at which rentty itself started it last, on this machine's clock. */
	readonly startedMinute?: number | undefined;
};

type Known = {readonly usualMs?: number; readonly note?: Partial<Observation>};

/** Looks at one instance at several times, and says what it is at the last. */
export const after = (looks: readonly Seen[], known?: Known) =>
	conditionOf(sightAfter(looks, known));

/** The last of several looks at one instance, with what they have shown. */
export function sightAfter(looks: readonly Seen[], known: Known = {}): Sight {
	let seen: Observation | undefined;
	let instance: Instance = {id: 7};
	let now = atMinute(0);
	let localNow = now;
	for (const {minute, localMinute = minute, startedMinute, ...fields} of looks) {
		now = atMinute(minute);
		localNow = atMinute(localMinute);
		instance = {id: 7, intended_status: 'running', cur_state: 'running', ...fields};
		const bootMs = limits.bootMinutes * MINUTE;
		const startedAt = startedMinute === undefined ? undefined : atMinute(startedMinute);
		const moment = {now, localNow, startedAt};
		seen = observe(seen, instance, {...moment, idleBelow: limits.idleBelowPercent, bootMs});
	}
	if (seen === undefined) throw new Error('nothing was looked at');
	const {usualMs, note} = known;
	return {instance, observation: {...seen, ...note}, usualMs, limits, now, skewMs: now - localNow};
}

export const loads = (minute: number): Seen => ({minute, actual_status: 'loading'});
export const runs = (minute: number): Seen => ({minute, actual_status: 'running', gpu_util: 90});

/** Made ten days before the first look, with as much time left. */
export const old = {start_date: startDate(-14_400), duration: 864_000};

/** What a guard knows of the instances that it watches, from one look to the next. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {countOn, type Clocks, type Counted, mayCost} from './decide.ts';
import type {GuardEvent} from './ending.ts';
import type {Held} from './held.ts';
import {leaseKey, type Lease} from '../words/lease.ts';
import {unseen, type Seen} from './sightings.ts';

export type Watched = {
	readonly seen: Seen;
	/** Clocks at the last look; undefined before the first. */
	readonly clock: Counted | undefined;
	/** The lease that these looks are for: another one begins anew. */
	readonly leaseText: string;
	readonly endsAt: number | undefined;
	/** Its label and lease at the last look. */
	readonly held: Held;
	/** Bytes that the instance's network had carried. */
	readonly bytes: number | undefined;
	/** The nearest warning that was given, in seconds before the end. */
	readonly warned: number;
	/** It was said that it may have cost the limit of its lease. */
	readonly isCostSaid?: boolean | undefined;
};

/** What another guard knew of an instance. */
export type ResumedLook = Omit<Watched, 'held'>;

/** An instance of a list, with the label and the lease that it holds. */
export type Listed = Held & {readonly instance: Instance};

type Options = {
	/** Told of an instance whose lease is another, or not known before, at the service's time in milliseconds. */
	readonly renew: (listed: Listed, date: number) => void;
	/** Told of an instance whose lease is another, or that is gone. */
	readonly forget: (id: number) => void;
	/** What the guard before knew of an instance. */
	readonly resume: (id: number, now: Clocks) => ResumedLook | undefined;
};

const fresh = {seen: unseen, bytes: undefined, warned: Infinity};

export function createWatched({renew, forget, resume}: Options) {
	const all = new Map<number, Watched>();
	return {
		all: (): ReadonlyArray<readonly [id: number, watched: Watched]> => [...all],
		get: (id: number): Watched | undefined => all.get(id),
		set: (id: number, watched: Watched): void => void all.set(id, watched),
		/** Observations of earlier looks under the same lease. */
		recall(listed: Listed, now: Clocks): Watched {
			const {instance, ...held} = listed;
			const {id} = instance;
			const {lease, isUnknown} = held;
			const leaseText = isUnknown ? 'unknown' : lease === undefined ? 'none' : leaseKey(lease);
			const before = all.get(id) ?? resume(id, now);
			if (before?.leaseText === leaseText) return {...before, held};
			forget(id);
			renew(listed, now.date);
			const endsAt = lease?.endsAt;
			// A deadline that was set by a clock that jumped is one of that clock.
			const clock = before?.endsAt === endsAt ? before?.clock : undefined;
			return {...fresh, leaseText, endsAt, held, clock};
		},
		/** Forgets all that are not listed. */
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

/** Counts the service's time, and says once of each jump of its clock that it is not taken for time. */
export function createClockNote(
	tell: (event: GuardEvent) => void,
	resume: (now: Clocks) => Counted | undefined,
) {
	let last: Counted | undefined;
	return (now: Clocks): Counted => {
		const before = last ?? resume(now);
		last = countOn(before, now);
		const {apartSince, date, time} = last;
		if (apartSince !== undefined && apartSince !== before?.apartSince) {
			tell({kind: 'clock', label: '', seconds: Math.round((date - time) / 1000), date});
		}
		return last;
	};
}

type Leased = {readonly id: number; readonly label: string; readonly lease: Lease};

/** Says once under a lease that its limit of cost may be reached; true once it is said. */
export function noteCost(
	{id, label, lease}: Leased,
	{seen, isCostSaid = false}: Pick<Watched, 'seen' | 'isCostSaid'>,
	tell: (event: GuardEvent) => void,
): boolean {
	const last = seen.sightings.at(-1);
	const costs = last && mayCost(lease, last);
	if (costs === undefined || isCostSaid) return isCostSaid;
	tell({kind: 'may cost', id, label, costs, due: leaseKey(lease)});
	return true;
}

/** What a guard knows of the instances that it watches, from one look to the next. */
import type {Instance} from '../../contract/instance-record.ts';
import {countOn, type Clocks, type Counted} from './clocks.ts';
import type {GuardEvent} from './ending.ts';
import type {Held} from './held.ts';
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
};

type Listed = Held & {readonly instance: Instance};

type Options = {
	readonly tell: (event: GuardEvent) => void;
	/** Told of an instance whose lease is another, or that is gone. */
	readonly forget: (id: number) => void;
};

const fresh = {seen: unseen, bytes: undefined, warned: Infinity};

export function createWatched({tell, forget}: Options) {
	const all = new Map<number, Watched>();
	return {
		all: (): ReadonlyArray<readonly [id: number, watched: Watched]> => [...all],
		get: (id: number): Watched | undefined => all.get(id),
		set: (id: number, watched: Watched): void => void all.set(id, watched),
		/** Observations of earlier looks under the same lease. */
		recall({instance: {id}, ...held}: Listed): Watched {
			const {label, lease, isUnknown} = held;
			const leaseText = isUnknown ? 'unknown' : JSON.stringify(lease ?? null);
			const before = all.get(id);
			if (before?.leaseText === leaseText) return {...before, held};
			forget(id);
			if (isUnknown) tell({kind: 'unknown lease', id, label});
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

/** Says once of each jump of the service's clock that it is not taken for time that passed. */
export function createClockNote(tell: (event: GuardEvent) => void) {
	let last: Counted | undefined;
	return (now: Clocks): void => {
		const before = last;
		last = countOn(before, now);
		const {apartSince, date, time} = last;
		if (apartSince === undefined || apartSince === before?.apartSince) return;
		tell({kind: 'clock', label: '', seconds: Math.round((date - time) / 1000), date});
	};
}

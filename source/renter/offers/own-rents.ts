/**
 * Offers that were rented from here, from the journal: a service may still list them for a while.
 */
import type {JournalEntry} from '../../client/journal/journal.ts';
import {targetIdsOf} from '../../client/journal/targets.ts';
import {HOUR_MS} from '../../contract/rules/durations.ts';

type OwnRent = {
	readonly instance: number;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly at: number;
};

/**
 * Longest time for which a service still lists a rented offer; later the instance may have ended
 * elsewhere.
 */
const LISTED_MS = HOUR_MS;

const ends = new Set(['gone', 'done']);

/** Instances whose end was requested here, and accepted. */
export function endedFromHere(entries: readonly JournalEntry[]): ReadonlySet<number> {
	const destroyed = entries.filter(
		({change, answers}) =>
			change.action === 'instances.destroy' && answers.some(({outcome}) => ends.has(outcome)),
	);
	return new Set(destroyed.flatMap(({change: {target}}) => targetIdsOf(target)));
}

/** By the offer's id, without those whose instance was destroyed from here. */
export function ownRents(
	entries: readonly JournalEntry[],
	now: number,
): ReadonlyMap<number, OwnRent> {
	const ended = endedFromHere(entries);
	const rents = new Map<number, OwnRent>();
	for (const {change, answers} of entries.toReversed()) {
		const at = Date.parse(change.at) || 0;
		const {target, action} = change;
		const made = answers.findLast(({instance}) => instance !== undefined)?.instance;
		if (action !== 'instances.create' || typeof target !== 'number') continue;
		if (made === undefined || ended.has(made)) continue;
		if (now - at < LISTED_MS) rents.set(target, {instance: made, at});
	}
	return rents;
}

/** Offers that were rented from here, as the journal has it: a service may list them for a while yet. */
import type {JournalEntry} from '../../client/journal/journal.ts';

export type OwnRent = {
	readonly instance: number;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly at: number;
};

/** Longest time for which a service lists what it has rented out; the instance may have ended elsewhere since. */
const LISTED_MS = 3_600_000;

const ends = new Set(['gone', 'done']);

/** By the number of the offer, without those whose instance was destroyed from here. */
export function ownRents(
	entries: readonly JournalEntry[],
	now: number,
): ReadonlyMap<number, OwnRent> {
	const rents = new Map<number, OwnRent>();
	for (const {change, answers} of entries.toReversed()) {
		const at = Date.parse(change.at) || 0;
		const {target, action} = change;
		const made = answers.findLast(({instance}) => instance !== undefined)?.instance;
		if (action === 'instances.destroy' && answers.some(({outcome}) => ends.has(outcome))) {
			for (const [offer, {instance}] of rents) if (instance === target) rents.delete(offer);
		}
		if (action !== 'instances.create' || typeof target !== 'number') continue;
		if (made !== undefined && now - at < LISTED_MS) rents.set(target, {instance: made, at});
	}
	return rents;
}

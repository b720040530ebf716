/** Contradictions to a reply that names an order's instance. Loads nothing. */
import {requestMarkOf} from '../../contract/rules/env.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {PendingRent} from './pending-rent.ts';
import {DAY_MS} from '../../contract/rules/durations.ts';

/**
 * Instances with the mark of a pending rent, the oldest first: more than one is a double. Instances
 * from before it are excluded, whatever environment a service shows.
 */
export function instancesWithMark(pending: PendingRent, instances: readonly Instance[]) {
	return instances
		.filter(instance => requestMarkOf(instance.extra_env) === pending.token)
		.filter(instance => !wasThere(pending, instance))
		.toSorted((one, other) => one.id - other.id);
}

/**
 * True for an instance from before the rent. Its age counts only without a complete earlier list,
 * and only by the service's own clock.
 */
function wasThere(pending: PendingRent, {id, start_date: start}: Instance): boolean {
	const {before, sentAt = 0} = pending;
	// Clocks differ, and lists may be incomplete: an instance much older than the order is not its
	// result.
	const isOld = before === undefined && (start ?? Infinity) * 1000 < sentAt - DAY_MS;
	return isOld || isKnown(pending, id);
}

function isKnown({before = [], known = []}: PendingRent, id: number): boolean {
	return before.includes(id) || known.includes(id);
}

/** Tolerance for inaccurate clocks of services. */
const OLDER_MS = 10 * 60 * 1000;

/** Contradiction to a reply that this instance is the order's; undefined for none. */
export function notMade(
	pending: PendingRent,
	id: number,
	instances: readonly Instance[],
): string | undefined {
	if (isKnown(pending, id)) return `instance ${id}, which was there before`;
	const withMark = instancesWithMark(pending, instances).map(instance => instance.id);
	if (withMark.includes(id)) return undefined;
	if (withMark.length > 0) {
		return `instance ${id}, but it is ${withMark.join(' and ')} that carries the mark of this order`;
	}
	const named = instances.find(instance => instance.id === id);
	if ((requestMarkOf(named?.extra_env) ?? pending.token) !== pending.token) {
		return `instance ${id}, which carries the mark of another order`;
	}
	const madeAt = (named?.start_date ?? Number.POSITIVE_INFINITY) * 1000;
	const {sentAt = pending.notedAt - DAY_MS} = pending;
	return madeAt < sentAt - OLDER_MS ? `instance ${id}, which is older than this order` : undefined;
}

export function contradictionOf(pending: PendingRent, instance: Instance) {
	return notMade(pending, instance.id, [instance]);
}

/** Contradictions to an answer that names an order's instance. Loads nothing. */
import {markOf} from '../../contract/rules/env.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {PendingRent} from './pending-rent.ts';

/** Clocks differ, and lists may be cut short: an instance much older than the order is not its own. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Instances that carry the mark of a pending rent, the oldest first: more than one is a double. */
export function markedWith(token: string, instances: readonly Instance[]): readonly Instance[] {
	return instances
		.filter(({extra_env: env}) => markOf(env) === token)
		.toSorted((one, other) => one.id - other.id);
}

/** Instances and time that were known when an order was sent. */
export type Sent = {
	/** Instances that there were, as far as they could be listed. */
	readonly known: ReadonlySet<number>;
	/** Milliseconds since 1970 on the service's clock. */
	readonly sentAt: number;
};

/** Clocks of services are not set to the second. */
const OLDER_MS = 10 * 60 * 1000;

/** Contradiction to an answer that this instance is the order's; undefined where there is none. */
export function notMade(
	token: string,
	id: number,
	{known, sentAt, instances}: Sent & {readonly instances: readonly Instance[]},
): string | undefined {
	if (known.has(id)) return `instance ${id}, which was there before`;
	const marked = markedWith(token, instances).map(instance => instance.id);
	if (marked.includes(id)) return undefined;
	if (marked.length > 0) {
		return `instance ${id}, but it is ${marked.join(' and ')} that carries the mark of this order`;
	}
	const named = instances.find(instance => instance.id === id);
	if (markOf(named?.extra_env) !== undefined) {
		return `instance ${id}, which carries the mark of another order`;
	}
	const madeAt = (named?.start_date ?? Number.POSITIVE_INFINITY) * 1000;
	return madeAt < sentAt - OLDER_MS ? `instance ${id}, which is older than this order` : undefined;
}

/** The same of one record that was read later, by clocks that may differ. */
export function contradictionOf({token, notedAt}: PendingRent, instance: Instance) {
	const sent = {known: new Set<number>(), sentAt: notedAt - DAY_MS};
	return notMade(token, instance.id, {...sent, instances: [instance]});
}

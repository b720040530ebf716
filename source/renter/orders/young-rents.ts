/** Instances rented from here a moment ago: a service may list them late. */
import type {Client} from '../../client/client.ts';
import {endedFromHere} from '../offers/own-rents.ts';

/**
 * Ids of instances created from here so recently that a missing record does not prove their end.
 * Instances whose destruction was requested here are excluded.
 */
export async function readYoungRents({
	pendingRents,
	journal,
}: Pick<Client, 'pendingRents' | 'journal'>): Promise<ReadonlySet<number>> {
	// An unreadable file is reported before each command.
	const rents = await pendingRents.all().catch(() => []);
	const young = new Set<number>();
	for (const rent of rents) {
		if (pendingRents.isYoung(rent) && rent.state.kind === 'created') young.add(rent.state.id);
	}
	if (young.size === 0) return young;
	const ended = endedFromHere(await journal.read().catch(() => []));
	return new Set([...young].filter(id => !ended.has(id)));
}

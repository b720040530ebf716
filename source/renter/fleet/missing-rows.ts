/** Fate of rows that a list left out: only their records can say. */
import type {Client} from '../../client/client.ts';
import {canMiss, type InstanceList} from '../../client/nouns/instance-list.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {FleetRow} from './fleet-state.ts';

export type Missing = {
	/** Records of those that are there. */
	readonly records: readonly Instance[];
	/** Those that are proven to be gone. */
	readonly gone: readonly number[];
};

/** So many records are asked for after each list. */
const MOST_RECORDS = 10;

/** Asks for the records of rows that are not in a list, those first that were not seen for longest. */
export async function readMissing(
	instances: Pick<Client['instances'], 'show'>,
	rows: readonly FleetRow[],
	{listed, signal}: {readonly listed: InstanceList; readonly signal: AbortSignal},
): Promise<Missing> {
	const there = new Set(listed.instances.map(({id}) => id));
	const missing = rows
		.filter(({instance, seen}) => !there.has(instance.id) && seen.goneAt === undefined)
		.toSorted((a, b) => lastSeen(a) - lastSeen(b));
	const records: Instance[] = [];
	const gone: number[] = [];
	for (const {instance, seen} of missing.slice(0, MOST_RECORDS)) {
		const {id} = instance;
		try {
			// oxlint-disable-next-line no-await-in-loop -- the service wants them apart
			const record = await instances.show(id, {signal});
			if (record?.id === id) records.push(record);
			// A key that never saw it may be another account's, which sees nothing of it, ever.
			else if (record === undefined && seen.phases.length > 0 && canMiss(listed)) gone.push(id);
		} catch {
			// A record that cannot be read proves nothing.
			signal.throwIfAborted();
		}
	}
	return {records, gone};
}

function lastSeen({seen: {state}}: FleetRow): number {
	return state?.until.localNow ?? Number.NEGATIVE_INFINITY;
}

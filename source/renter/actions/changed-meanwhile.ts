/**
 * Rereads instances between a review and the write that ends them: the user agreed to what was
 * shown.
 */
import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import {isTrouble} from '../instance/condition.ts';
import {shownLabel} from '../words/lease.ts';

/** Most instances whose records are read one by one; more are read by one list. */
const MOST_RECORDS = 3;

/**
 * Rereads instances.
 *
 * @returns differences from the agreed state, by id. Unreadable instances count as unchanged: a
 * service that shows no records must not keep instances from being ended
 */
export async function readChanges(
	client: Client,
	rows: readonly FleetRow[],
	signal?: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
	const present = await readPresent(client, rows, signal);
	return new Map(
		rows.flatMap(row => {
			const record = present.get(row.instance.id);
			const change = record === undefined ? undefined : changeOf(row, record);
			return change === undefined ? [] : [[row.instance.id, change] as const];
		}),
	);
}

async function readPresent(
	{instances}: Client,
	rows: readonly FleetRow[],
	signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, Instance>> {
	const ids = rows.map(({instance: {id}}) => id);
	const options = signal === undefined ? {} : {signal};
	const records =
		ids.length > MOST_RECORDS
			? await instances.list(options).then(
					list => list.instances,
					() => [],
				)
			: await Promise.all(ids.map(async id => instances.show(id, options).catch(() => undefined)));
	signal?.throwIfAborted();
	return new Map(records.flatMap(record => (record === undefined ? [] : [[record.id, record]])));
}

/** Difference of an instance from its review, as a clause; undefined if there is none. */
function changeOf(
	{instance, condition, observation}: FleetRow,
	present: Instance,
): string | undefined {
	if (instance.start_date !== present.start_date) return 'it was started anew meanwhile';
	if (instance.label !== present.label) {
		const [was, is] = [instance, present].map(({label}) => shownLabel(label) || 'none');
		return was === is ? 'its lease changed meanwhile' : `its label was ${was}, and is ${is} now`;
	}
	const isRunning = present.actual_status === 'running';
	if (!observation.hasRun && isRunning) return 'it began to run meanwhile';
	if (isTrouble(condition) && isRunning && instance.actual_status !== 'running') {
		return 'it runs meanwhile';
	}
	return undefined;
}

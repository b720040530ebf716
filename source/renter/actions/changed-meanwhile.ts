/**
 * Rereads instances between a review and the write that ends them: the user agreed to what was
 * shown.
 */
import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import {isTrouble} from '../instance/condition.ts';
import {changeOfTerms, type Term} from '../text/terms.ts';
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

/** Terms of a review of an instance, beside its state. */
export function reviewTerms({instance, observation: {hasRun}}: FleetRow): readonly Term[] {
	return [...recordTerms(instance), {value: String(hasRun), describeChange: () => BEGAN_TO_RUN}];
}

function recordTerms({label, start_date: made}: Instance): readonly Term[] {
	const shown = shownLabel(label);
	return [
		{value: String(made ?? ''), describeChange: () => 'it was started anew meanwhile'},
		{
			value: shown,
			describeChange: was => `its label was ${was || 'none'}, and is ${shown || 'none'} now`,
		},
		{value: label ?? '', describeChange: () => 'its lease changed meanwhile'},
	];
}

/** Difference of an instance from its review, as a clause; undefined if there is none. */
function changeOf(row: FleetRow, present: Instance): string | undefined {
	const {instance, condition, observation, limits} = row;
	const change = changeOfTerms(recordTerms(instance), recordTerms(present));
	if (change !== undefined) return change;
	const isRunning = present.actual_status === 'running';
	if (!observation.hasRun && isRunning) return BEGAN_TO_RUN;
	if (isTrouble(condition) && isRunning && instance.actual_status !== 'running') {
		return 'it runs meanwhile';
	}
	const use = isRunning ? (present.gpu_util ?? 0) : 0;
	return condition === 'idle' && use >= limits.idleBelowPercent ? COMPUTES_AGAIN : undefined;
}

const BEGAN_TO_RUN = 'it began to run meanwhile';
const COMPUTES_AGAIN = 'it computes again meanwhile';

/**
 * Difference of a row from its review that later polls have seen: a single record more may miss it, as use
 * comes and goes.
 */
export function changeInPolls(reviewed: FleetRow, present: FleetRow): string | undefined {
	const computes = reviewed.condition === 'idle' && present.condition === 'running';
	const change = changeOfTerms(reviewTerms(reviewed), reviewTerms(present));
	return change ?? (computes ? COMPUTES_AGAIN : undefined);
}

/** An event of one instance: what it cost until then, what it is now, and what its host shall do. */
import {advance, isWaiting, metersOf, stateOf} from '../rules/lifecycle.ts';
import type {InstanceState, LifecycleEvent} from '../rules/lifecycle.ts';
import {amountMicros, usageOf} from '../rules/metering.ts';
import type {Usage} from '../rules/metering.ts';
import {chargeUsage} from '../store/charges.ts';
import type {ChargedSource} from '../store/charges.ts';
import type {Database} from '../store/database.ts';
import type {InstanceRow} from '../store/instance-tables.ts';
import {updateInstance} from '../store/instances.ts';
import {nextRevision} from '../store/machines.ts';

/**
 * Lets an event happen to an instance; one that changes nothing leaves the same row. Call it in a
 * transaction, and settle the machine afterwards where the instance got or gave up GPUs.
 */
export async function changeInstance(
	database: Database,
	row: InstanceRow,
	event: LifecycleEvent,
	at: number,
): Promise<InstanceRow> {
	const before = stateOf(row);
	const after = advance(before, event);
	if (after === before) return row;
	await chargeInstance(database, row, at);
	const isWork = wantedOf(after) !== wantedOf(before) || after.boot !== before.boot;
	return updateInstance(database, row.id, {
		...after,
		billed_until: Math.max(row.billed_until, at),
		waiting_since: isWaiting(after) ? (row.waiting_since ?? at) : null,
		running_since: metersOf(after).compute ? (row.running_since ?? at) : null,
		...(isWork && {revision: await nextRevision(database, row.host_account_id)}),
	});
}

/** What its host shall make of it. */
export function wantedOf({
	current,
}: Pick<InstanceState, 'current'>): 'running' | 'stopped' | 'gone' {
	return current === 'unloaded' ? 'gone' : current;
}

/** Charges an instance for its present state until a moment, without noting that it did. */
async function chargeInstance(database: Database, row: InstanceRow, until: number): Promise<void> {
	const rates = {
		gpuMicros: row.gpu_micros,
		storageMicros: row.storage_micros,
		diskGb: row.disk_gb,
	};
	const usages = usageOf(row.billed_until, until, metersOf(stateOf(row)), rates);
	await charge(database, sourceOf(row), usages);
}

/** Charges an instance until a moment: where nothing happens to it, too. */
export async function billInstance(
	database: Database,
	row: InstanceRow,
	until: number,
): Promise<void> {
	if (until <= row.billed_until) return;
	await chargeInstance(database, row, until);
	await database
		.updateTable('instances')
		.set({billed_until: until})
		.where('id', '=', row.id)
		.execute();
}

export async function charge(
	database: Database,
	source: ChargedSource,
	usages: readonly Usage[],
): Promise<void> {
	const charged = usages.map(usage => ({
		...usage,
		priceOf: (quantity: number) => amountMicros(usage.item, quantity, usage.rateMicros),
	}));
	await chargeUsage(database, source, charged);
}

export function sourceOf({id, account_id}: InstanceRow): ChargedSource {
	return {accountId: account_id, source: 'instance', sourceId: id};
}

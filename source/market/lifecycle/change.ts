/** Events of instances: the charge until then, the new state, and the host's work. */
import {
	advance,
	isWaiting,
	metersOf,
	lifecycleStateOf,
	type InstanceState,
	type LifecycleEvent,
	kindOfChange,
} from './rules.ts';
import {chargeBills} from '../ledger/charges-store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {updateInstance} from './instances-store.ts';
import {findMachine} from './machines-store.ts';
import {nextRevision} from '../database/numbering.ts';
import {instanceBill} from './bills.ts';
import {notifyRenter} from '../notifications/notify-renter.ts';

/**
 * Applies an event to an instance; one without effect returns the same row. Call it in a transaction,
 * and settle the machine afterwards if the instance got or gave up GPUs.
 */
export async function changeInstance(
	database: Database,
	row: InstanceRow,
	event: LifecycleEvent,
	at: number,
): Promise<InstanceRow> {
	const before = lifecycleStateOf(row);
	const after = advance(before, event);
	if (after === before) return row;
	await chargeInstance(database, row, at);
	const isWork = wantedOf(after) !== wantedOf(before) || after.boot !== before.boot;
	const kind = row.default_job === 1 ? undefined : kindOfChange(event, before, after);
	if (kind !== undefined) await notifyRenter(database, {...row, message: after.message}, kind, at);
	return updateInstance(database, row.id, {
		...after,
		billed_until: Math.max(row.billed_until, at),
		waiting_since: isWaiting(after) ? (row.waiting_since ?? at) : null,
		running_since: metersOf(after).compute ? (row.running_since ?? at) : null,
		// A new container's traffic is counted from 0.
		...(after.container !== before.container && {bytes_up: 0, bytes_down: 0}),
		...(isWork && {revision: await nextRevision(database, row.host_account_id)}),
	});
}

export function wantedOf({
	current,
}: Pick<InstanceState, 'current'>): 'running' | 'stopped' | 'gone' {
	return current === 'unloaded' ? 'gone' : current;
}

/** Charges an instance until a moment, without an event. Call it in a transaction. */
export async function billInstance(
	database: Database,
	row: InstanceRow,
	until: number,
): Promise<void> {
	if (until <= row.billed_until) return;
	await chargeInstance(database, row, until);
	await updateInstance(database, row.id, {billed_until: until});
}

async function chargeInstance(database: Database, row: InstanceRow, until: number): Promise<void> {
	if (until <= row.billed_until) return;
	const machine = await findMachine(database, row.machine_id);
	await chargeBills(database, [instanceBill(row, machine, until)]);
}

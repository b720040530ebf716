/**
 * Ends instances by due leases: only at the second check, and never by a lease that changed since.
 */
import type {WorkSignal} from '../base/work-signal.ts';
import {leaseRowAfterStop, leaseEnd, type LeaseEnd, type PresentLease} from '../leases/rules.ts';
import {messages} from '../lifecycle/rules.ts';
import type {Database} from '../database/database.ts';
import {findHeld, leasesToCheck, writeLease} from '../leases/store.ts';
import {changeInstance} from '../lifecycle/change.ts';
import {settleMachine} from '../lifecycle/claims.ts';
import {destroyInstances} from '../instances/destroy.ts';
import {writingOn} from '../database/writing.ts';

type Due = LeaseEnd & {readonly at: number; readonly changedAt: number};

/** Leases found due in this uptime of the market, by instance. */
export type LeaseWatch = Map<number, Due>;

type Ending = {
	readonly database: Database;
	readonly watch: LeaseWatch;
	readonly workSignal: WorkSignal;
};

/** Ends instances whose leases were already due at an earlier check. */
export async function endLeases({database, watch, workSignal}: Ending, now: number): Promise<void> {
	const found = await leasesToCheck(database, now);
	const due = new Map(found.flatMap(lease => dueOf(lease, watch, now)));
	for (const id of watch.keys()) if (!due.has(id)) watch.delete(id);
	for (const lease of found) {
		const seen = due.get(lease.instance_id);
		if (seen === undefined) continue;
		const wait = seen.rule === 'cost' ? lease.grace_seconds : 0;
		if (now <= seen.at || now < seen.at + wait) {
			watch.set(lease.instance_id, seen);
			continue;
		}
		watch.delete(lease.instance_id);
		const host = await endOne(database, lease, seen, now);
		if (host !== undefined) workSignal.send(host);
	}
}

function dueOf(
	lease: PresentLease,
	watch: LeaseWatch,
	now: number,
): ReadonlyArray<readonly [number, Due]> {
	const end = leaseEnd(lease, now);
	if (end === undefined) return [];
	const {instance_id: id, changed_at: changedAt} = lease;
	const before = watch.get(id);
	const isSame =
		before?.act === end.act && before.rule === end.rule && before.changedAt === changedAt;
	return [[id, isSame ? before : {...end, at: now, changedAt}]];
}

/** Ends an instance, unless it or its lease has changed meanwhile, and returns its host. */
async function endOne(
	database: Database,
	lease: PresentLease,
	{act, rule}: LeaseEnd,
	now: number,
): Promise<number | undefined> {
	return writingOn(database, {instances: [lease.instance_id]}, async transaction => {
		const row = await findHeld(transaction, lease);
		if (row === undefined) return undefined;
		if (act === 'destroy') {
			await destroyInstances(transaction, [row], now);
			return row.host_account_id;
		}
		await changeInstance(transaction, row, {kind: 'stop', message: messages.leaseEnded}, now);
		await settleMachine(transaction, row.machine_id, now);
		const {isRunning: _, costMicros: _cost, ...kept} = lease;
		const next = leaseRowAfterStop(kept, rule, now);
		if (next !== undefined) await writeLease(transaction, {...next, changed_at: now});
		return row.host_account_id;
	});
}

/**
 * Ends instances by due leases: only at the second check, and never by a lease that changed since.
 */
import type {WorkSignal} from '../base/work-signal.ts';
import {leaseRowAfterStop, leaseEnd, type LeaseEnd, type PresentLease} from '../leases/rules.ts';
import {messages} from '../lifecycle/rules.ts';
import type {Database} from '../database/database.ts';
import {leasesToCheck, writeLease} from '../leases/store.ts';
import {findPresent} from '../lifecycle/instances-store.ts';
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
		const host = await endOne(database, lease.instance_id, seen, now);
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
	const isSame = before !== undefined && stillEnds(lease, before, now);
	return [[id, isSame ? before : {...end, at: now, changedAt}]];
}

/** True if a lease is as it was, and ends its instance in the same way. */
function stillEnds(lease: PresentLease, {act, rule, changedAt}: Due, now: number): boolean {
	const end = leaseEnd(lease, now);
	return end?.act === act && end.rule === rule && lease.changed_at === changedAt;
}

/** Ends an instance, unless it or its lease has changed meanwhile, and returns its host. */
async function endOne(
	database: Database,
	id: number,
	due: Due,
	now: number,
): Promise<number | undefined> {
	return writingOn(database, {instances: [id]}, async transaction => {
		const [lease] = await leasesToCheck(transaction, now, id);
		const row = await findPresent(transaction, id);
		if (lease === undefined || row === undefined || !stillEnds(lease, due, now)) return undefined;
		if (due.act === 'destroy') {
			await destroyInstances(transaction, [row], now);
			return row.host_account_id;
		}
		await changeInstance(transaction, row, {kind: 'stop', message: messages.leaseEnded}, now);
		await settleMachine(transaction, row.machine_id, now);
		const {isRunning: _, costMicros: _cost, ...kept} = lease;
		const next = leaseRowAfterStop(kept, due.rule, now);
		if (next !== undefined) await writeLease(transaction, {...next, changed_at: now});
		return row.host_account_id;
	});
}

/** Changes a lease: where it is kept, and with everybody who enforces it. */
import {messageOf} from '../../contract/thrown.ts';
import type {Instance} from '../../contract/instance-record.ts';
import {
	enforcersOf,
	lacksWatchdog,
	watchdogChange,
	withoutLease,
	type Asking,
	type Enforcer,
} from './enforcers.ts';
import {leaseOf, leaseOrderOf, withoutOrdered} from './held.ts';
import {changeWatchdog, type WatchdogMark} from './inside.ts';
import type {Lease} from './lease.ts';
import {writeLabel} from './lease-label.ts';
import {LeaseTermsError} from './lease-terms.ts';

/** Result of changing a lease: the instance after it, and the enforcers that confirmed it. */
export type Sent = {
	readonly instance: Instance;
	readonly enforcers: readonly Enforcer[];
	/** Problems of some enforcers. */
	readonly problems: readonly string[];
};

/**
 * Gives an instance another lease, or none: writes it into the label, which all guards read, and tells
 * the others.
 *
 * @throws LeaseTermsError where the label has no room for it; nothing has changed then.
 */
export async function sendLease(
	asking: Asking,
	instance: Instance,
	next: Lease | undefined,
): Promise<Sent> {
	const {client, signal} = asking;
	const {id} = instance;
	const {label: own} = leaseOf(instance);
	const short = next && withoutOrdered(next, instance);
	const label = writeLabel(own, next) ?? writeLabel(own, short);
	if (label === undefined) throw new LeaseTermsError('the label has no room for the lease');
	await client.instances.label(id, label, {signal});
	const told = await tellEnforcers(asking, instance, next);
	const fresh = (await client.instances.show(id, {signal})) ?? {...instance, label};
	const enforcers =
		next === undefined
			? await withoutLease(asking, fresh, told.mark)
			: await enforcersOf(asking, fresh);
	return {instance: fresh, enforcers, problems: told.problems};
}

type Told = {readonly mark: WatchdogMark | undefined; readonly problems: readonly string[]};

/** Tells the watchdog and the service of another lease, or of none. */
async function tellEnforcers(
	{client, inside, signal}: Asking,
	instance: Instance,
	lease: Lease | undefined,
): Promise<Told> {
	const {id} = instance;
	const problems: string[] = [];
	const mark = lacksWatchdog(instance)
		? undefined
		: await changeWatchdog(inside, instance, watchdogChange(client, instance, lease));
	try {
		if (await client.extensions.leases(signal)) {
			const order = lease && leaseOrderOf(lease);
			if (order === undefined) await client.instances.removeLease(id, {signal});
			else await client.instances.setLease(id, order, {signal});
		}
	} catch (error) {
		signal.throwIfAborted();
		problems.push(messageOf(error));
	}
	return {mark, problems};
}

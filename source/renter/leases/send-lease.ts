/** Changes a lease, in the label and with every enforcer. */
import {messageOf} from '../../contract/rules/thrown.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	enforcersOf,
	isSameLease,
	lacksWatchdog,
	watchdogChange,
	withoutLease,
	type EnforcerQuery,
	type Enforcer,
} from './enforcers.ts';
import {leaseOf, leaseOrderOf, withoutOrdered} from './held.ts';
import {changeWatchdog} from './inside.ts';
import {labelProblem, type Lease, writeLabel} from '../words/lease.ts';
import {LeaseTermsError} from './lease-terms.ts';

export type LeaseChangeResult = {
	readonly instance: Instance;
	readonly enforcers: readonly Enforcer[];
	readonly problems: readonly string[];
	/** False if a simultaneous change by others took precedence. */
	readonly isOwn: boolean;
};

/** The lease that an instance is to have, by its record as it is just before the change. */
export type LeaseChange = (present: Instance) => Lease | undefined;

/** Most rounds while other programs change the lease at the same time. */
const MOST_ROUNDS = 4;

/**
 * Gives an instance another lease, or none: writes it into the label, which all guards read, and
 * sends it to the other enforcers. After a simultaneous change by others, every enforcer gets the
 * lease of the final label: two enforcers must not have two leases.
 *
 * @throws LeaseTermsError if no label can be written for it; nothing has changed then.
 */
export async function sendLease(
	asking: EnforcerQuery,
	known: Instance,
	change: LeaseChange,
): Promise<LeaseChangeResult> {
	const {client, signal} = asking;
	const {id} = known;
	// The instance may have been renamed meanwhile, or its lease put off.
	const instance = (await client.instances.show(id, {signal})) ?? known;
	const next = change(instance);
	const {label: own} = leaseOf(instance);
	const label = writeLabel(own, next) ?? writeLabel(own, next && withoutOrdered(next, instance));
	if (label === undefined) throw new LeaseTermsError(labelProblem(next));
	asking.agreed?.agree(instance, next, client.clock.skewMs());
	await client.instances.label(id, label, {signal});
	const {fresh, sent} = await notifyUntilSettled(asking, {...instance, label});
	const enforcers = await (labelLease(fresh) === undefined
		? withoutLease(asking, fresh, sent.watchdog)
		: enforcersOf(asking, fresh));
	return {instance: fresh, isOwn: fresh.label === label, enforcers, problems: sent.problems};
}

/** Sends the lease to all enforcers, and again if the record has another one afterwards. */
async function notifyUntilSettled(asking: EnforcerQuery, instance: Instance) {
	let fresh = instance;
	for (let round = 1; ; round++) {
		const sent = await notifyEnforcers(asking, fresh);
		const {label} = fresh;
		const record = await asking.client.instances.show(fresh.id, {signal: asking.signal});
		if (record === undefined || round === MOST_ROUNDS) return {fresh: record ?? fresh, sent};
		fresh = record;
		// A refusal of the change is final.
		const isSame = fresh.label === label;
		const isRefused = sent.problems.length > 0;
		if (isSame && (isRefused || !(await isAnotherKept(asking, fresh)))) return {fresh, sent};
	}
}

/** The lease of the label alone: the service's own may be older. */
function labelLease(instance: Instance): Lease | undefined {
	return leaseOf({...instance, lease: null}).lease;
}

/** True if the service keeps another lease than the label. */
async function isAnotherKept(
	{client, signal}: EnforcerQuery,
	instance: Instance,
): Promise<boolean> {
	if (!(await client.extensions.leases(signal))) return false;
	const lease = labelLease(instance);
	const order = lease && leaseOrderOf(lease);
	const kept = instance.lease ?? undefined;
	return order === undefined || kept === undefined ? order !== kept : !isSameLease(kept, order);
}

/** Sends the label's lease, or none, to watchdog and service. */
async function notifyEnforcers({client, inside, signal}: EnforcerQuery, instance: Instance) {
	const {id} = instance;
	const lease = labelLease(instance);
	const problems: string[] = [];
	const watchdog = lacksWatchdog(instance)
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
	return {watchdog, problems};
}

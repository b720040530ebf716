/** An order with a lease: in its label, in its onstart as a watchdog, and with the service where it has leases. */
import {lengthOfArguments, type InstanceOrder} from '../../contract/nouns/creation-request.ts';
import type {Creation} from '../../contract/nouns/merge.ts';
import {leaseOrderOf, serviceWait} from './held.ts';
import {BEFORE_VARIABLE, type Lease} from '../words/lease.ts';
import {writeLabel} from '../words/lease-label.ts';
import {LeaseTermsError} from './lease-terms.ts';
import {composeOnstart} from './onstart.ts';
import {watchdogScript} from './watchdog.ts';

/** An order, and what the service makes of it and its template. */
export type Ordered = {readonly order: InstanceOrder; readonly creation: Creation};

export type Leasing = {
	readonly lease: Lease;
	/** Seconds on the service's clock. */
	readonly now: number;
	/** The service as the instance reaches it. */
	readonly url: string | undefined;
	/** Dollars an hour while it runs, with its disk. */
	readonly perHour: number | undefined;
	/** True where the service ends instances by itself. */
	readonly hasLeases: boolean;
};

/** Adds a lease, and sentences about who enforces it, and who cannot. @throws LeaseTermsError */
export function withLease<Of extends Ordered>(
	ordered: Of,
	{lease, hasLeases, ...terms}: Leasing,
): {readonly ordered: Of; readonly notes: readonly string[]} {
	const watched = withWatchdog(withLabel(ordered, lease), {lease, ...terms});
	const kept = hasLeases ? leaseOrderOf(lease) : undefined;
	if (kept === undefined) return {ordered: watched.order, notes: watched.notes};
	const {order} = watched.order;
	const wait = serviceWait(lease);
	const later = wait === undefined ? '' : `, but ${wait} later: it runs no command before`;
	return {
		ordered: {...watched.order, order: {...order, lease: kept}},
		notes: [...watched.notes, `the service ends it as well${later}`],
	};
}

/** A command that has no room in the label stands in the environment alone, where it always is. */
function withLabel<Of extends Ordered>(order: Of, lease: Lease): Of {
	const {before} = lease;
	if (before !== undefined && before.command === undefined) {
		throw new LeaseTermsError('expected a command after before');
	}
	const own = order.creation.label.value;
	const label =
		writeLabel(own, lease) ??
		writeLabel(own, {...lease, before: before && {...before, command: undefined}});
	if (label === undefined) {
		throw new LeaseTermsError(
			'The label is too long to keep the lease in: it has room for 256 characters.',
		);
	}
	const entry = before && ([BEFORE_VARIABLE, before.command] as const);
	const {creation} = order;
	return {
		...order,
		order: {
			...order.order,
			label,
			...(entry && {env: [...(order.order.env ?? []), entry]}),
		},
		creation: {
			...creation,
			label: {value: label, origin: 'request'},
			env: entry
				? [...creation.env, {key: entry[0], value: entry[1], origin: 'request'}]
				: creation.env,
		},
	};
}

type WatchdogTerms = Omit<Leasing, 'hasLeases'>;

function withWatchdog<Of extends Ordered>(
	order: Of,
	{lease, url, now, perHour}: WatchdogTerms,
): {readonly order: Of; readonly notes: readonly string[]} {
	const none = (why: string) => ({order, notes: [`no watchdog: ${why}`]});
	const {creation} = order;
	if (creation.launch.value.mode === 'args') return none('the image is started with arguments');
	if (url === undefined) return none('the practice market has no address that stays');
	const known = {...lease, before: lease.before && {...lease.before, command: undefined}};
	const watchdog = watchdogScript({lease: known, url, now, perHour});
	if (watchdog === undefined) return none('it has nothing to end');
	const onstart = creation.onstart.value;
	const argumentsLength = lengthOfArguments(creation.arguments.value);
	const composed = composeOnstart({watchdog, onstart, argumentsLength});
	if (composed === undefined) return none('onstart is too long for both, though compressed');
	const notes = composed.isCompressed ? ['onstart was compressed to make room'] : [];
	return {
		notes,
		order: {
			...order,
			order: {...order.order, onstart: composed.onstart},
			creation: {...creation, onstart: {value: composed.onstart, origin: 'request'}},
		},
	};
}

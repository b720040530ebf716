/** An order with a lease: in its label, in its onstart as a watchdog, and with the service where it has leases. */
import type {Client} from '../client/client.ts';
import {UsageError} from '../renter/usage-error.ts';
import {lengthOfArguments} from '../contract/creation-request.ts';
import {BEFORE_VARIABLE, endlessLease, hasEnd, type Lease} from '../renter/leases/lease.ts';
import {writeLabel} from '../renter/leases/lease-label.ts';
import {
	leaseFrom,
	LeaseTermsError,
	readTerms,
	termsOf,
	writeTerms,
	type Terms,
} from '../renter/leases/lease-terms.ts';
import {leaseOrderOf} from '../renter/leases/held.ts';
import {composeOnstart} from '../renter/leases/onstart.ts';
import {watchdogScript} from '../renter/leases/watchdog.ts';
import type {Context} from './command.ts';
import {readBeforeOptions, readLeaseOptions} from './lease-options.ts';
import type {Order} from './rent-order.ts';

export type LeasedOrder = {
	readonly order: Order;
	/** When it ends, in words: `for 6h then destroy`; undefined where it gets no end. */
	readonly terms: string | undefined;
	/** Sentences about who enforces it, and who cannot. */
	readonly notes: readonly string[];
};

type Leasing = {
	readonly client: Client;
	/** The service as the instance reaches it. */
	readonly url: string | undefined;
	/** Dollars an hour while it runs, with its disk. */
	readonly perHour: number | undefined;
};

/** Adds the lease that the command line asks for. @throws UsageError */
export async function leasedOrder(
	context: Context,
	order: Order,
	{client, url, perHour}: Leasing,
): Promise<LeasedOrder> {
	const before = readBeforeOptions(context);
	const given = readLeaseOptions(context) ?? usualTerms(context);
	if (given === undefined && before === undefined) return {order, terms: undefined, notes: []};
	const now = client.clock.now() / 1000;
	const lease = leaseFrom({...termsOf(endlessLease, now), ...given}, now, before);
	if (before !== undefined && !hasEnd(lease)) {
		throw new UsageError('--before needs an end: --for, --idle or --budget.');
	}
	const labelled = withLabel(order, lease);
	const watched = withWatchdog(labelled, {lease, url, now, perHour});
	const kept = leaseOrderOf(lease);
	const isKept = kept !== undefined && (await client.extensions.leases(context.signal));
	const {order: body} = watched.order;
	const whole = {...watched.order, order: {...body, ...(isKept && {lease: kept})}};
	const notes = [...watched.notes, ...(isKept ? ['the service ends it as well'] : [])];
	return {order: whole, terms: writeTerms(termsOf(lease, now)), notes};
}

/** The lease of the settings; undefined where they have none, or none is wanted. @throws UsageError */
function usualTerms({settings, isGiven}: Context): Terms | undefined {
	if (settings.lease.trim() === '' || isGiven('no-end')) return undefined;
	try {
		return readTerms(settings.lease);
	} catch (error) {
		if (!(error instanceof LeaseTermsError)) throw error;
		throw new UsageError(`The setting lease: ${error.message}.`, {cause: error});
	}
}

/** A command that has no room in the label stands in the environment alone, where it always is. */
function withLabel(order: Order, lease: Lease): Order {
	const {before} = lease;
	const own = order.creation.label.value;
	const label =
		writeLabel(own, lease) ??
		writeLabel(own, {...lease, before: before && {...before, command: undefined}});
	if (label === undefined) {
		throw new UsageError(
			'The label is too long to keep the lease in: it has room for 256 characters.',
		);
	}
	const value = before?.command;
	const entry = value === undefined ? undefined : ([BEFORE_VARIABLE, value] as const);
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

type Watching = Omit<Leasing, 'client'> & {readonly lease: Lease; readonly now: number};

function withWatchdog(
	order: Order,
	{lease, url, now, perHour}: Watching,
): {readonly order: Order; readonly notes: readonly string[]} {
	const none = (why: string) => ({order, notes: [`no watchdog: ${why}`]});
	const {creation} = order;
	if (creation.launch.value.mode === 'args') return none('the image is started with arguments');
	if (url === undefined) return none('the practice market has no address that stays');
	const watchdog = watchdogScript({lease, url, now, perHour});
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

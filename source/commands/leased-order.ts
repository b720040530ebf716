/** An order with a lease: in its label, in its onstart as a watchdog, and with the service where it has leases. */
import type {Client} from '../client/client.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {endlessLease, hasEnd} from '../renter/words/lease.ts';
import {
	leaseFrom,
	LeaseTermsError,
	readTerms,
	termsOf,
	usualTerms,
	writeTerms,
	type Terms,
} from '../renter/leases/lease-terms.ts';
import {withLease} from '../renter/leases/leased-order.ts';
import type {Context} from './command.ts';
import {readBeforeOptions, readLeaseOptions} from './lease-options.ts';
import type {Order} from './rent-order.ts';

export type LeasedOrder = {
	readonly order: Order;
	/** The lease in words, such as `for 6h then destroy`; undefined without one. */
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
	const given = readLeaseOptions(context) ?? termsOfSettings(context, order.template?.hash_id);
	if (given === undefined && before === undefined) return {order, terms: undefined, notes: []};
	const now = client.clock.now() / 1000;
	const lease = leaseFrom({...termsOf(endlessLease, now), ...given, ...(before && {before})}, now);
	if (before !== undefined && !hasEnd(lease)) {
		throw new UsageError('--before needs an end: --for, --idle or --budget.');
	}
	const hasLeases = await client.extensions.leases(context.signal);
	const {ordered, notes} = refusing(() => withLease(order, {lease, now, url, perHour, hasLeases}));
	return {order: ordered, terms: writeTerms(termsOf(lease, now)), notes};
}

function refusing<Of>(make: () => Of): Of {
	try {
		return make();
	} catch (error) {
		if (!(error instanceof LeaseTermsError)) throw error;
		throw new UsageError(error.message, {cause: error});
	}
}

/** The lease of the settings; undefined where they have none, or none is wanted. @throws UsageError */
function termsOfSettings(
	{settings, isGiven}: Context,
	hash: string | undefined,
): Terms | undefined {
	const text = usualTerms(settings, hash);
	if (text === 'none' || isGiven('no-end')) return undefined;
	try {
		return readTerms(text);
	} catch (error) {
		if (!(error instanceof LeaseTermsError)) throw error;
		throw new UsageError(
			`The setting ${hash !== undefined && settings.templateLeases[hash] !== undefined ? 'templateLeases' : 'lease'}: ${error.message}.`,
			{cause: error},
		);
	}
}

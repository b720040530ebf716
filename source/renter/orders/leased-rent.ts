/** The end of a rental: what the form says of it, in the review, and in the order that is sent. */
import type {Client} from '../../client/client.ts';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {hasEnd} from '../words/lease.ts';
import {withLease, type Ordered} from '../leases/leased-order.ts';
import {leaseFrom, limitWords, readTerms, termsProblem, writeTerms} from '../leases/lease-terms.ts';
import type {Preview} from './preview.ts';

/** True if nothing would end it by itself. */
export function isEndless(text: string): boolean {
	return termsProblem(text) === undefined && !hasEnd(leaseFrom(readTerms(text), 0));
}

export type LeasedRent = {
	readonly terms: string;
	/** The command run in the instance before, with its time limit; undefined for none. */
	readonly before: string | undefined;
	/** Enforcers of the lease, and those that cannot enforce it. */
	readonly notes: readonly string[];
	/** Seconds from the rental on; undefined where it has no deadline. */
	readonly forSeconds: number | undefined;
	/** The order with the lease, whose deadline counts from a moment on the service's clock. */
	readonly at: (seconds: number) => Ordered;
};

export type LeasingService = {
	readonly client: Client;
	/** The service as instances reach it; undefined for the practice market. */
	readonly url: string | undefined;
};

/** The lease that a form asks for; undefined for none. @throws LeaseTermsError */
export async function leasedRent(
	{client, url}: LeasingService,
	{values, creation, cost}: Preview,
	order: InstanceOrder,
): Promise<LeasedRent | undefined> {
	const terms = readTerms(values['ends'] ?? 'none');
	const isNone = !terms.isKept && !hasEnd(leaseFrom(terms, 0));
	if (isNone) return undefined;
	const hasLeases = await client.extensions.leases();
	const perHour = cost.running;
	const make = (now: number) =>
		withLease({order, creation}, {lease: leaseFrom(terms, now), now, url, perHour, hasLeases});
	const {notes} = make(client.clock.now() / 1000);
	const {before} = terms;
	return {
		terms: writeTerms({...terms, before: undefined}),
		before: before && `${before.command}, ${limitWords(before)}`,
		notes,
		forSeconds: terms.forSeconds,
		at: seconds => make(seconds).ordered,
	};
}

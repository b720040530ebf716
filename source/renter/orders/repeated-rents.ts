/** The same order, given again: one that was sent and not found may still arrive, and must not make a second. */
import type {Client} from '../../client/client.ts';
import type {
	AgreedOrder,
	PendingRent,
	RentOutcome,
	RentState,
} from '../../client/rentals/pending-rent.ts';
import type {RentOptions, WantedOffer} from '../../client/rentals/renting.ts';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {shownLabel} from '../words/lease.ts';

/** Money of an order that did not make an instance: one that was not found may still arrive. */
export function notRentedText(why: Extract<RentState, {kind: 'not created'}>['why']): string {
	if (why !== 'not found') return 'was not rented: nothing of it is charged.';
	return 'was not rented so far: nothing of it is charged. Should it still arrive, the same order again rents no second.';
}

/** True for the same order, which may name another offer: words find the cheapest of the moment. */
export function isSameOrder(one: AgreedOrder, other: AgreedOrder): boolean {
	return (
		one.image === other.image &&
		// The deadline of a lease in a label differs at each attempt.
		shownLabel(one.label) === shownLabel(other.label) &&
		one.templateHash === other.templateHash &&
		one.diskGb === other.diskGb &&
		one.pricing === other.pricing
	);
}

/** Rents of an order that were given up, or told of on a screen alone. */
export async function repeatedRents(client: Client, order: AgreedOrder) {
	const {doubtful, shown} = await client.pendingRents.repeatable();
	const isLike = ({agreed}: PendingRent) => agreed !== undefined && isSameOrder(agreed, order);
	return {doubtful: doubtful.filter(isLike), shown: shown.filter(isLike)};
}

type Renting = RentOptions & {
	readonly agreed: AgreedOrder;
	readonly mayRent: NonNullable<RentOptions['mayRent']>;
};

/**
 * Rents an offer. The same order from before, of which nothing was found, is looked for first: where it has
 * arrived it is the one that was rented, and else the new one has its mark, so that a market makes one of both.
 *
 * @throws ApiError if the service refuses: nothing was rented.
 */
export async function rentOnce(
	client: Client,
	offer: WantedOffer,
	order: InstanceOrder,
	options: Renting,
): Promise<RentOutcome> {
	const {doubtful} = await repeatedRents(client, options.agreed).catch(() => ({doubtful: []}));
	for (const pending of doubtful) {
		const {signal} = options;
		// oxlint-disable-next-line no-await-in-loop -- each list for one may show the others
		const late = await client.pendingRents.settle(pending, {signal});
		if (late.outcome === 'created') return late;
	}
	return client.instances.rent(offer, order, {...options, again: doubtful[0]});
}

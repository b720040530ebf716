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

/** Rents of an order that nobody has an answer of, that were given up, or told of on a screen alone. */
export async function repeatedRents(client: Client, order: AgreedOrder) {
	const open = await client.pendingRents.open();
	const {doubtful, shown} = await client.pendingRents.repeatable();
	const isLike = ({agreed}: PendingRent) => agreed !== undefined && isSameOrder(agreed, order);
	return {
		open: open.filter(isLike),
		doubtful: doubtful.filter(isLike),
		shown: shown.filter(isLike),
	};
}

export const noneRepeated: Awaited<ReturnType<typeof repeatedRents>> = {
	open: [],
	doubtful: [],
	shown: [],
};

type Renting = RentOptions & {
	readonly agreed: AgreedOrder;
	readonly mayRent: NonNullable<RentOptions['mayRent']>;
};

/**
 * Rents an offer. The same order from before, of which nothing was heard or found, is looked for first: where it
 * has arrived, or nobody can tell, its outcome counts, and else the new one has its mark, so that a market makes
 * one of both.
 *
 * @throws ApiError if the service refuses: nothing was rented.
 */
export async function rentOnce(
	client: Client,
	offer: WantedOffer,
	order: InstanceOrder,
	options: Renting,
): Promise<RentOutcome> {
	const {open, doubtful} = await repeatedRents(client, options.agreed).catch(() => noneRepeated);
	const again: PendingRent[] = [];
	for (const pending of [...open, ...doubtful]) {
		const {signal, onDoubt} = options;
		onDoubt?.(pending);
		// oxlint-disable-next-line no-await-in-loop -- each list for one may show the others
		const earlier = await client.pendingRents.settle(pending, {signal});
		if (earlier.outcome !== 'not created') return earlier;
		if (earlier.why === 'not found') again.push(pending);
	}
	return client.instances.rent(offer, order, {...options, again: again[0]});
}

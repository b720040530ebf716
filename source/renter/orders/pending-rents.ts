/** Settles pending rents of earlier runs. */
import type {Client} from '../../client/client.ts';
import type {RentOutcome} from '../../client/rentals/pending-rent.ts';
import type {InstanceComparisons} from './instance-comparisons.ts';
import type {Fleet} from '../fleet/fleet.ts';
import type {Notify} from '../words/alert.ts';
import {notRentedText} from './repeated-rents.ts';

type Options = {
	readonly notify: Notify;
	readonly fleet: Pick<Fleet, 'refresh'>;
	readonly orders: Pick<InstanceComparisons, 'start'>;
	/** Ends the searches of a console that is left: the next one goes on with what is open. */
	readonly signal: AbortSignal;
};

export async function settlePendingRents(
	client: Client,
	{notify, fleet, orders, signal}: Options,
): Promise<void> {
	const open = await client.pendingRents.open();
	for (const pending of open) {
		const outcome = await client.pendingRents.settle(pending, {signal});
		const about = `rent ${pending.token}`;
		const subject =
			outcome.outcome === 'created' ? {instance: outcome.id} : {offer: pending.offerId};
		const text = describe(outcome);
		notify.send({kind: 'rent', about, state: outcome.outcome, text, ...subject});
		if (outcome.outcome !== 'created') continue;
		await client.pendingRents.markShown(outcome.pending);
		orders.start(outcome.id, outcome.pending);
	}
	if (open.length > 0) await fleet.refresh();
}

function describe(outcome: RentOutcome): string {
	const offer = `Offer ${outcome.pending.offerId}, asked for before rentty ended,`;
	switch (outcome.outcome) {
		case 'created':
			return `${offer} is instance ${outcome.id}, and is charged. 2 shows it.`;
		case 'not created':
			return `${offer} ${notRentedText(outcome.why)}`;
		case 'unknown':
			return `${offer} may have been rented, and may be charged. 2 shows your instances.`;
	}
}

/** The same client; when it is first opened, it settles pending rents in the background. */
export function settlingFirst(
	open: () => Promise<Client>,
	settle: (client: Client) => Promise<void>,
): () => Promise<Client> {
	let settled: Client | undefined;
	return async () => {
		const client = await open();
		if (settled !== client) {
			settled = client;
			// A rent that cannot be searched for now is searched for at the next start.
			settle(client).catch(() => undefined);
		}
		return client;
	};
}

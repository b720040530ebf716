/** The renter's own machines among those of a service. */
import type {Client} from '../../client/client.ts';
import type {Machine} from '../../contract/nouns/machines.ts';
import type {Offer} from '../../contract/nouns/offers.ts';

/** Machines of the account; none where the key or the service tells of none. */
export async function readOwnMachines(
	client: Client,
	signal?: AbortSignal,
): Promise<readonly Machine[]> {
	try {
		return (await client.machines.list(signal && {signal})).machines;
	} catch {
		signal?.throwIfAborted();
		return [];
	}
}

/** True where the offer is of an own machine, and the service says that its owner pays nothing. */
export function isFree({machine_id: id}: Offer, own: readonly Machine[] = []): boolean {
	return own.some(machine => machine.id === id && machine.owner_dph === 0);
}

/** Offer at the price of an own machine, which takes a bid for nothing too. */
export function withoutPrice(offer: Offer): Offer {
	return {...offer, ...nothing};
}

const nothing = {
	dph_base: 0,
	dph_total: 0,
	storage_cost: 0,
	storage_total_cost: 0,
	inet_down_cost: 0,
	inet_up_cost: 0,
} as const;

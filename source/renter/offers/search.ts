/** Searches for specific offers: by their ids, and of the renter's own machines. */
import {anyOffers, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import type {Client} from '../../client/client.ts';
import type {Machine} from '../../contract/nouns/machines.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {Job} from '../../contract/nouns/offer-cost.ts';
import {searchOffers} from './local-filter.ts';
import type {WordSearch} from './words/fields.ts';
import type {ParsedLine} from './words/parse.ts';
import {defaultsLeft} from './words/request.ts';

type Terms = Pick<OfferSearch, 'pricing' | 'diskGb'>;

export function searchForOffer(id: number, terms: Partial<Terms> = {}): OfferSearch {
	return {
		...anyOffers,
		filter: [{field: 'id', operator: 'eq', value: id}],
		limit: 1,
		...terms,
	};
}

export function searchForOffers(ids: readonly number[], terms: Terms): OfferSearch {
	return {
		...anyOffers,
		filter: [{field: 'id', operator: 'in', value: [...ids]}],
		limit: ids.length,
		...terms,
	};
}

/** True if no typed word is about verification. */
export function isVerifiedByDefault({words}: ParsedLine): boolean {
	return defaultsLeft(words.flatMap(({clauses}) => clauses)).includes('verified');
}

type Searched = {
	readonly search: WordSearch;
	readonly job: Job;
	readonly found: readonly Offer[];
	readonly own: readonly Machine[];
};

/**
 * Offers of a search, with the offers of own machines that only lack verification. If these cannot
 * be read, the search's offers stand alone.
 */
export async function addOwnUnverified(
	client: Client,
	{search, job, found, own: machines}: Searched,
	signal?: AbortSignal,
): Promise<readonly Offer[]> {
	const ids = machines.map(({id}) => id);
	if (ids.length === 0) return found;
	const rest = search.filter.filter(({field}) => field !== 'verified');
	const own = {field: 'machine_id', operator: 'in', value: ids} as const;
	const unverified = {field: 'verified', operator: 'eq', value: false} as const;
	const wanted = {...search, filter: [...rest, own, unverified]};
	try {
		const {offers} = await searchOffers(client, wanted, {job, signal});
		const known = new Set(found.map(({id}) => id));
		return [...found, ...offers.filter(({id}) => !known.has(id))];
	} catch {
		signal?.throwIfAborted();
		return found;
	}
}

/** Machines of the account; none if key or service lists none. */
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

/** True for an offer of an own machine, if the service says that its owner pays nothing. */
export function isFree({machine_id: id}: Offer, own: readonly Machine[] = []): boolean {
	return own.some(machine => machine.id === id && machine.owner_dph === 0);
}

/** Offer at the price of an own machine, which also accepts a bid of 0. */
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

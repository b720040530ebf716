/** Searches for offers whose numbers are known. */
import {anyOffers, type OfferSearch} from '../../contract/nouns/offer-search.ts';

/** On which terms prices are asked for. */
export type Terms = Pick<OfferSearch, 'pricing' | 'diskGb'>;

/** Search for one offer, to show everything that the service says of it. */
export function searchForOffer(id: number, terms: Terms): OfferSearch {
	return {
		...anyOffers,
		filter: [{field: 'id', operator: 'eq', value: id}],
		limit: 1,
		...terms,
	};
}

/** Search for some offers, to compare them. */
export function searchForOffers(ids: readonly number[], terms: Terms): OfferSearch {
	return {
		...anyOffers,
		filter: [{field: 'id', operator: 'in', value: [...ids]}],
		limit: ids.length,
		...terms,
	};
}

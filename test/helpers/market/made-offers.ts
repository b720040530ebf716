import type {NewOffer} from '../../../source/market/database/schema.ts';
import {makeListings} from '../../../source/market/seed/offers.ts';

/** Made-up offers as a market with simulated hosts has them. */
export function makeOffers(seed: Parameters<typeof makeListings>[0]): readonly NewOffer[] {
	return [...makeListings(seed)].flatMap(({offers}) => offers);
}

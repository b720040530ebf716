/** Searching offers, without holding up everybody else. */
import type {OfferSearch} from '../../contract/offer-search.ts';
import {Written} from '../written.ts';
import {isQuick} from '../rules/search-cost.ts';
import {writeSearch} from './search-offers.ts';
import {openSlowSearches} from './slow-searches.ts';
import type {Database} from '../store/database.ts';
import {hasMoreOffersThan} from '../store/offers.ts';

/** Up to so many, looking at all of them takes no longer than anything else. */
const FEW_OFFERS = 20_000;

export type OfferFinder = {
	/** The reply to a search, as JSON. */
	readonly find: (search: OfferSearch, now: number) => Promise<Written>;
	readonly close: () => Promise<void>;
};

/** @param limit The most offers that one search returns. */
export function createOfferFinder(database: Database, file: string, limit: number): OfferFinder {
	// What is in memory alone, another thread cannot see.
	const slow = file === ':memory:' ? undefined : openSlowSearches(file);
	return {
		async find(search, now) {
			if (
				slow !== undefined &&
				!isQuick(search) &&
				(await hasMoreOffersThan(database, FEW_OFFERS))
			) {
				return new Written(await slow.run(search, now, limit));
			}
			return new Written(await writeSearch(database, search, now, limit));
		},
		close: async () => slow?.close(),
	};
}

import {pricingOf} from '../../../renter/offers/words/request.ts';
import type {Pricing} from '../../../contract/nouns/offer-search.ts';
import type {Place} from '../../services/router.ts';
import {queryAt} from './query-state.ts';

/** Pricing of the list behind a place: its offers are priced alike in both. */
export function listPricing(stack: readonly Place[]): Pricing {
	const place = stack.findLast(({destination}) => destination.name === 'offers');
	const words = place === undefined ? [] : queryAt(place).asked.get().parsed.words;
	return pricingOf(words.flatMap(({clauses}) => clauses));
}

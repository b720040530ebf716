import {pricingOf} from '../../../renter/offers/words/request.ts';
import type {Pricing} from '../../../contract/offer-search.ts';
import type {Place} from '../../router.ts';
import {askedAt} from './asked.ts';

/** Pricing of the list behind a place: its offers are priced alike in both. */
export function pricingBehind(stack: readonly Place[]): Pricing {
	const place = stack.findLast(({destination}) => destination.name === 'offers');
	const words = place === undefined ? [] : askedAt(place).asked.get().parsed.words;
	return pricingOf(words.flatMap(({clauses}) => clauses));
}

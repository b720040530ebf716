import {pricingOf} from '../../../renter/offers/words/request.ts';
import type {Pricing} from '../../../contract/offer-search.ts';
import type {Place} from '../../router.ts';
import {askedAt} from './asked.ts';

/** How the list that a place was come from is priced: what is shown of its offers is priced as they are. */
export function pricingBehind(stack: readonly Place[]): Pricing {
	const place = stack.findLast(({destination}) => destination.name === 'offers');
	const words = place === undefined ? [] : askedAt(place).asked.get().parsed.words;
	return pricingOf(words.flatMap(({clauses}) => clauses));
}

import type {Filter} from '../../../contract/grammar/filter.ts';
import {
	anyOffers,
	type OfferField,
	type OfferSearch,
} from '../../../contract/nouns/offer-search.ts';
import {fieldOf} from '../../../renter/offers/words/fields.ts';
import type {Settings} from '../../../renter/settings/default-settings.ts';
import {usualChoice} from '../../list/chosen-columns.ts';
import {listedFields} from './columns.ts';

/** More than any list of offers holds that a person would look through. */
const MOST_OFFERS = 10_000;

/** Default search of the list. */
export function defaultSearch({diskGb, columns}: Settings): OfferSearch {
	return {
		...anyOffers,
		filter: [
			{field: 'verified', operator: 'eq', value: true},
			{field: 'rentable', operator: 'eq', value: true},
		],
		limit: MOST_OFFERS,
		diskGb,
		columns: listedFields(columns['offers'] ?? usualChoice),
	};
}

/** The terms on which prices are meant, and what the service did not look at. */
export function describeTerms(
	{pricing, diskGb}: OfferSearch,
	here: Filter<OfferField> = [],
): string {
	const disk = diskGb === undefined ? [] : [`price incl. ${diskGb}G disk`];
	const names = [...new Set(here.map(({field}) => fieldOf(field).name))];
	const tested = names.length === 0 ? [] : [`${names.join(', ')} tested here`];
	return [...disk, pricing, ...tested].join(' | ');
}

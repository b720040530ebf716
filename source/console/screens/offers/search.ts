import {anyOffers} from '../../../contract/offer-search.ts';
import type {OfferSearch} from '../../../contract/offer-search.ts';
import type {Settings} from '../../default-settings.ts';
import {listedFields} from './columns.ts';

/** More than any list of offers holds that a person would look through. */
const MOST_OFFERS = 10_000;

/** What the list asks for until its user asks for something else. */
export function defaultSearch({diskGb}: Settings): OfferSearch {
	return {
		...anyOffers,
		filter: [
			{field: 'verified', operator: 'eq', value: true},
			{field: 'rentable', operator: 'eq', value: true},
		],
		limit: MOST_OFFERS,
		diskGb,
		columns: listedFields,
	};
}

/** What is asked for about one offer, to show everything the service says of it. */
export function searchForOffer(id: number, {diskGb}: Settings): OfferSearch {
	return {
		...anyOffers,
		filter: [{field: 'id', operator: 'eq', value: id}],
		limit: 1,
		diskGb,
	};
}

/** A search as one line that leaves nothing out. */
export function describeSearch({filter, pricing, diskGb}: OfferSearch): string {
	const words = filter.map(({field, operator, value}) => {
		const shown = value === true ? 'yes' : value === false ? 'no' : String(value);
		return operator === 'eq' ? `${field}=${shown}` : `${field} ${operator} ${shown}`;
	});
	const disk = diskGb === undefined ? [] : [`price incl. ${diskGb}G disk`];
	return [words.join(' '), ...disk, pricing].join(' | ');
}

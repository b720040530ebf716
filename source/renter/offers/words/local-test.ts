/** Tests the words of a search on offers that are already here, as the service would. */
import {matches} from '../../../contract/grammar/filter-match.ts';
import {
	isFieldOf,
	readVersion,
	type Filter,
	type Scalar,
} from '../../../contract/grammar/filter.ts';
import {searchableOffers, type OfferField} from '../../../contract/nouns/offer-search.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';

/**
 * True if an offer meets all conditions. It must have been sent with the fields that they are
 * about.
 */
export function passes(filter: Filter<OfferField>, offer: Offer): boolean {
	return matches(searchableOffers, filter, offer, valueOf);
}

/**
 * True if a field can be tested locally: only the service knows what "rented" and "external" mean.
 */
export function isTestable(field: OfferField): boolean {
	return field !== 'rented' && field !== 'external';
}

/** Fields that the service works out from another one of the offer. */
const derived = {
	verified: 'verification',
	datacenter: 'hosting_type',
	ask_contract_id: 'id',
} as const satisfies Partial<Record<OfferField, OfferField>>;

/** The field that an offer must come with for a test of this one. */
export function sourceOf(field: OfferField): OfferField {
	return isDerived(field) ? derived[field] : field;
}

function isDerived(field: string): field is keyof typeof derived {
	return Object.hasOwn(derived, field);
}

function valueOf(offer: Offer, field: string): Scalar | undefined {
	if (field === 'verified') return valueNamed(offer, 'verification') === 'verified';
	const value = valueNamed(offer, isDerived(field) ? derived[field] : field);
	if (field === 'datacenter') return typeof value === 'number' ? value === 1 : null;
	return field === 'driver_version' ? readVersion(value) : value;
}

function valueNamed(offer: Offer, field: string): Scalar | undefined {
	const value: unknown = isFieldOf(searchableOffers.fields, field) ? offer[field] : undefined;
	return isScalar(value) ? value : undefined;
}

function isScalar(value: unknown): value is Scalar {
	return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Offers as JSON, without making them objects first. What a host says changes seldom, and so do the
 * prices of usual terms: both are written once, when an offer is listed, and kept beside it.
 */
import {anyOffers, DEFAULT_DISK_GB} from '../../contract/offer-search.ts';
import type {OfferColumn, OfferFacts, OfferRow, OfferTexts} from '../store/schema.ts';
import {factNames, offerRecorder, priceColumns, priceNames} from './offer-record.ts';
import type {OfferView, RecordedRow} from './offer-record.ts';
import {dollars} from './pricing.ts';

/** What changes while an offer is listed. */
const changing: ReadonlySet<string> = new Set([
	'rentable',
	'rented',
	'start_date',
	'end_date',
	'duration',
	'min_bid',
]);

const keptFacts = factNames.filter(name => !changing.has(name));
const keptPrices = priceNames.filter(name => !changing.has(name));

const usualTerms = {pricing: anyOffers.pricing, diskGb: DEFAULT_DISK_GB};

/** The texts that are kept with an offer: the insides of two objects. */
export function offerTexts(offer: RecordedRow): OfferTexts {
	const view = {...usualTerms, now: 0};
	return {
		facts_json: insideOf(offerRecorder(keptFacts, view).record(offer)),
		prices_json: pricesText(offer, view),
	};
}

function pricesText(offer: RecordedRow, view: OfferView): string {
	const {id: _, ...prices} = offerRecorder(keptPrices, view).record(offer);
	return insideOf(prices);
}

function insideOf(record: object): string {
	return JSON.stringify(record).slice(1, -1);
}

export type OfferWriter = {
	/** The columns that rows must have. */
	readonly columns: readonly OfferColumn[];
	/** An offer as JSON. */
	readonly write: (row: OfferRow & OfferTexts) => string;
};

/** Writes offers with all their fields, from what is stored with their texts. */
export function offerWriter(view: OfferView): OfferWriter {
	const isUsual = view.pricing === usualTerms.pricing && view.diskGb === usualTerms.diskGb;
	const prices = isUsual
		? (row: OfferTexts) => row.prices_json
		: (row: RecordedRow) => pricesText(row, view);
	return {
		columns: [
			'rentable',
			'rented',
			'start_date',
			'end_date',
			'min_bid_micros',
			...(isUsual ? [] : (['id', ...priceColumns] as const)),
		],
		write: row => `{${row.facts_json},${prices(row)},${changingText(row, view)}}`,
	};
}

function changingText(
	row: Pick<OfferFacts, 'rentable' | 'rented' | 'start_date' | 'end_date' | 'min_bid_micros'>,
	{now}: OfferView,
): string {
	const {rentable, rented, start_date: start, end_date: end, min_bid_micros: minBid} = row;
	return insideOf({
		rentable: rentable === 1,
		rented: rented === 1,
		start_date: start,
		end_date: end,
		duration: end === null ? null : end - now,
		min_bid: dollars(minBid),
	});
}

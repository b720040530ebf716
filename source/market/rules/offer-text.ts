/**
 * Offers as JSON, without making them objects first. What a host says changes seldom, and so do the
 * prices of usual terms: both are written once, when an offer is listed, and kept beside it.
 */
import {anyOffers, DEFAULT_DISK_GB} from '../../contract/offer-search.ts';
import type {OfferColumn, OfferFacts, OfferTexts} from '../store/schema.ts';
import {timeLeft} from './contract-end.ts';
import {
	constants,
	factNames,
	offerRecorder,
	priceColumns,
	priceNames,
	type OfferView,
	type RecordedRow,
} from './offer-record.ts';
import {dollars, pricesOf, type PriceFacts, type PriceTerms} from './pricing.ts';

/** Columns that change while an offer is listed. */
const changing: ReadonlySet<string> = new Set([
	'rentable',
	'rented',
	'start_date',
	'end_date',
	'duration',
	'min_bid',
]);

/** The same in every reply, so they are kept with no offer. */
const constantText = insideOf(constants);

const keptFacts = factNames.filter(name => !changing.has(name) && !Object.hasOwn(constants, name));
const keptPrices = priceNames.filter(name => !changing.has(name));

const usualTerms = {pricing: anyOffers.pricing, diskGb: DEFAULT_DISK_GB};

const factsRecorder = offerRecorder(keptFacts, {...usualTerms, now: 0});

/** The texts that are kept with an offer: the insides of two objects. */
export function offerTexts(offer: RecordedRow): OfferTexts {
	return {
		facts_json: insideOf(factsRecorder.record(offer)),
		prices_json: pricesText(offer, usualTerms),
	};
}

function pricesText(offer: PriceFacts, view: PriceTerms): string {
	const prices = pricesOf(offer, view);
	return insideOf(Object.fromEntries(keptPrices.map(name => [name, prices[name]])));
}

function insideOf(record: object): string {
	return JSON.stringify(record).slice(1, -1);
}

/**
 * Columns that change while an offer's texts stay, with those that its prices are computed from.
 */
export type ChangingRow = PriceFacts &
	Pick<OfferFacts, 'rentable' | 'rented' | 'start_date' | 'end_date'>;

export type OfferWriter = {
	/** The columns that rows must have. */
	readonly columns: readonly OfferColumn[];
	/** An offer as JSON. */
	readonly write: (row: ChangingRow, texts: OfferTexts) => string;
};

/** Writes offers with all their fields, from what is stored with their texts. */
export function offerWriter(view: OfferView): OfferWriter {
	const isUsual = view.pricing === usualTerms.pricing && view.diskGb === usualTerms.diskGb;
	return {
		columns: [
			'rentable',
			'rented',
			'start_date',
			'end_date',
			'min_bid_micros',
			...(isUsual ? [] : (['id', ...priceColumns] as const)),
		],
		write(row, {facts_json, prices_json}) {
			const prices = isUsual ? prices_json : pricesText(row, view);
			return `{${facts_json},${prices},${changingText(row, view)},${constantText}}`;
		},
	};
}

/** Numbers and true are the same in JSON as here. */
function changingText(
	{rentable, rented, start_date: start, end_date: end, min_bid_micros: minBid}: ChangingRow,
	{now}: OfferView,
): string {
	return (
		`"rentable":${rentable === 1},"rented":${rented === 1},"start_date":${start},` +
		`"end_date":${end},"duration":${timeLeft(end, now)},"min_bid":${dollars(minBid)}`
	);
}

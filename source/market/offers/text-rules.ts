/**
 * Offers as JSON. Facts from hosts and prices on usual terms seldom change, so both are serialised
 * once for many replies.
 */
import {anyOffers, DEFAULT_DISK_GB} from '../../contract/nouns/offer-search.ts';
import type {OfferTableColumn, OfferFacts} from '../database/schema.ts';
import {timeLeft} from '../base/contract-end.ts';
import {
	constants,
	factNames,
	offerRecorder,
	priceNames,
	type OfferView,
	type RecordedRow,
} from './record-rules.ts';
import {
	toDollars,
	gbHour,
	priceColumns,
	pricesOf,
	type PriceFacts,
	type PriceTerms,
} from './pricing-rules.ts';

/** Columns that change while an offer is listed. */
const changing: ReadonlySet<string> = new Set([
	'rentable',
	'rented',
	'start_date',
	'end_date',
	'duration',
	'min_bid',
	'avail_vol_ask_id',
	'avail_vol_dph',
	'avail_vol_size',
]);

const constantText = insideOf(constants);

const keptFacts = factNames.filter(name => !changing.has(name) && !Object.hasOwn(constants, name));
const keptPrices = priceNames.filter(name => !changing.has(name));

const usualTerms = {pricing: anyOffers.pricing, diskGb: DEFAULT_DISK_GB};

const factsRecorder = offerRecorder(keptFacts, {...usualTerms, now: 0});

/** Texts of an offer, each the inside of a JSON object. */
export type OfferTexts = {
	/** Fields that do not change while the offer is listed. */
	readonly facts: string;
	/** Prices on usual terms. */
	readonly prices: string;
};

/** Columns of the texts, which do not include the lowest bid. */
export const offerTextColumns: readonly OfferTableColumn[] = [
	...new Set([...factsRecorder.columns, ...priceColumns.filter(name => name !== 'min_bid_micros')]),
];

export function offerTexts(offer: RecordedRow): OfferTexts {
	return {
		facts: insideOf(factsRecorder.record(offer)),
		prices: pricesText(offer, usualTerms),
	};
}

function pricesText(offer: PriceFacts, view: PriceTerms): string {
	const prices = pricesOf(offer, view);
	return insideOf(Object.fromEntries(keptPrices.map(name => [name, prices[name]])));
}

function insideOf(record: object): string {
	return JSON.stringify(record).slice(1, -1);
}

const changingFacts = [
	'rentable',
	'rented',
	'start_date',
	'end_date',
	'avail_vol_ask_id',
	'avail_vol_micros',
	'avail_vol_size',
] as const satisfies readonly OfferTableColumn[];

/**
 * Columns that change while an offer's texts stay, and columns of its prices.
 */
export type ChangingRow = PriceFacts & Pick<OfferFacts, (typeof changingFacts)[number]>;

type OfferWriter = {
	/** Columns that rows must have. */
	readonly columns: readonly OfferTableColumn[];
	readonly write: (row: ChangingRow, texts: OfferTexts) => string;
};

export function offerWriter(view: OfferView): OfferWriter {
	const isUsual = view.pricing === usualTerms.pricing && view.diskGb === usualTerms.diskGb;
	return {
		columns: [
			...changingFacts,
			'min_bid_micros',
			...(isUsual ? [] : (['id', ...priceColumns] as const)),
		],
		write(row, {facts, prices: usual}) {
			const prices = isUsual ? usual : pricesText(row, view);
			return `{${facts},${prices},${changingText(row, view)},${constantText}}`;
		},
	};
}

/** Changing fields as JSON, written by hand: numbers and booleans need no escapes. */
function changingText(row: ChangingRow, {now}: OfferView): string {
	const {rentable, rented, start_date: start, end_date: end, min_bid_micros: minBid} = row;
	const {avail_vol_ask_id: room, avail_vol_micros: micros, avail_vol_size: size} = row;
	return (
		`"rentable":${rentable === 1},"rented":${rented === 1},"start_date":${start},` +
		`"end_date":${end},"duration":${timeLeft(end, now)},"min_bid":${toDollars(minBid)},` +
		`"avail_vol_ask_id":${room},"avail_vol_dph":${gbHour(micros)},"avail_vol_size":${size}`
	);
}

/** One offer of a comparison, and how a row is made of all of them. */
import {costOf, type Job, type OfferCost} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {count} from '../../../renter/text/format.ts';
import type {HostRecord} from '../../../renter/offers/host-history.ts';

/** One offer of a comparison, with what it costs for the job in mind. */
export type Compared = {
	readonly offer: Offer;
	readonly cost: OfferCost;
	/** History of its host; undefined where nothing is known. */
	readonly host: HostRecord | undefined;
	/** Cost when the comparison was opened, or refreshed by hand. */
	readonly before: OfferCost;
	/** It was there, and can be had no longer. */
	readonly isGone: boolean;
	/** Rank in the fallback order; undefined where it is left out. */
	readonly turn: number | undefined;
};

/** The parts of a comparison, in the order in which people ask. */
export type CompareGroup = 'MONEY' | 'MACHINE' | 'RISK' | 'JOB';

/** Measure: a row's value of an offer. */
export type Measure = {
	readonly group: CompareGroup;
	readonly title: string;
	readonly text: (compared: Compared) => string;
	/** Values to compare: an offer is best where none is better in any of these. */
	readonly values?: (compared: Compared) => ReadonlyArray<number | null | undefined>;
	readonly best?: 'low' | 'high';
	readonly isDetail?: boolean;
};

type Priced = {
	readonly job: Job;
	/** The disk that the offers' totals contain. */
	readonly pricedGb: number;
	/** The offer as it was before, where it was another. */
	readonly seen?: Offer | undefined;
} & Pick<Compared, 'host' | 'isGone'>;

/** An offer with its cost, as a column of a comparison. */
export function comparedOffer(
	offer: Offer,
	{job, pricedGb, seen = offer, ...rest}: Priced,
): Omit<Compared, 'turn'> {
	const cost = costOf(offer, job, pricedGb);
	return {offer, cost, before: seen === offer ? cost : costOf(seen, job, pricedGb), ...rest};
}

/** A row of one number. */
export function number(
	title: string,
	group: CompareGroup,
	of: (offer: Offer) => number | null | undefined,
	format: (value: number | null | undefined) => string = count,
): Measure {
	return {
		group,
		title,
		text: ({offer}) => format(of(offer)),
		values: ({offer}) => [of(offer)],
	};
}

/** A row that comes last where there is not room for all. */
export function detail(measure: Measure): Measure {
	return {...measure, isDetail: true};
}

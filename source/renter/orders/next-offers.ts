import type {Client} from '../../client/client.ts';
import {anyOffers, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {OrderValues} from './rent-order.ts';
import {change, decimals} from '../text/format.ts';
import {searchOffers} from '../offers/local-filter.ts';
import {searchForOffers} from '../offers/search.ts';
import type {RentFacts} from './rent-facts.ts';
import {previewOf} from './preview.ts';

/** Most tries, even if the user's settings allow more: the fourth must be searched for manually. */
const MOST_TRIES = 3;
const MOST_LISTED = 8;

export type NextOffer = {
	readonly offer: Offer;
	/** Dollars an hour with everything; undefined if unknown. */
	readonly price: number | undefined;
	/** Surcharge over the first; undefined if unknown. */
	readonly percent: number | undefined;
	readonly isWithin: boolean;
};

/** Searches for offers with the same number of the same GPU, as trustworthy as the first. */
export function searchForEquals(
	{gpu_name: gpu, num_gpus: gpus, verification}: Offer,
	diskGb: number,
): OfferSearch {
	return {
		...anyOffers,
		filter: [
			...(typeof gpu === 'string'
				? [{field: 'gpu_name', operator: 'eq', value: gpu} as const]
				: []),
			...(typeof gpus === 'number'
				? [{field: 'num_gpus', operator: 'eq', value: gpus} as const]
				: []),
			{field: 'rentable', operator: 'eq', value: true},
			...(verification === 'verified'
				? [{field: 'verified', operator: 'eq', value: true} as const]
				: []),
		],
		order: [['dph_total', 'asc']],
		limit: 30,
		diskGb,
	};
}

/** Alternatives to an offer that is gone: the renter's own choices, then equal offers. */
export async function searchNext(
	client: Client,
	{offer, fallback, job}: Pick<RentFacts, 'offer' | 'fallback' | 'job'>,
	diskGb: number,
): Promise<readonly Offer[]> {
	const terms = {diskGb, pricing: 'on-demand'} as const;
	const [chosen, equal] = await Promise.all([
		fallback.length === 0
			? undefined
			: searchOffers(client, searchForOffers(fallback, terms), {job}),
		searchOffers(client, searchForEquals(offer, diskGb), {job}),
	]);
	const first = chosen?.offers ?? [];
	const known = new Set(first.map(({id}) => id));
	return [...first, ...equal.offers.filter(({id}) => !known.has(id))];
}

type OfferFacts = Pick<
	RentFacts,
	'offer' | 'template' | 'job' | 'first' | 'tried' | 'fallback' | 'own'
>;

/**
 * The offers that could replace one that is gone: in the renter's own order, then the cheapest
 * first.
 */
export function nextOffers(
	facts: OfferFacts,
	found: readonly Offer[],
	{values, pricedGb}: {readonly values: OrderValues; readonly pricedGb: number},
): readonly NextOffer[] {
	const {first, tried, fallback} = facts;
	const firstPrice = previewOf({...facts, ...first}, values).cost.allIn;
	const limit = ceilingOf(firstPrice, values);
	return found
		.filter(({id, rentable}) => id !== facts.offer.id && !tried.includes(id) && rentable !== false)
		.map(offer => {
			const price = previewOf({...facts, offer, pricedGb}, values).cost.allIn;
			const isKnown = price !== undefined && firstPrice !== undefined && firstPrice > 0;
			return {
				offer,
				price,
				percent: isKnown ? (price / firstPrice - 1) * 100 : undefined,
				isWithin: price !== undefined && limit !== undefined && price <= limit,
			};
		})
		.toSorted(
			(a, b) =>
				Number(b.isWithin) - Number(a.isWithin) ||
				turnOf(a, fallback) - turnOf(b, fallback) ||
				(a.price ?? Infinity) - (b.price ?? Infinity) ||
				a.offer.id - b.offer.id,
		)
		.slice(0, MOST_LISTED);
}

function turnOf({offer}: Pick<NextOffer, 'offer'>, fallback: readonly number[]): number {
	const turn = fallback.indexOf(offer.id);
	return turn < 0 ? fallback.length : turn;
}

/** The most that another offer may cost; undefined if the first one's price is unknown. */
export function ceilingOf(
	first: number | undefined,
	{ceiling = '0'}: OrderValues,
): number | undefined {
	// A ten-millionth above the ceiling is a rounding error, not money.
	return first === undefined ? undefined : first * (1 + Number(ceiling) / 100) + 1e-9;
}

/** Reason why the next offer cannot be taken with one key; undefined if it can. */
export function nextUnavailable(
	next: NextOffer | undefined,
	{tried}: Pick<RentFacts, 'tried'>,
	{tries = '0', ceiling = '0'}: OrderValues,
): string | undefined {
	const most = Math.min(MOST_TRIES, Number(tries));
	if (next === undefined) return 'there is no equal offer at present';
	if (tried.length >= most)
		return `${tried.length} others were tried; Esc leads back to the form, and to the list`;
	if (next.isWithin) return undefined;
	if (next.percent === undefined) return `the price of the next one is not known`;
	return `the next one is ${overCeiling(next.percent, Number(ceiling))}, and your ceiling is +${ceiling} %`;
}

/**
 * The surcharge in words; with a decimal, rounded up, if it would otherwise read as the ceiling:
 * +20.4 % is not within +20 %.
 */
function overCeiling(percent: number, ceiling: number): string {
	if (Math.round(percent) > ceiling) return change(percent);
	return `+${decimals(1)(Math.ceil(percent * 10 - 1e-6) / 10)} %`;
}

/** Usual prices of kinds of GPUs, by which an offer is cheap or expensive. */
import {costOf, type Job} from '../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {quantile} from './prices.ts';

type Kind = {
	readonly median: number;
	readonly count: number;
};

export type KindPrices = {
	readonly job: Job;
	/** By the name of the GPU. */
	readonly kinds: ReadonlyMap<string, Kind>;
};

const FEWEST = 4;

/**
 * Factor by which a sample must be larger to replace a kind's price: searches for cheap ones are no
 * measure.
 */
const MORE = 1.1;

/** Prices updated by some offers; the same object if nothing changed. */
export function learnKindPrices(
	known: KindPrices | undefined,
	offers: readonly Offer[],
	job: Job,
): KindPrices {
	const before = known?.job === job ? known.kinds : new Map<string, Kind>();
	const learned = [...Map.groupBy(offers, ({gpu_name: gpu}) => gpu ?? '')].flatMap(
		([name, group]): ReadonlyArray<[name: string, kind: Kind]> => {
			const enough = Math.max(FEWEST, (before.get(name)?.count ?? 0) * MORE);
			const kind = group.length < enough ? undefined : kindOf(group, job);
			return kind === undefined ? [] : [[name, kind]];
		},
	);
	if (known?.job === job && learned.length === 0) return known;
	return {job, kinds: new Map([...before, ...learned])};
}

function kindOf(offers: readonly Offer[], job: Job): Kind | undefined {
	const prices = offers.flatMap(offer => costOf(offer, job).allInPerGpu ?? []);
	const median = quantile(
		prices.toSorted((a, b) => a - b),
		0.5,
	);
	return median === undefined || median <= 0 ? undefined : {median, count: offers.length};
}

/**
 * Share by which an offer is more expensive than usual for its kind: -0.21; undefined if unknown.
 */
export function priceStanding(offer: Offer, prices: KindPrices | undefined): number | undefined {
	const median = prices?.kinds.get(offer.gpu_name ?? '')?.median;
	if (prices === undefined || median === undefined) return undefined;
	const {allInPerGpu} = costOf(offer, prices.job);
	return allInPerGpu === undefined ? undefined : allInPerGpu / median - 1;
}

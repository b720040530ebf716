/** Distribution of a result's prices, and the rank of one price in it. */

/** Prices from one up to another; the last bin has no end. */
export type Bin = {readonly from: number; readonly to: number | undefined; readonly count: number};

export type PriceHistogram = {
	/** From low to high. */
	readonly sorted: readonly number[];
	readonly bins: readonly Bin[];
	/** Width of a bin. */
	readonly step: number;
	/** Decimals needed to distinguish the bins. */
	readonly digits: number;
};

/**
 * Share of prices in ordinary bins: the most expensive go into one bin, so that the rest can be
 * distinguished.
 */
const TAIL = 0.9;

/** Sorts prices into at most so many bins of a round width. */
export function pricesIn(prices: readonly number[], mostBins: number): PriceHistogram {
	const sorted = prices.toSorted((a, b) => a - b);
	const [low = 0] = sorted;
	const step = roundStep(((quantile(sorted, TAIL) ?? low) - low) / Math.max(1, mostBins - 2));
	const first = stepsIn(low, step);
	const edge = (at: number) => (first + at) * step;
	const at = (price: number) => Math.min(mostBins - 1, stepsIn(price, step) - first);
	const counts = new Map<number, number>();
	for (const price of sorted) counts.set(at(price), (counts.get(at(price)) ?? 0) + 1);
	const length = sorted.length === 0 ? 0 : at(sorted.at(-1) ?? low) + 1;
	const bins = Array.from({length}, (_, index) => ({
		from: edge(index),
		to: index === mostBins - 1 ? undefined : edge(index + 1),
		count: counts.get(index) ?? 0,
	}));
	return {sorted, bins, step, digits: Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))};
}

/** A width that people count in: 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
	if (!(least > 0) || !Number.isFinite(least)) return 0.01;
	const power = 10 ** Math.floor(Math.log10(least));
	return (STEPS.find(step => step * power >= least * (1 - 1e-9)) ?? 10) * power;
}

const STEPS = [1, 2, 5, 10];

/** The price that a share of all is at or below; undefined without prices. */
export function quantile(sorted: readonly number[], share: number): number | undefined {
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export function binOf({bins, step}: PriceHistogram, price: number): number {
	const first = stepsIn(bins[0]?.from ?? 0, step);
	return Math.min(bins.length - 1, stepsIn(price, step) - first);
}

/** Whole steps below a price; a price on an edge counts as above it, despite rounding errors. */
function stepsIn(price: number, step: number): number {
	return Math.floor(price / step + 1e-9);
}

/** Percentage of prices at or below a price: 1 is the cheapest. */
export function cheapest({sorted}: PriceHistogram, price: number): number {
	const atMost = sorted.findLastIndex(other => other <= price) + 1;
	return Math.max(1, Math.ceil((100 * atMost) / Math.max(1, sorted.length)));
}

/** Offers in the order that is shown where nothing else is asked for. */

export type Trust = {
	readonly reliability: number | null;
	readonly verification: string | null;
};

/** Rank of an offer in the default order: much for the money, from a reliable host. */
export function scoreOf(dlperfPerDollar: number, {reliability, verification}: Trust): number {
	const trust = verification === 'verified' ? 1 : 0.7;
	return rounded(dlperfPerDollar * trust * (reliability ?? 0) ** 3);
}

/** Four decimals are enough to compare by. */
export function rounded(value: number): number {
	return Math.round(value * 10_000) / 10_000;
}

/** Figures of a GPU over time. */
import type {GpuHistory} from '../../contract/nouns/gpu-market.ts';
import type {Share} from '../database/provider-tables.ts';
import {countsOf, known, percentile, sum, worthOf} from './rules.ts';

export type Steps = {readonly start: number; readonly end: number; readonly step: number};

const LEAST_STEP = 60;
const MOST_POINTS = 500;
const DAY = 86_400;

/**
 * Points of time that are asked for, with the first on a whole step. They begin with the first figures
 * at the earliest: steps could be longer than the market is old.
 */
export function stepsOf(
	{start, end, step}: {readonly [Name in keyof Steps]?: number | undefined},
	now: number,
	firstFigures = 0,
): Steps {
	const last = Math.min(end ?? now, now);
	const first = Math.min(Math.max(start ?? last - DAY, firstFigures), last);
	const least = Math.ceil((last - first) / (MOST_POINTS - 1));
	const length = Math.ceil(Math.max(step ?? 300, LEAST_STEP, least));
	return {start: Math.floor(first / length) * length, end: last, step: length};
}

export type Sample = {readonly at: number; readonly shares: readonly Share[]};

const priceLists = [
	{of: 'prices', percents: {avail_p10: 10, avail_median: 50, avail_p90: 90}},
	{of: 'rentedPrices', percents: {rented_p10: 10, rented_median: 50, rented_p90: 90}},
] as const;

type PriceList = (typeof priceLists)[number];

function hasPrice({shares}: Sample, {of}: PriceList): boolean {
	return shares.some(share => share[of].length > 0);
}

/**
 * Figures of a GPU at the steps at which it was counted. Existing clients read all lists side by side
 * and take numbers alone: prices that are unknown at most steps are left out, and so are steps without
 * one of the others.
 */
export function historyOf(samples: readonly Sample[], {start, end, step}: Steps): GpuHistory {
	const byStep = new Map(
		samples.map(({at, shares}) => [Math.floor(at / step) * step, shares] as const),
	);
	const counted = [...byStep]
		.map(([at, shares]) => ({at, shares}))
		.filter(({at, shares}) => at >= start && at <= end && shares.length > 0)
		.toSorted((one, other) => one.at - other.at);
	const shown = priceLists.filter(list => {
		const count = counted.filter(point => hasPrice(point, list)).length;
		return count > 0 && count * 2 >= counted.length;
	});
	const points = counted.filter(point => shown.every(list => hasPrice(point, list)));
	const timestamps = points.map(({at}) => at);
	const counts = points.map(({shares}) => countsOf(shares));
	const each = (of: keyof (typeof counts)[number]) => counts.map(count => count[of]);
	return {
		supply_demand: {
			timestamps,
			rented_verified: each('rented_verified'),
			avail_verified: each('avail_verified'),
			rented_unverified: each('rented_unverified'),
			avail_unverified: each('avail_unverified'),
			total: counts.map(count => sum(Object.values(count))),
		},
		pricing: {timestamps, ...Object.fromEntries(shown.flatMap(list => pricesOf(points, list)))},
		stats: known(worthOf(counted.at(-1)?.shares ?? [])),
	};
}

/** Prices at some points, all of which have them, by the name of their percentile. */
function pricesOf(points: readonly Sample[], {of, percents}: PriceList) {
	return Object.entries(percents).map(([name, part]) => {
		const prices = points.map(({shares}) => shares.flatMap(share => share[of]));
		return [name, prices.flatMap(some => percentile(some, part) ?? [])] as const;
	});
}

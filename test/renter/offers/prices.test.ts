import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {binOf, cheapest, pricesIn, quantile} from '../../../source/renter/offers/prices.ts';

const prices = fc.array(
	fc.integer({min: 0, max: 20_000_000}).map(micros => micros / 1e6),
	{
		minLength: 1,
		maxLength: 300,
	},
);

test('every price is in the one bin whose ends are around it', () => {
	fc.assert(
		fc.property(prices, fc.integer({min: 2, max: 20}), (given, most) => {
			const result = pricesIn(given, most);
			const {bins} = result;
			expect(bins.length).toBeLessThanOrEqual(most);
			expect(bins.reduce((sum, {count}) => sum + count, 0)).toBe(given.length);
			for (const price of given) {
				const bin = bins[binOf(result, price)];
				expect(price).toBeGreaterThanOrEqual((bin?.from ?? Number.NaN) - 1e-6);
				expect(price).toBeLessThanOrEqual((bin?.to ?? Number.POSITIVE_INFINITY) + 1e-6);
			}
		}),
	);
});

test('bins are of a round width and begin where prices do', () => {
	const {bins, digits} = pricesIn([0.2811, 0.3, 0.3099, 0.32, 0.35, 0.36, 0.361, 0.37, 0.38, 4], 8);
	expect(bins.map(({from, count}) => [Number(from.toFixed(digits)), count])).toEqual([
		[0.28, 1],
		[0.3, 2],
		[0.32, 1],
		[0.34, 1],
		[0.36, 3],
		[0.38, 1],
		[0.4, 0],
		[0.42, 1],
	]);
	expect(bins.at(-1)?.to).toBeUndefined();
});

test('equal prices make one bin, and none make none', () => {
	expect(pricesIn([0.3, 0.3, 0.3], 8).bins).toHaveLength(1);
	expect(pricesIn([], 8)).toMatchObject({sorted: [], bins: []});
});

test('a quantile is a price that so many are at or below', () => {
	fc.assert(
		fc.property(prices, fc.integer({min: 1, max: 100}), (given, percent) => {
			const {sorted} = pricesIn(given, 8);
			const price = quantile(sorted, percent / 100) ?? Number.NaN;
			expect(given).toContain(price);
			expect(sorted.filter(other => other <= price).length * 100).toBeGreaterThanOrEqual(
				percent * given.length,
			);
			expect(sorted.filter(other => other < price).length * 100).toBeLessThan(
				percent * given.length,
			);
		}),
	);
});

test('where a price stands is a share of all, and never nought', () => {
	const all = pricesIn(
		Array.from({length: 200}, (_, at) => at + 1),
		8,
	);
	expect(cheapest(all, 1)).toBe(1);
	expect(cheapest(all, 12)).toBe(6);
	expect(cheapest(all, 200)).toBe(100);
});

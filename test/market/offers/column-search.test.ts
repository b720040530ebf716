import {setImmediate} from 'node:timers/promises';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {anyOffers, type OfferSearch} from '../../../source/contract/nouns/offer-search.ts';
import {searchColumns} from '../../../source/market/offers/column-search.ts';
import {NumberColumn, createOfferColumns} from '../../../source/market/offers/column.ts';
import {offerKeysOf} from '../../../source/market/offers/store.ts';
import {pricesOf} from '../../../source/market/offers/pricing-rules.ts';
import {makeOffers} from '../../helpers/market/made-offers.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {runs} from '../../helpers/property.ts';

const usualTerms = {pricing: 'on-demand', diskGb: 8} as const;
const moment = {now: TEST_NOW, limit: 1000};

/** Columns of many offers, with the rows that they were made from. */
function openColumns(count: number) {
	const offers = makeOffers({seed: 4, count, epoch: TEST_NOW});
	const rows = offers.map(offer => {
		const {dph_total, dlperf_per_dphtotal, flops_per_dphtotal} = pricesOf(offer, usualTerms);
		const kept = {
			default_dph_total: dph_total,
			default_dlperf_per_dph: dlperf_per_dphtotal,
			default_flops_per_dph: flops_per_dphtotal,
		};
		return {...offer, ...offerKeysOf(offer), ...kept};
	});
	const columns = createOfferColumns();
	for (const row of rows) columns.put(row);
	return {columns, rows};
}

/** Numbers as machines have them, and some that nothing short holds. */
const anyNumber = fc.oneof(
	fc.constant(null),
	fc.integer({min: 0, max: 300}),
	fc.integer(),
	fc.tuple(fc.integer(), fc.nat(9)).map(([whole, places]) => whole / 10 ** places),
	fc.double({noNaN: true, noDefaultInfinity: true}),
	fc.constantFrom(0, -0, 255, 65_535, -(2 ** 31), 2 ** 31, 0.1 + 0.2, 1e-7, 1e300),
);

test('a column keeps every number exactly, and finds those that lie between two', () => {
	fc.assert(
		fc.property(fc.array(anyNumber), anyNumber, anyNumber, (numbers, low, high) => {
			const column = new NumberColumn();
			for (const [row, number] of numbers.entries()) column.set(row, number);
			const kept = numbers.map((_, row) => column.get(row) + 0);
			// Of zero with a sign, the sign is not kept.
			expect(kept).toEqual(numbers.map(one => (one ?? Number.NaN) + 0));
			for (const [from, to] of [
				[low ?? -Infinity, high ?? Infinity],
				[numbers[0] ?? 0, numbers[1] ?? 0],
			] as const) {
				const [least, most] = column.bounds(from, to);
				const isFound = numbers.map((_, row) => {
					const value = column.values[row] ?? Number.NaN;
					return value >= least && value <= most;
				});
				const isBetween = numbers.map(one => one !== null && one >= from && one <= to);
				expect(isFound).toEqual(isBetween);
			}
		}),
		{numRuns: runs(1000)},
	);
});

const searches: ReadonlyArray<Partial<OfferSearch>> = [
	{order: [['inet_up', 'desc']]},
	{order: [['inet_up', 'desc']], limit: 1000},
	{order: [['cpu_name', 'asc']], filter: [{field: 'verified', operator: 'eq', value: true}]},
	{pricing: 'bid', order: [['dph_total', 'asc']]},
	{order: [], limit: 5},
];

test.each(searches)(
	'a search during which offers change finds them as they are at its end: %j',
	async changes => {
		const {columns, rows} = openColumns(40_000);
		const search = {...anyOffers, limit: 64, ...changes};
		const state = {isOver: false};
		let written = 0;
		const found = searchColumns(columns, search, moment, {sliceMs: 0}).finally(() => {
			state.isOver = true;
		});
		for (let turn = 0; !state.isOver; turn++) {
			for (const [index, row] of rows.entries()) {
				if ((index + turn) % 5000 !== 0) continue;
				columns.put({
					...row,
					rentable: 0,
					min_bid_micros: turn,
					inet_up: turn * 1000,
					listed: turn % 2 === 0 ? 1 : 0,
				});
				written += 1;
			}
			await setImmediate();
		}
		expect(written).toBeGreaterThan(0);
		// Nothing was written since: all at once it finds the same.
		const atOnce = await searchColumns(columns, search, moment, {sliceMs: Infinity});
		expect(await found).toEqual(atOnce);
	},
);

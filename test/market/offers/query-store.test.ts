import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {matches} from '../../../source/contract/grammar/filter-match.ts';
import {compareRows} from '../../helpers/market/compare-rows.ts';
import {
	searchableOffers,
	anyOffers,
	conditionsOf,
	parseOfferSearch,
	type OfferField,
	type OfferSearch,
} from '../../../source/contract/nouns/offer-search.ts';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import {timeLeft} from '../../../source/market/base/contract-end.ts';
import {makeOffers} from '../../helpers/market/made-offers.ts';
import type {NewOffer} from '../../../source/market/database/schema.ts';
import {openTestOffers, TEST_NOW} from '../../helpers/market/market.ts';
import {conditionOf, oddOffers, oddSearch, valueOf} from '../../helpers/market/odd-offers.ts';
import {onPostgres, slowness} from '../../helpers/market/postgres.ts';
import {least, runs} from '../../helpers/property.ts';

/** The same search over offers that were served, without a database. */
function findInMemory(served: readonly Offer[], search: OfferSearch): readonly number[] {
	const conditions = conditionsOf(search);
	return served
		.filter(offer => matches(searchableOffers, conditions, offer, valueOf))
		.toSorted(compareRows(searchableOffers, [...search.order, ['id', 'asc']], valueOf))
		.map(({id}) => id);
}

const plain = makeOffers({seed: 3, count: 40, epoch: TEST_NOW});

test('a search in the database finds what it finds in memory, in the same order', async () => {
	const seen = {empty: 0, full: 0, some: 0};
	await fc.assert(
		fc.asyncProperty(oddOffers, oddSearch, async (list, {conditions, ...rest}) => {
			await using market = await openTestOffers(list);
			const served = await market.all(rest);
			const filter = conditions.map(wanted => conditionOf(wanted, served));
			const wanted = {...anyOffers, ...rest, filter, limit: 1000};
			const found = (await market.find(wanted)).map(({id}) => id);
			expect(found).toEqual(findInMemory(served, wanted));
			const [none, all] = [found.length === 0, found.length === served.length];
			seen[none ? 'empty' : all ? 'full' : 'some']++;
		}),
		{numRuns: runs(150 / slowness)},
	);
	// Proof that it tried something.
	expect(seen.some).toBeGreaterThanOrEqual(least(onPostgres ? 0 : 20));
});

test.each([
	[5e-324, plain.length],
	[1e308, 0],
])('a search with %j GB of disk finds %i offers', async (allocated, count) => {
	await using market = await openTestOffers(plain);
	const search = parseOfferSearch({allocated_storage: allocated, order: [['dph_total', 'asc']]});
	expect(await market.find(search)).toHaveLength(count);
});

/** Offers like any others but for these changes, numbered from 1. */
function changed(changes: ReadonlyArray<Partial<NewOffer>>): readonly NewOffer[] {
	const made = makeOffers({seed: 3, count: changes.length, epoch: TEST_NOW});
	return made.map((one, index) => ({...one, id: index + 1, ...changes[index]}));
}

test('offers that are not listed, or whose time is up, are hidden', async () => {
	await using market = await openTestOffers(
		changed([
			{listed: 0},
			{end_date: TEST_NOW},
			{end_date: TEST_NOW + 0.25},
			{end_date: null},
			{end_date: TEST_NOW - 1},
		]),
	);
	const found = await market.find({...anyOffers, order: []});
	expect(found).toMatchObject([
		{id: 3, duration: timeLeft(TEST_NOW + 0.25, TEST_NOW)},
		{id: 4, duration: null},
	]);
});

test('a search by bid leaves out offers that take none', async () => {
	const list = changed([{min_bid_micros: 250_000}, {min_bid_micros: null}]);
	await using market = await openTestOffers(list);
	const found = await market.find({...anyOffers, pricing: 'bid'});
	expect(found).toMatchObject([{id: 1, is_bid: true, dph_base: 0.25}]);
	expect(await market.find(anyOffers)).toHaveLength(2);
});

test('a search returns as many offers as it asks for, or as one search may', async () => {
	await using market = await openTestOffers(plain);
	expect(await market.find({...anyOffers, limit: 3})).toHaveLength(3);
	expect(await market.find({...anyOffers, limit: 1e9}, 12)).toHaveLength(12);
});

test('offers that rank alike come by their number', async () => {
	const list = plain.map((made, index) => ({...made, score: index % 2, id: 90 - index}));
	await using market = await openTestOffers(list);
	for (const direction of ['asc', 'desc'] as const) {
		const found = await market.find({...anyOffers, order: [['score', direction]]});
		const ids = (score: number) => found.filter(made => made.score === score).map(({id}) => id);
		for (const score of [0, 1]) expect(ids(score)).toEqual(ids(score).toSorted((a, b) => a - b));
	}
});

test('two letters mean a country where places are compared, and nothing more elsewhere', async () => {
	const [text, place] = ['Texas, US', 'Sweden, SE'];
	const list = changed([
		{cpu_name: 'US', geolocation: place},
		{cpu_name: 'x', geolocation: text},
	]);
	await using market = await openTestOffers(list);
	const find = async (name: OfferField) => {
		const filter = [{field: name, operator: 'eq', value: 'us'}] as const;
		return (await market.find({...anyOffers, filter})).map(({id}) => id);
	};
	expect(await find('cpu_name')).toEqual([1]);
	expect(await find('geolocation')).toEqual([2]);
});

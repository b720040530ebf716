import {expect, test} from 'vitest';
import {parseOfferSearch} from '../../../source/contract/nouns/offer-search.ts';
import {findOfferRecords, writeSearch} from '../../../source/market/offers/offer-finder.ts';
import {makeOffers} from '../../helpers/market/made-offers.ts';
import {openTestOffers, TEST_NOW} from '../../helpers/market/market.ts';

test.each([
	{},
	{type: 'bid'},
	{type: 'reserved'},
	{allocated_storage: 100},
	{type: 'bid', allocated_storage: 37.5},
	{limit: 3, select_cols: ['dph_total', 'gpu_name']},
])('offers written as text say what offers made of their columns say: %j', async body => {
	const offers = makeOffers({seed: 3, count: 200, epoch: TEST_NOW});
	await using market = await openTestOffers(
		offers.map((offer, index) => (index % 3 === 0 ? {...offer, end_date: null} : offer)),
	);
	const search = parseOfferSearch({limit: 200, ...body});
	const now = TEST_NOW + 100;
	const {json} = await writeSearch(market.database, search, now, 1000);
	const made = await findOfferRecords(market.database, search, now, 1000);
	expect(made.length).toBeGreaterThan(0);
	expect(JSON.parse(String(json))).toEqual({offers: made});
});

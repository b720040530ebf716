import {expect, test} from 'vitest';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import {asksOf} from '../../helpers/market/accounts.ts';
import {openHostMarket, testPublication} from '../../helpers/host/hosts.ts';
import {rentRunning} from '../../helpers/market/instances.ts';
import {openProvided} from '../../helpers/market/provided.ts';

test('offers have the discount of their listing, and whoever rents one pays ahead by it', async () => {
	await using market = await openProvided();
	const shown = async () => (await market.offers()).map(offer => offer.credit_discount_max);
	await market.list({credit_discount_max: 0.4});
	expect(await shown()).toEqual([0.4, 0.4, 0.4]);
	await market.host.publish(testPublication());
	await market.list({credit_discount_max: null, min_chunk: 2});
	expect(await shown()).toEqual([0.4]);
	await market.list({min_chunk: 1});
	expect(await shown()).toEqual([0.4, 0.4, 0.4]);
	const [offer] = await market.search({machine_id: {eq: market.id}, type: 'reserved'});
	expect(offer).toMatchObject({discount_rate: 0.2});
	const {id} = await rentRunning(market.database, {ask_id: market.machine.asks[0]?.id ?? 0});
	expect((await market.renter.instances.prepay(id, 5)).discountRate).toBeGreaterThan(0);
	await market.list({credit_discount_max: 0});
	expect(await shown()).toEqual([0, 0, 0]);
});

/** A market with a made-up, verified machine of four GPUs, which its provider has never listed. */
async function openMadeUp() {
	const market = await openHostMarket({offers: 200});
	const ask = asksOf(market.call)(market.hostKey);
	const whole = {num_gpus: {eq: 4}, gpu_frac: {eq: 1}, verified: {eq: true}};
	const [found] = await market.search({...whole, rentable: {eq: true}});
	const machine = found?.machine_id;
	return {
		...market,
		offers: async () => market.search({machine_id: {eq: machine}, order: [['id', 'asc']]}),
		list: async (terms: object) => ask('/machines/create_asks/', 'PUT', {machine, ...terms}),
	};
}

/** What a provider sets of an offer. */
function termsOf({dph_base, min_bid, storage_cost, end_date, ...offer}: Offer) {
	const {id, inet_up_cost, inet_down_cost, credit_discount_max} = offer;
	const traffic = [inet_up_cost, inet_down_cost];
	return {id, dph_base, min_bid, storage_cost, end_date, traffic, credit_discount_max};
}

test('a made-up machine that is listed without terms keeps them, and nobody’s price increases', async () => {
	await using market = await openMadeUp();
	const before = await market.offers();
	await rentRunning(market.database, {ask_id: before[0]?.id ?? 0});
	expect(await market.list({})).toMatchObject({status: 200});
	const ids = new Set(before.map(({id}) => id));
	const after = (await market.offers()).filter(({id}) => ids.has(id));
	expect(after.map(termsOf)).toEqual(before.map(termsOf));
	expect((await market.renter.instances.priceIncreases()).pending_price_increases).toEqual([]);
});

test('offers that a listing adds stand as their machine does', async () => {
	await using market = await openMadeUp();
	const [{verification, reliability, expected_reliability} = {}] = await market.offers();
	expect(verification).toBe('verified');
	expect(await market.list({min_chunk: 1})).toMatchObject({status: 200});
	const offers = await market.offers();
	expect(offers).toHaveLength(7);
	for (const offer of offers)
		expect(offer).toMatchObject({verification, reliability, expected_reliability});
});

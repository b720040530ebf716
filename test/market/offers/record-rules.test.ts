import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {anyOffers} from '../../../source/contract/nouns/offer-search.ts';
import {offer} from '../../../source/contract/nouns/offers.ts';
import {described} from '../../../source/contract/grammar/tolerant.ts';
import {timeLeft} from '../../../source/market/base/contract-end.ts';
import {makeOffers} from '../../helpers/market/made-offers.ts';
import {openTestOffers, TEST_NOW} from '../../helpers/market/market.ts';

const made = makeOffers({seed: 5, count: 30, epoch: TEST_NOW});

/** The offer of the contract, without the tolerance that is for other services. */
const strict = described.get(offer) ?? expect.fail('the contract does not describe an offer');

test('offers are what the contract says, type by type', async () => {
	await using market = await openTestOffers(made);
	for (const pricing of ['on-demand', 'bid', 'reserved'] as const) {
		const found = await market.find({...anyOffers, pricing});
		expect(found.length).toBeGreaterThan(10);
		for (const one of found) expect(z.safeParse(strict, one).error?.issues ?? []).toEqual([]);
	}
});

test('an offer has every field of the contract', async () => {
	await using market = await openTestOffers(made);
	const [found = {}] = await market.find(anyOffers);
	const names = z.object({shape: z.record(z.string(), z.unknown())}).parse(strict).shape;
	const fields = Object.keys(names);
	expect(Object.keys(found).toSorted()).toEqual(fields.toSorted());
});

test('only the fields that were asked for are there, with the number of the offer', async () => {
	await using market = await openTestOffers(made);
	const columns = ['dph_total', 'gpu_name', 'duration', 'nonsense'];
	const [found] = await market.find({...anyOffers, columns});
	expect(Object.keys(found ?? {}).toSorted()).toEqual(['dph_total', 'duration', 'gpu_name', 'id']);
	const [bare] = await market.find({...anyOffers, columns: []});
	expect(bare).toEqual({id: found?.id});
});

test('a field is the same whether it was asked for alone or with all', async () => {
	await using market = await openTestOffers(made);
	const [whole = {id: 0}] = await market.find(anyOffers);
	for (const [name, value] of Object.entries(whole)) {
		const [part] = await market.find({...anyOffers, columns: [name]});
		expect(part).toEqual({id: whole['id'], [name]: value});
	}
});

test('what the database keeps as numbers and text is written as the wire has it', async () => {
	await using market = await openTestOffers(
		made.slice(0, 1).map(one => ({
			...one,
			static_ip: 1,
			gpu_display_active: null,
			external: 0,
			gpu_ids: '[2,3]',
			verification: 'deverified',
			driver_version: '550.54.15',
			dph_base_micros: 333_333,
			end_date: TEST_NOW + 90,
		})),
	);
	expect(await market.find(anyOffers)).toMatchObject([
		{
			static_ip: true,
			gpu_display_active: null,
			external: false,
			gpu_ids: [2, 3],
			verification: 'deverified',
			vericode: 2,
			driver_vers: 550_054_015,
			dph_base: 0.333_333,
			duration: timeLeft(TEST_NOW + 90, TEST_NOW),
			resource_type: 'gpu',
		},
	]);
});

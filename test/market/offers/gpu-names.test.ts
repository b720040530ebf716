import {expect, test} from 'vitest';
import {openTestMarketFile} from '../../helpers/market/instances.ts';
import {openTestMarket, TEST_NOW} from '../../helpers/market/market.ts';

const path = '/api/v0/gpu_names/unique/';
const withoutKey = {headers: {authorization: undefined}};

test('the names of all GPUs that are offered are read without a key', async () => {
	await using market = await openTestMarket({offers: 300});
	const offers = await market.search({limit: 1000});
	const names = [...new Set(offers.map(offer => String(offer.gpu_name)))];
	const reply = await market.call(path, withoutKey);
	const ordered = names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
	expect(reply).toMatchObject({status: 200, body: {gpu_names: ordered}});
	expect(ordered.length).toBeGreaterThan(10);
	const slashless = await market.call(path.slice(0, -1), withoutKey);
	expect(slashless.body).toEqual(reply.body);
});

test('a GPU that is offered no longer is not among them', async () => {
	await using market = await openTestMarketFile({offers: 3});
	const offers = await market.database.selectFrom('offers').select(['id', 'gpu_name']).execute();
	const [first = expect.fail('no offer')] = offers;
	const others = offers.filter(({gpu_name}) => gpu_name !== first.gpu_name);
	const update = market.database.updateTable('offers');
	await update.set({listed: 0}).where('gpu_name', '=', first.gpu_name).execute();
	const names = [...new Set(others.map(({gpu_name}) => gpu_name))];
	expect(await market.call(path)).toMatchObject({body: {gpu_names: names}});
	await update.set({listed: 1, end_date: TEST_NOW}).execute();
	expect(await market.call(path)).toMatchObject({body: {gpu_names: []}});
});

test('a market without offers has no names', async () => {
	await using market = await openTestMarket();
	expect(await market.call(path)).toMatchObject({status: 200, body: {gpu_names: []}});
});

import {expect, test} from 'vitest';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {openBrokenLists} from '../../helpers/services/broken-lists.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {openTestClient, openToldService, saying} from '../../helpers/services/told-service.ts';

test('offers and names of GPUs of a real market are all read', async () => {
	await using market = await openTestMarket({offers: 12});
	await using client = openTestClient({url: market.url, key: market.key});
	const {offers, unreadable} = await client.offers.search();
	expect(offers).toHaveLength(12);
	expect(unreadable).toEqual({...noneUnreadable, of: 12});
	const {names, unreadable: unnamed} = await client.offers.gpuNames();
	expect(unnamed).toEqual({...noneUnreadable, of: names.length});
});

test('offers that cannot be read are counted and named, and the others arrive', async () => {
	await using market = await openTestMarket({offers: 12});
	const lists = [
		['/api/v0/bundles/', 'offers'],
		['/api/v0/gpu_names/', 'gpu_names'],
	] as const;
	await using broken = await openBrokenLists(market, lists);
	await using client = openTestClient({url: broken.url, key: broken.key});
	const {offers, unreadable} = await client.offers.search();
	expect(offers).toHaveLength(12);
	expect(unreadable).toEqual({
		count: 2,
		of: 14,
		first: [
			{index: 1, name: 'name nameless', why: 'id is missing'},
			{index: 2, name: undefined, why: 'it is null'},
		],
	});
	expect((await client.offers.gpuNames()).unreadable).toMatchObject({count: 2});
});

test('a list of 100,000 broken offers is counted', async () => {
	const body = {offers: [...Array.from({length: 100_000}, () => ({id: '7'})), {id: 7}]};
	await using service = await openToldService(saying(body));
	await using client = openTestClient({url: service.url, key: 'k'});
	const {offers, unreadable} = await client.offers.search();
	expect(offers).toEqual([{id: 7}]);
	expect(unreadable).toMatchObject({count: 100_000, of: 100_001, first: {length: 20}});
});

test('offers by name or in a list by themselves are read in the same way', async () => {
	for (const body of [{offers: {a: {id: 1}, b: null, c: {id: 1}}}, [{id: 1}, null, {id: 1}]]) {
		await using service = await openToldService(saying(body));
		await using client = openTestClient({url: service.url, key: 'k'});
		const {offers, unreadable} = await client.offers.search();
		expect(offers).toEqual([{id: 1}]);
		expect(unreadable.first.map(({why}) => why)).toEqual([
			'it is null',
			'its id is that of number 1',
		]);
	}
});

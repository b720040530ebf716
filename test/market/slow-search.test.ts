import {mkdtempSync, renameSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {anyOffers} from '../../source/contract/offer-search.ts';
import type {OfferSearch} from '../../source/contract/offer-search.ts';
import {isQuick} from '../../source/market/rules/search-cost.ts';
import {openSlowSearches} from '../../source/market/search/slow-searches.ts';
import {searchOffers} from '../../source/market/search/search-offers.ts';
import {makeOffers} from '../../source/market/seed/offers.ts';
import {openDatabase} from '../../source/market/store/database.ts';
import {insertOffers} from '../../source/market/store/offers.ts';
import {TEST_NOW} from '../helpers/market.ts';

test.each<readonly [string, Partial<OfferSearch>, boolean]>([
	['the best of all', {}, true],
	['the cheapest', {order: [['dph_total', 'asc']]}, true],
	['one GPU', {filter: [{field: 'gpu_name', operator: 'eq', value: 'RTX 4090'}]}, true],
	['one machine', {filter: [{field: 'machine_id', operator: 'eq', value: 1}], order: []}, true],
	['GPUs but one', {filter: [{field: 'gpu_name', operator: 'neq', value: 'RTX 4090'}]}, false],
	['much memory', {filter: [{field: 'cpu_ram', operator: 'gte', value: 1}]}, false],
	['an order without index', {order: [['inet_up', 'desc']]}, false],
	['the cheapest with a large disk', {order: [['dph_total', 'asc']], diskGb: 100}, false],
	['the cheapest to bid on', {order: [['dph_total', 'asc']], pricing: 'bid'}, false],
	['very many', {limit: 1000}, false],
])('whether an index answers at once: %s', (_, search, quick) => {
	expect(isQuick({...anyOffers, ...search})).toBe(quick);
});

test('a thread of its own finds the same offers', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-slow-'));
	const file = join(folder, 'market.db');
	const database = await openDatabase(file);
	const slow = openSlowSearches(file);
	try {
		await insertOffers(database, makeOffers({seed: 1, count: 300, epoch: TEST_NOW}));
		const search: OfferSearch = {
			...anyOffers,
			filter: [{field: 'cpu_ram', operator: 'gte', value: 64_000}],
			order: [['inet_up', 'desc']],
		};
		const expected = await searchOffers(database, search, TEST_NOW, 100);
		expect(expected.length).toBeGreaterThan(10);
		const answers = await Promise.all([
			slow.run(search, TEST_NOW, 100),
			slow.run({...search, limit: 3}, TEST_NOW, 100),
		]);
		const [all, three] = answers.map((bytes): unknown =>
			JSON.parse(new TextDecoder().decode(bytes)),
		);
		expect(all).toEqual({offers: JSON.parse(JSON.stringify(expected)) as unknown});
		expect(three).toMatchObject({offers: expected.slice(0, 3).map(({id}) => ({id}))});
	} finally {
		await slow.close();
		await database.destroy();
		rmSync(folder, {recursive: true});
	}
});

test('a search that fails in its thread fails here', async () => {
	const slow = openSlowSearches(join(tmpdir(), 'rentty-there-is-no-such-folder', 'market.db'));
	await expect(slow.run(anyOffers, TEST_NOW, 1)).rejects.toThrow('unable to open database file');
	await slow.close();
});

test('a thread that ends late takes no search of the next one with it', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-slow-'));
	const [place, made] = [join(folder, 'place'), join(folder, 'made')];
	const database = await openDatabase(join(made, 'market.db'));
	await insertOffers(database, makeOffers({seed: 1, count: 3, epoch: TEST_NOW}));
	await database.destroy();
	const slow = openSlowSearches(join(place, 'market.db'));
	const run = async () => slow.run(anyOffers, TEST_NOW, 1);
	try {
		await expect(run()).rejects.toThrow('unable to open database file');
		renameSync(made, place);
		// The first thread has failed, and has not ended.
		const replies = await Promise.all([run(), run()]);
		expect(replies.map(bytes => new TextDecoder().decode(bytes).slice(0, 11))).toEqual([
			'{"offers":[',
			'{"offers":[',
		]);
		expect(new TextDecoder().decode(await run())).toMatch(/^{"offers":\[/);
	} finally {
		await slow.close();
		rmSync(folder, {recursive: true});
	}
});

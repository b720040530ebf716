import {CompiledQuery} from 'kysely';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {parseOfferSearch} from '../../../source/contract/nouns/offer-search.ts';
import {offerQuery} from '../../../source/market/offers/query-store.ts';
import {makeOffers} from '../../helpers/market/made-offers.ts';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {insertMadeUpMachines} from '../../../source/market/lifecycle/machines-store.ts';
import {insertOffers, renewOffers, selectOffers} from '../../../source/market/offers/store.ts';
import {openTestOffers, TEST_NOW} from '../../helpers/market/market.ts';
import {onPostgres} from '../../helpers/market/postgres.ts';

const made = makeOffers({seed: 9, count: 120, epoch: TEST_NOW});

test('offers are read as they were written, whatever number of them', async () => {
	for (const count of [0, 1, 49, 50, 51, 120]) {
		await using market = await openTestOffers(made.slice(0, count));
		const rows = await market.database.selectFrom('offers').selectAll().orderBy('id').execute();
		expect(rows).toHaveLength(count);
		for (const [index, row] of rows.entries()) expect(row).toMatchObject({...made[index]});
	}
});

test('what searches compare is derived from what the host says', async () => {
	const changes = [
		{gpu_name: 'GTX 1650 Max-Q', geolocation: 'Texas, US', driver_version: '535.86.05'},
		{gpu_name: 'RTX_4090', geolocation: null, driver_version: null, verification: null},
	];
	const list = made.slice(0, 2).map((one, index) => ({...one, ...changes[index]}));
	await using market = await openTestOffers(list);
	const keys = ['gpu_key', 'country', 'driver_vers'] as const;
	const rows = await market.database.selectFrom('offers').select(keys).orderBy('id').execute();
	expect(rows).toEqual([
		{gpu_key: 'gtx 1650 max q', country: 'us', driver_vers: 535_086_005},
		{gpu_key: 'rtx 4090', country: null, driver_vers: null},
	]);
});

test('made-up offers whose time is up are made again for as long as before, and others left alone', async () => {
	await using market = await openTestOffers([]);
	const {id: accountId} = await soleAccount(market.database, 'host', TEST_NOW);
	const machine = {account_id: accountId, host_id: 1, num_gpus: 1, busy_mask: 0};
	await insertMadeUpMachines(market.database, [{...machine, id: 1, name: 'one'}]);
	const list = made.slice(0, 4).map((one, index) => ({
		...one,
		id: index,
		machine_id: index === 3 ? 2 : 1,
		listed: index === 2 ? (0 as const) : (1 as const),
		start_date: TEST_NOW - 300,
		end_date: index === 1 ? TEST_NOW + 5 : TEST_NOW - 100,
	}));
	await insertOffers(market.database, list);
	await renewOffers(market.database, TEST_NOW);
	const dates = ['start_date', 'end_date'] as const;
	const rows = await market.database.selectFrom('offers').select(dates).orderBy('id').execute();
	expect(rows).toEqual([
		{start_date: TEST_NOW, end_date: TEST_NOW + 200},
		{start_date: TEST_NOW - 300, end_date: TEST_NOW + 5},
		{start_date: TEST_NOW - 300, end_date: TEST_NOW - 100},
		{start_date: TEST_NOW - 300, end_date: TEST_NOW - 100},
	]);
});

/** How SQLite means to find the offers of a search; PostgreSQL goes by how many there are. */
async function planOf(body: Readonly<Record<string, unknown>>): Promise<string> {
	await using market = await openTestOffers([]);
	const query = offerQuery(parseOfferSearch(body), TEST_NOW, 64);
	const {sql: text, parameters} = selectOffers(
		market.database,
		['id', 'hostname'],
		query,
	).compile();
	const plan = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
	const {rows} = await market.database.executeQuery(plan);
	return rows.map(row => z.parse(z.object({detail: z.string()}), row).detail).join(' | ');
}

const usual = {verified: true, rentable: true, rented: false};
const gpu = {gpu_name: 'RTX_4090', ...usual};
const [price, value] = [[['dph_total', 'asc']], [['dlperf_per_dphtotal', 'desc']]];

test.skipIf(onPostgres).each<readonly [body: Readonly<Record<string, unknown>>, plan: string]>([
	[usual, 'SCAN offers USING INDEX offers_by_score'],
	[{...usual, order: price}, 'SCAN offers USING INDEX offers_by_price'],
	[{...usual, order: value}, 'SCAN offers USING INDEX offers_by_value'],
	[{...usual, order: value, type: 'reserved'}, 'SCAN offers USING INDEX offers_by_value'],
	[gpu, 'SEARCH offers USING INDEX offers_by_gpu_and_score (gpu_key=?)'],
	[{...gpu, order: price}, 'SEARCH offers USING INDEX offers_by_gpu_and_price (gpu_key=?)'],
	[{...gpu, order: value}, 'SEARCH offers USING INDEX offers_by_gpu_and_value (gpu_key=?)'],
	[{id: 7}, 'SEARCH offers USING INTEGER PRIMARY KEY (rowid=?)'],
])('%j walks an index in order', async (body, plan) => {
	expect(await planOf(body)).toBe(plan);
});

test.skipIf(onPostgres).each<readonly [body: Readonly<Record<string, unknown>>, plan: string]>([
	[{...gpu, order: price, allocated_storage: 50}, 'USING INDEX offers_by_gpu (gpu_key=?'],
	[{...gpu, order: [['inet_down', 'desc']]}, 'USING INDEX offers_by_gpu (gpu_key=?'],
	[{...gpu, order: price, type: 'bid'}, 'USING INDEX offers_by_gpu (gpu_key=?'],
	[{machine_id: 7}, 'USING INDEX offers_by_machine (machine_id=?)'],
	[{...usual, order: [['inet_down', 'desc']]}, 'SCAN offers |'],
	[{...usual, order: price, allocated_storage: 50}, 'SCAN offers |'],
])('%j sorts what it finds', async (body, plan) => {
	const found = await planOf(body);
	expect(found).toContain(plan);
	expect(found).toContain('TEMP B-TREE FOR ORDER BY');
});

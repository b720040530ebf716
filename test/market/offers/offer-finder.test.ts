import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {sql} from 'kysely';
import {expect, test, vi} from 'vitest';
import {anyOffers, type OfferSearch} from '../../../source/contract/nouns/offer-search.ts';
import {
	createOfferFinder,
	findOfferRecords,
	writeSearch,
} from '../../../source/market/offers/offer-finder.ts';
import {makeOffers} from '../../helpers/market/made-offers.ts';
import {createChanges} from '../../../source/market/database/changes.ts';
import {onPostgres, openDatabase, slowness} from '../../helpers/market/postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {changeOffer, insertOffers, unlistOffers} from '../../../source/market/offers/store.ts';
import type {NewOffer} from '../../../source/market/database/schema.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {conditionOf, oddOffer, oddOffers, oddSearch} from '../../helpers/market/odd-offers.ts';
import {least, runs} from '../../helpers/property.ts';

vi.setConfig({testTimeout: 120_000 * slowness});

const LIMIT = 1000;

/** A database whose offers are in memory as well. */
async function openFinder(offers: readonly NewOffer[]) {
	const changes = createChanges();
	const database = await openDatabase(':memory:', changes);
	await insertOffers(database, offers);
	let statements = 0;
	const counted = database.withPlugin({
		transformQuery({node}) {
			statements += 1;
			return node;
		},
		transformResult: async ({result}) => result,
	});
	const finder = createOfferFinder(counted, changes, LIMIT);
	await finder.load();
	return {
		database,
		find: async (search: OfferSearch, now = TEST_NOW) =>
			String((await finder.find(search, now)).json),
		inSql: async (search: OfferSearch, now = TEST_NOW) =>
			(await writeSearch(database, search, now, LIMIT)).json,
		finder,
		statements: () => statements,
		async [Symbol.asyncDispose]() {
			await finder.close();
			await database.destroy();
		},
	};
}

/** What may become of offers while others search. */
const change = fc.record({
	kind: fc.constantFrom('rent', 'publish', 'expire', 'unlist', 'add', 'rollBack'),
	index: fc.nat(),
	/** Time that passes after it. */
	seconds: fc.constantFrom(0, 0, 1, 30),
	odd: oddOffer,
});

type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

let lastId = 1_000_000;

async function apply(database: Database, {kind, index, odd}: Change): Promise<void> {
	const rows = await database.selectFrom('offers').select(['id', 'machine_id']).execute();
	const {id = 0, machine_id: machineId = 0} = rows[index % rows.length] ?? {};
	const one = database.updateTable('offers').where('id', '=', id);
	switch (kind) {
		case 'rent':
			return void (await one.set({rentable: 0, rented: 1, min_bid_micros: 777}).execute());
		case 'expire':
			return void (await one.set({end_date: TEST_NOW + (index % 90) - 1}).execute());
		case 'publish':
			return changeOffer(database, {...odd, id});
		case 'unlist':
			return unlistOffers(database, machineId);
		case 'add':
			return insertOffers(database, [{...odd, id: ++lastId}]);
		case 'rollBack': {
			const failed = database.transaction().execute(async transaction => {
				await changeOffer(transaction, {...odd, id});
				throw new Error('rolled back');
			});
			await expect(failed).rejects.toThrow('rolled back');
		}
	}
}

test('what is found in memory is what the database finds, byte for byte, while offers change', async () => {
	const seen = {empty: 0, some: 0};
	await fc.assert(
		fc.asyncProperty(
			oddOffers,
			oddSearch,
			fc.array(change, {maxLength: 6}),
			fc.constantFrom(1, 3, 64, 1000),
			fc.constantFrom(undefined, ['gpu_name', 'rentable', 'dph_total', 'end_date']),
			async (list, {conditions, ...rest}, story, limit, columns) => {
				await using world = await openFinder(list);
				const all = {...anyOffers, ...rest, order: [], limit: LIMIT};
				const served = await findOfferRecords(world.database, all, TEST_NOW, LIMIT);
				const filter = conditions.map(wanted => conditionOf(wanted, served));
				const search = {...anyOffers, ...rest, filter, limit, columns};
				const answers = [await world.inSql(search)];
				let now = TEST_NOW;
				expect(await world.find(search)).toBe(answers[0]);
				for (const step of story) {
					answers.push(await world.inSql(search, now));
					const beside = world.find(search, now);
					await apply(world.database, step);
					answers.push(await world.inSql(search, now));
					// What was asked before may be answered as of before or after.
					expect(answers.slice(-2)).toContain(await beside);
					expect(await world.find(search, now)).toBe(answers.at(-1));
					now += step.seconds;
					expect(await world.find(search, now)).toBe(await world.inSql(search, now));
				}
				seen[answers.at(-1) === '{"offers":[]}' ? 'empty' : 'some']++;
			},
		),
		{numRuns: runs(300 / slowness)},
	);
	// Proof that it tried something.
	expect(seen.some).toBeGreaterThanOrEqual(least(onPostgres ? 0 : 50));
});

test('a search reads nothing from the database that it has read before and that has not changed', async () => {
	await using world = await openFinder(makeOffers({seed: 1, count: 300, epoch: TEST_NOW}));
	const search: OfferSearch = {...anyOffers, order: [['inet_up', 'desc']]};
	expect(await world.find(search)).toBe(await world.inSql(search));
	const before = world.statements();
	expect(await world.find(search)).toBe(await world.inSql(search));
	expect(world.statements()).toBe(before);
	const {id} = await world.database.selectFrom('offers').select('id').executeTakeFirstOrThrow();
	await world.database.updateTable('offers').set({rentable: 0}).where('id', '=', id).execute();
	expect(await world.find(search)).toBe(await world.inSql(search));
	expect(world.statements()).toBe(before + 1);
});

/** Lets what is under way go on for some turns. */
async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

test('a search says an offer as it was or as it is, wherever another search meets its change', async () => {
	const [offer, ...others] = makeOffers({seed: 1, count: 3, epoch: TEST_NOW});
	if (offer === undefined) throw new Error('no offer was made');
	const here: NewOffer = {...offer, rentable: 1, hostname: 'one'};
	const gone: NewOffer = {...offer, rentable: 0, hostname: 'another'};
	await using world = await openFinder([here, ...others]);
	const set = async (row: NewOffer) => changeOffer(world.database, row);
	const filter = [{field: 'rentable', operator: 'eq', value: true}] as const;
	for (const columns of [undefined, ['id', 'rentable'] as const]) {
		const search: OfferSearch = {...anyOffers, filter, columns};
		const answers: unknown[] = [];
		for (const row of [gone, here]) {
			await set(row);
			answers.push(await world.inSql(search));
		}
		for (let begun = 0; begun < 60; begun += 2) {
			for (let since = 0; since < 12; since += 3) {
				await set(here);
				await world.find(search);
				// Another limit: what was kept of an earlier search answers none of these.
				const beside = world.find({...search, limit: 10 + begun * 12 + since});
				await turns(begun);
				const changed = set(gone);
				await turns(since);
				const other = world.find(anyOffers);
				expect(answers).toContain(await beside);
				await Promise.all([changed, other]);
			}
		}
	}
});

test('what another process has changed is found, although nobody was told of it', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-search-'));
	const file = join(folder, 'market.db');
	const changes = createChanges();
	const database = await openDatabase(file, changes);
	const other = await openDatabase(file);
	const finder = createOfferFinder(database, changes, LIMIT);
	const find = async () => String((await finder.find(anyOffers, TEST_NOW)).json);
	try {
		await insertOffers(database, makeOffers({seed: 1, count: 30, epoch: TEST_NOW}));
		await finder.load();
		const before = await find();
		await other
			.updateTable('offers')
			.set({score: sql<number>`-score`})
			.execute();
		const {json: after} = await writeSearch(other, anyOffers, TEST_NOW, LIMIT);
		expect(after).not.toBe(before);
		expect(await find()).toBe(after);
	} finally {
		await finder.close();
		await other.destroy();
		await database.destroy();
		rmSync(folder, {recursive: true});
	}
});

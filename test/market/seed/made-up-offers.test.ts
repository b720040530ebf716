import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {makeUpOffers} from '../../../source/market/seed/made-up-offers.ts';
import {onPostgres, openDatabase} from '../../helpers/market/postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

const options = {offers: 3000, seed: 5};

async function everything(database: Database) {
	return {
		offers: await database.selectFrom('offers').selectAll().orderBy('id').execute(),
		machines: await database.selectFrom('machines').selectAll().orderBy('id').execute(),
		templates: await database.selectFrom('templates').selectAll().orderBy('id').execute(),
		moments: await database.selectFrom('moments').selectAll().execute(),
	};
}

/** The same database, whose statements fail after so many. */
function failingAfter(database: Database, count: number): Database {
	let left = count;
	return database.withPlugin({
		transformQuery({node}) {
			if (left-- <= 0) throw new Error('the disk is full');
			return node;
		},
		transformResult: async ({result}) => result,
	});
}

test.each([12, 20, 38])(
	'making up offers that ended after %d statements goes on with the next start',
	async count => {
		const [whole, broken] = [await openDatabase(':memory:'), await openDatabase(':memory:')];
		await makeUpOffers(whole, options, TEST_NOW);
		await expect(makeUpOffers(failingAfter(broken, count), options, TEST_NOW)).rejects.toThrow(
			'the disk is full',
		);
		// Later, but as of the moment at which it was begun.
		await makeUpOffers(broken, options, TEST_NOW + 60);
		expect((await everything(broken)).offers.length).toBe(3000);
		const [{templates, ...rest}, expected] = [await everything(broken), await everything(whole)];
		expect(templates.length).toBe(expected.templates.length);
		expect({...rest, templates: []}).toEqual({...expected, templates: []});
		await whole.destroy();
		await broken.destroy();
	},
);

test.skipIf(onPostgres)('made-up offers are found by all indexes that a file has', async () => {
	const [empty, stocked] = [await openDatabase(':memory:'), await openDatabase(':memory:')];
	await makeUpOffers(stocked, options, TEST_NOW);
	const indexes = sql`select name, sql from sqlite_master where type = 'index' order by name`;
	const {rows} = await indexes.execute(empty);
	expect((await indexes.execute(stocked)).rows.map(plain)).toEqual(rows.map(plain));
	await empty.destroy();
	await stocked.destroy();
});

/** What a statement says, however it was laid out. */
function plain(row: unknown): string {
	return JSON.stringify(row).replaceAll(/\\[nt]|if not exists|\s+/g, '');
}

test('two processes that make up the same offers make them once', async () => {
	const database = await openDatabase(':memory:');
	await Promise.all([
		makeUpOffers(database, options, TEST_NOW),
		makeUpOffers(database, options, TEST_NOW),
	]);
	expect((await everything(database)).offers.length).toBe(3000);
	await database.destroy();
});

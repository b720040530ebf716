import {Kysely, sql} from 'kysely';
import {expect, test} from 'vitest';
import {makeOffers} from '../../../../source/market/seed/offers.ts';
import {soleAccount} from '../../../../source/market/store/accounts.ts';
import {keepContractEnds} from '../../../../source/market/store/migrations/0006-contract-ends.ts';
import {keepIsolation} from '../../../../source/market/store/migrations/0010-isolation.ts';
import {migrations} from '../../../../source/market/store/migrations/index.ts';
import {insertOffers} from '../../../../source/market/store/offers.ts';
import type {Tables} from '../../../../source/market/store/schema.ts';
import {createDialect, openSqlite} from '../../../../source/market/store/sqlite-dialect.ts';
import {TEST_NOW} from '../../../helpers/market.ts';

const DAY = 86_400;

test('what was rented before contracts had ends gets that of its offer, or 90 days more', async () => {
	await using database = new Kysely<Tables>({dialect: createDialect(openSqlite(':memory:'))});
	const before = migrations.slice(0, migrations.indexOf(keepContractEnds));
	for (const migration of before) await migration(database);
	// Offers are made up with all that they have by now.
	await keepIsolation(database);
	for (const name of ['ask_id', 'micros', 'size']) {
		await sql`alter table offers add column ${sql.ref(`avail_vol_${name}`)} integer`.execute(
			database,
		);
	}
	const {id: account_id} = await soleAccount(database, 'renter', TEST_NOW);
	const ends = [TEST_NOW + DAY, null, TEST_NOW - DAY];
	const offers = makeOffers({seed: 1, count: 3, epoch: TEST_NOW});
	await insertOffers(
		database,
		offers.map((offer, index) => ({...offer, id: index + 1, end_date: ends[index] ?? null})),
	);
	for (const ask of [1, 2, 3, 4]) {
		await sql`
			insert into volumes (
				account_id, ask_id, machine_id, host_account_id, size_gb, storage_micros,
				created_at, billed_until, revision
			) values (
				${account_id}, ${ask}, 1, ${account_id}, 1, 1, ${TEST_NOW}, ${TEST_NOW + 60}, 1
			)`.execute(database);
	}
	await keepContractEnds(database);
	const rows = await database.selectFrom('volumes').select('end_date').orderBy('id').execute();
	const open = TEST_NOW + 60 + 90 * DAY;
	expect(rows.map(({end_date: end}) => end)).toEqual([TEST_NOW + DAY, open, open, open]);
});

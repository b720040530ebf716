import {Kysely, sql} from 'kysely';
import {expect, test} from 'vitest';
import {soleAccount} from '../../../../source/market/store/accounts.ts';
import {countTraffic} from '../../../../source/market/store/migrations/0008-counted-traffic.ts';
import {migrations} from '../../../../source/market/store/migrations/index.ts';
import type {Tables} from '../../../../source/market/store/schema.ts';
import {createDialect, openSqlite} from '../../../../source/market/store/sqlite-dialect.ts';
import {TEST_NOW} from '../../../helpers/market.ts';

test('an account that a host has charged beyond all numbers can be read again', async () => {
	await using database = new Kysely<Tables>({dialect: createDialect(openSqlite(':memory:'))});
	const before = migrations.slice(0, migrations.indexOf(countTraffic));
	for (const migration of before) await migration(database);
	const {id} = await soleAccount(database, 'renter', TEST_NOW);
	await sql`update accounts set credit_micros = -18000000000000000`.execute(database);
	// The account as it was at that time: it had fewer columns.
	const read = async () =>
		database
			.selectFrom('accounts')
			.select('credit_micros')
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
	await expect(read()).rejects.toThrow(RangeError);
	await countTraffic(database);
	expect(await read()).toEqual({credit_micros: -Number.MAX_SAFE_INTEGER});
});

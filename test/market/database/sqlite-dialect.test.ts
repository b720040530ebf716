import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {openDatabase} from '../../../source/market/database/database.ts';

async function openTwice() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-dialect-'));
	const file = join(folder, 'market.db');
	const [one, other] = [await openDatabase(file), await openDatabase(file)];
	return {
		one,
		other,
		async [Symbol.asyncDispose]() {
			await one.destroy();
			await other.destroy();
			rmSync(folder, {recursive: true});
		},
	};
}

test('rows have their columns by name, whatever is in them', async () => {
	await using databases = await openTwice();
	const query = sql`select 1 as a, null as b, 'ü' as c, 0.1 as "d e" union all select 2, 3, '', -1`;
	expect((await query.execute(databases.one)).rows).toEqual([
		{a: 1, b: null, c: 'ü', 'd e': 0.1},
		{a: 2, b: 3, c: '', 'd e': -1},
	]);
	expect((await sql`select 1 as a where 1 = 0`.execute(databases.one)).rows).toEqual([]);
});

test('a table that another process gives a column is read as it is then', async () => {
	await using databases = await openTwice();
	const {one, other} = databases;
	await sql`create table things (a integer)`.execute(one);
	await sql`insert into things values (1)`.execute(one);
	const query = sql`select things.*, 9 as last from things`;
	expect((await query.execute(one)).rows).toEqual([{a: 1, last: 9}]);
	await sql`alter table things add column b integer`.execute(other);
	await sql`update things set b = 2`.execute(other);
	expect((await query.execute(one)).rows).toEqual([{a: 1, b: 2, last: 9}]);
});

test('rows that are streamed are made alike', async () => {
	await using databases = await openTwice();
	const {one} = databases;
	await one
		.insertInto('accounts')
		.values([{created_at: 1}, {created_at: 2}])
		.execute();
	const query = one.selectFrom('accounts').select(['id', 'created_at']).orderBy('id');
	expect(await Array.fromAsync(query.stream())).toEqual([
		{id: 1, created_at: 1},
		{id: 2, created_at: 2},
	]);
});

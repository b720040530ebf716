import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {Kysely, sql} from 'kysely';
import {expect, test} from 'vitest';
import {copyDatabase} from '../../../source/market/database/copy.ts';
import {openDatabase, type Database} from '../../../source/market/database/database.ts';
import {BASELINE, steps} from '../../../source/market/database/migrations/index.ts';
import {isOnPostgres} from '../../../source/market/database/numbering.ts';
import type {Tables} from '../../../source/market/database/schema.ts';
import {createDialect, openSqlite} from '../../../source/market/database/sqlite-dialect.ts';
import {openFolder} from '../../helpers/folder.ts';
import {noPostgres} from '../../helpers/market/postgres-server.ts';
import {databaseOnPostgres} from '../../helpers/market/postgres.ts';

/** Tables that number their rows: offers are given their numbers, and changes name those of others. */
async function numbered(database: Database) {
	const tables = await database.introspection.getTables();
	return tables.filter(
		({name, columns}) =>
			name !== 'offers' && name !== 'changes' && columns.some(column => column.name === 'id'),
	);
}

type Table = Awaited<ReturnType<typeof numbered>>[number];

/** Rows need not name others that are there. */
async function withoutReferences(database: Database, run: (some: Database) => Promise<void>) {
	await (isOnPostgres(database)
		? database.transaction().execute(async transaction => {
				await sql`set local session_replication_role = replica`.execute(transaction);
				await run(transaction);
			})
		: run(database));
}

let count = 0;

/** Adds a row with something in each column that needs it. */
async function add(database: Database, {name, columns}: Table): Promise<number> {
	count += 1;
	const needed = columns.filter(
		column => column.name !== 'id' && !column.isNullable && !column.hasDefaultValue,
	);
	const values = needed.map(({dataType}) => (dataType === 'text' ? `x${count}` : count));
	const {rows} = await sql<{id: number}>`
		insert into ${sql.table(name)} (${sql.join(needed.map(column => sql.ref(column.name)))})
		values (${sql.join(values)}) returning id`.execute(database);
	return rows[0]?.id ?? 0;
}

const empty = async (database: Database, {name}: Table) =>
	sql`delete from ${sql.table(name)}`.execute(database);

/** Adds two rows to each table, and takes them away again. */
async function useUp(database: Database) {
	const last = new Map<string, number>();
	await withoutReferences(database, async some => {
		for (const table of await numbered(some)) {
			await add(some, table);
			last.set(table.name, await add(some, table));
			await empty(some, table);
		}
	});
	return last;
}

/** Tables that give a row the number of one that was. */
async function reused(database: Database, last: ReadonlyMap<string, number>) {
	const names: string[] = [];
	await withoutReferences(database, async some => {
		for (const table of await numbered(some)) {
			if ((await add(some, table)) <= (last.get(table.name) ?? Infinity)) names.push(table.name);
			await empty(some, table);
		}
	});
	return names;
}

/** A file without references, which SQLite sets by connection. */
async function openUnbound(file: string) {
	const database = await openDatabase(file);
	await sql`pragma foreign_keys = off`.execute(database);
	return database;
}

test('no table gives the number of a row that was to another one', async () => {
	const database = await openUnbound(':memory:');
	const last = await useUp(database);
	expect(last.size).toBeGreaterThan(20);
	expect(await reused(database, last)).toEqual([]);
	await database.destroy();
});

test.skipIf(noPostgres !== undefined)(
	'nor on PostgreSQL, nor in a copy there or back',
	async () => {
		using folder = openFolder();
		const first = await openUnbound(join(folder.path, 'first.db'));
		const middle = await openDatabase(await databaseOnPostgres());
		const back = await openUnbound(join(folder.path, 'back.db'));
		const last = await useUp(first);
		await copyDatabase(first, middle);
		await copyDatabase(middle, back);
		expect(await reused(back, last)).toEqual([]);
		expect(await reused(middle, last)).toEqual([]);
		expect(await reused(middle, await useUp(middle))).toEqual([]);
		for (const database of [first, middle, back]) await database.destroy();
	},
);

/** Version whose files gave a number twice. */
const BEFORE = 38;

async function addAccount(database: Database) {
	const {rows} = await sql<{id: number}>`
		insert into accounts (created_at) values (1) returning id`.execute(database);
	return rows[0]?.id;
}

test('a file of before keeps its rows, and a process that has it open goes on', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'old.db');
	const old = new Kysely<Tables>({dialect: createDialect(openSqlite(file))});
	for (const {take} of steps.slice(0, BEFORE - BASELINE + 1)) await take(old);
	await sql`pragma application_id = ${sql.raw(String(0x52_4e_54_59))}`.execute(old);
	await sql`pragma user_version = ${sql.raw(String(BEFORE))}`.execute(old);
	expect([await addAccount(old), await addAccount(old)]).toEqual([1, 2]);
	const database = await openDatabase(file);
	await database.deleteFrom('accounts').where('id', '=', 2).execute();
	expect(await addAccount(old)).toBe(3);
	await old.deleteFrom('accounts').where('id', '=', 3).execute();
	expect([await addAccount(old), await addAccount(database)]).toEqual([4, 5]);
	await old.destroy();
	await database.destroy();
	const sqlite = new DatabaseSync(file);
	expect(sqlite.prepare('pragma integrity_check').get()).toEqual({integrity_check: 'ok'});
	expect(sqlite.prepare('select id from accounts').all()).toEqual([{id: 1}, {id: 4}, {id: 5}]);
	sqlite.close();
});

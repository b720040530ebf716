/** Ids of rows. Ids of deleted rows are not reused: databases count on from the last id. */
import {PostgresAdapter, sql} from 'kysely';
import type {Database} from './database.ts';
import type {Tables} from './schema.ts';
import {drawRevision} from './postgres/revisions.ts';
import {statement} from './statement.ts';

export function isOnPostgres(database: Database): boolean {
	return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** Last assigned id of a table; 0 for none. */
export async function lastNumber(database: Database, table: keyof Tables): Promise<number> {
	const last = isOnPostgres(database)
		? sql`pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass)`
		: sql`(select max(seq) from sqlite_sequence where name = ${table})`;
	const {rows} = await sql<{readonly last: number | null}>`select ${last} as last`.execute(
		database,
	);
	return rows[0]?.last ?? 0;
}

/** Makes a table's ids continue after rows with explicit ids, and after a last number. */
export async function continueIds(
	database: Database,
	table: keyof Tables,
	last = 0,
): Promise<void> {
	const {rows} = await sql<{readonly last: number | null}>`
		select max(id) as last from ${sql.table(table)}`.execute(database);
	const next = Math.max(last, rows[0]?.last ?? 0, await lastNumber(database, table));
	if (next === 0) return;
	if (isOnPostgres(database)) {
		await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${next})`.execute(database);
		return;
	}
	// A table that never had a row has no entry in the sequence table.
	await sql`delete from sqlite_sequence where name = ${table}`.execute(database);
	await sql`insert into sqlite_sequence (name, seq) values (${table}, ${next})`.execute(database);
}

/** Next revision of the work of an account's machines, unique to one change. */
export async function nextRevision(database: Database, accountId: number): Promise<number> {
	if (isOnPostgres(database)) return drawRevision(database, accountId);
	const [counted] = await countRevision(database, {accountId});
	if (counted === undefined) throw new RangeError(`there is no account ${accountId}`);
	return counted.work_revision;
}

const countRevision = statement<{accountId: number}, {readonly work_revision: number}>(
	(database, value) =>
		database
			.updateTable('accounts')
			.set(({eb}) => ({work_revision: eb('work_revision', '+', 1)}))
			.where('id', '=', value('accountId'))
			.returning('work_revision'),
);

/** Numbers of rows. SQLite counts on from the last one; PostgreSQL from the last that it gave itself. */
import {PostgresAdapter, sql} from 'kysely';
import type {Database} from './database.ts';
import type {Tables} from './schema.ts';

export function isOnPostgres(database: Database): boolean {
	return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** Lets a table count on behind the rows that were given their numbers. */
export async function countOn(database: Database, table: keyof Tables): Promise<void> {
	if (!isOnPostgres(database)) return;
	await sql`
		select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}
		having max(id) is not null`.execute(database);
}

/** Numbers of rows. SQLite counts on from the last one; PostgreSQL from the last that it gave itself. */
import {PostgresAdapter, sql} from 'kysely';
import type {Database} from './database.ts';
import type {Tables} from './schema.ts';

/** Lets a table count on behind the rows that were given their numbers. */
export async function countOn(database: Database, table: keyof Tables): Promise<void> {
	if (!(database.getExecutor().adapter instanceof PostgresAdapter)) return;
	await sql`
		select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}
		having max(id) is not null`.execute(database);
}

import {PostgresAdapter, sql, type Kysely} from 'kysely';

/** Buckets of calls that several processes share: on a file, each process has its own. */
export async function createPaces<Tables>(database: Kysely<Tables>): Promise<void> {
	if (!(database.getExecutor().adapter instanceof PostgresAdapter)) return;
	await sql`
		create unlogged table paces (
			name text not null primary key,
			calls double precision not null,
			at double precision not null,
			wait double precision not null
		) with (fillfactor = 50)`.execute(database);
}

import {sql, type Kysely} from 'kysely';

/** Hosts say how they keep instances apart. */
const statement = sql`alter table offers add column isolation text`;

export async function keepIsolation<Tables>(database: Kysely<Tables>): Promise<void> {
	await statement.execute(database);
}

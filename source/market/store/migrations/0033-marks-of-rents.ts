import {sql, type Kysely} from 'kysely';

/** Keeps the mark of a rent, so that a request that arrives twice makes one instance. */
const statements = [
	sql`alter table instances add column mark text`,
	sql`create unique index instances_by_mark on instances (account_id, mark) where mark is not null`,
];

export async function markRents<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

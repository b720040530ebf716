import {sql, type Kysely} from 'kysely';

/** Lets what accounts have made be counted. */
const statements = [
	sql`create index tasks_by_instance on tasks (instance_id)`,
	sql`create index copies_by_account on copies (account_id) where ended_at is null`,
	sql`create index accounts_by_owner on accounts (owner_id) where owner_id is not null`,
];

export async function indexBounds<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

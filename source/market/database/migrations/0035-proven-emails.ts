import {sql, type Kysely} from 'kysely';

/** Keeps which emails were shown to be their accounts': the others are addresses of nobody. */
const statements = [
	sql`alter table accounts add column email_proven integer not null default 0`,
	sql`drop index accounts_by_email`,
	sql`create index accounts_by_email on accounts (email) where closed_at is null`,
	sql`
		create unique index accounts_by_proven_email on accounts (email)
		where email_proven = 1 and closed_at is null`,
];

export async function proveEmails<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

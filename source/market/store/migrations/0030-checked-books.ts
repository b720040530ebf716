import {sql, type Kysely} from 'kysely';

/** Adds sums of the ledger that were checked, and an index by which what came since is found. */
const statements = [
	sql`
		create table checked_books (
			account_id integer not null,
			book text not null,
			through integer not null,
			micros integer not null,
			primary key (account_id, book)
		)`,
	sql`create index postings_in_order on postings (account_id, book, id, micros)`,
];

export async function createCheckedBooks<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

import {sql, type Kysely} from 'kysely';

/** Adds the use that nobody has paid for: a debt from before is owed to the market from the next sweep on. */
const statements = [
	sql`alter table accounts add column unpaid_micros integer not null default 0`,
	sql`create index accounts_unpaid on accounts (id) where unpaid_micros > 0`,
];

export async function keepUnpaidUse<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

import {sql, type Kysely} from 'kysely';

/** Adds indexes for the sweep of every second, which then need not read all running instances. */
const statements = [
	sql`create index accounts_in_debt on accounts (id) where credit_micros <= 0`,
	sql`
		create index instances_by_end on instances (end_date)
		where destroyed_at is null and intended = 'running'`,
	sql`
		create table moments (
			name text primary key,
			at double precision not null
		)`,
];

export async function quietSweeps<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

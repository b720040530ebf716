import {sql} from 'kysely';
import type {Kysely} from 'kysely';

/** What a sweep looks for every second is found without reading all that runs. */
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

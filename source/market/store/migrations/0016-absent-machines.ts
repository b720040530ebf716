import {sql, type Kysely} from 'kysely';

/** Adds the mark of machines that nobody can rent, for they are not heard. */
const statements = [
	sql`alter table machines add column absent integer not null default 0`,
	sql`update machines set absent = 1 where contact = 'lost' and heard_at is not null`,
	sql`
		update offers set rentable = 0
		where machine_id in (select id from machines where absent = 1)`,
];

export async function markAbsentMachines<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

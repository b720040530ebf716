import {sql, type Kysely} from 'kysely';

/** Traffic is counted until a moment, and what an account owes is a number that programs can read. */
const statements = [
	sql`alter table instances add column bytes_at double precision not null default 0`,
	sql`update instances set bytes_at = billed_until`,
	sql`update accounts set credit_micros = -9007199254740991 where credit_micros < -9007199254740991`,
];

export async function countTraffic<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

import {sql, type Kysely} from 'kysely';

/** Adds what is paid ahead for an instance, and how much of each charge was paid from it. */
const statements = [
	sql`alter table instances add column deposit_micros integer not null default 0`,
	sql`alter table instances add column deposit_rate double precision not null default 0`,
	sql`alter table instances add column deposit_months double precision not null default 0`,
	sql`alter table instances add column discount_micros integer not null default 0`,
	sql`alter table charges add column prepaid_micros integer not null default 0`,
	sql`create index instances_with_deposits on instances (account_id) where deposit_micros > 0`,
];

export async function keepDeposits<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

import {sql, type Kysely} from 'kysely';

/** Adds what the keys of an account changed, and from where; nothing refers to anything, so that nobody waits. */
const statements = [
	sql`
		create table account_changes (
			id integer primary key,
			account_id integer not null,
			member_id integer,
			key_id integer,
			address text not null,
			at double precision not null,
			route text not null,
			arguments text not null,
			status integer not null
		)`,
	sql`create index account_changes_by_account on account_changes (account_id, id)`,
	sql`create index account_changes_by_time on account_changes (at)`,
	sql`
		create table account_addresses (
			id integer primary key,
			account_id integer not null,
			address text not null,
			first_at double precision not null,
			last_at double precision not null
		)`,
	sql`create unique index account_addresses_by_account on account_addresses (account_id, address)`,
	sql`create index account_addresses_by_time on account_addresses (last_at)`,
];

export async function createAccountHistory<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

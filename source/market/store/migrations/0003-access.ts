import {sql, type Kysely} from 'kysely';

/** Adds permissions and owners of keys, and further facts of accounts. */
const statements = [
	sql`alter table api_keys add column permissions text`,
	sql`alter table accounts add column email text`,
	sql`alter table accounts add column username text`,
	sql`alter table accounts add column fullname text`,
	sql`alter table accounts add column credit_micros integer not null default 0`,
	sql`
		create table ssh_keys (
			id integer primary key,
			account_id integer not null references accounts (id),
			public_key text not null,
			blob text not null,
			created_at double precision not null,
			deleted_at double precision
		)`,
	sql`create index ssh_keys_by_account on ssh_keys (account_id, blob)`,
	sql`
		create table secrets (
			account_id integer not null references accounts (id),
			name text not null,
			value text not null,
			primary key (account_id, name)
		)`,
];

export async function createAccess<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

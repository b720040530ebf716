import {sql, type Kysely} from 'kysely';

export async function createAccounts<Tables>(database: Kysely<Tables>): Promise<void> {
	await sql`
		create table accounts (
			id integer primary key,
			created_at double precision not null
		)`.execute(database);
	await sql`
		create table api_keys (
			id integer primary key,
			account_id integer not null references accounts (id),
			name text not null,
			hash text not null unique,
			last_four text not null,
			created_at double precision not null,
			deleted_at double precision
		)`.execute(database);
	await sql`create index api_keys_by_account on api_keys (account_id)`.execute(database);
}

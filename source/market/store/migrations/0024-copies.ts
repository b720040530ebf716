import {sql, type Kysely} from 'kysely';

/** Adds copies of files between instances. */
const statements = [
	sql`
		create table copies (
			id integer primary key,
			account_id integer not null references accounts (id),
			source_id integer not null references instances (id),
			target_id integer not null references instances (id),
			machine_id integer not null,
			host_account_id integer not null,
			source_path text not null,
			target_path text not null,
			public_key text,
			revision integer not null,
			created_at double precision not null,
			ended_at double precision
		)`,
	sql`create index copies_by_work on copies (host_account_id, revision)`,
	sql`create index copies_by_source on copies (source_id) where ended_at is null`,
	sql`create unique index copies_by_target on copies (target_id) where ended_at is null`,
];

export async function createCopies<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

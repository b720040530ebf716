import {sql, type Kysely} from 'kysely';

/** Lets copies have volumes at both ends, and a door of their own; clones are volumes that copies fill. */
const statements = [
	sql`alter table copies rename to earlier_copies`,
	sql`drop index copies_by_work`,
	sql`drop index copies_by_source`,
	sql`drop index copies_by_target`,
	sql`
		create table copies (
			id integer primary key,
			account_id integer not null references accounts (id),
			source_kind text not null,
			source_id integer not null,
			source_machine_id integer not null,
			source_host_account_id integer not null,
			target_kind text not null,
			target_id integer not null,
			machine_id integer not null,
			host_account_id integer not null,
			source_path text not null,
			target_path text not null,
			public_key text,
			door text,
			revision integer not null,
			source_revision integer not null,
			created_at double precision not null,
			ended_at double precision
		)`,
	sql`
		insert into copies (
			account_id, source_kind, source_id, source_machine_id, source_host_account_id, target_kind,
			target_id, machine_id, host_account_id, source_path, target_path, revision, source_revision,
			created_at, ended_at
		)
		select earlier.account_id, 'instance', source_id, instances.machine_id, instances.host_account_id,
			'instance', target_id, earlier.machine_id, earlier.host_account_id, source_path, target_path,
			earlier.revision, 0, earlier.created_at, ended_at
		from earlier_copies as earlier join instances on instances.id = source_id
		order by earlier.id`,
	sql`drop table earlier_copies`,
	sql`create index copies_by_work on copies (host_account_id, revision)`,
	sql`create index copies_by_door on copies (source_host_account_id, source_revision)`,
	sql`create index copies_by_source on copies (source_kind, source_id) where ended_at is null`,
	sql`create unique index copies_by_target on copies (target_kind, target_id) where ended_at is null`,
	sql`alter table volumes add column message text`,
	sql`alter table volumes add column clone_of integer`,
	sql`alter table volumes add column agreed_micros integer`,
	sql`alter table volumes add column wish text`,
	sql`create unique index volumes_by_wish on volumes (account_id, wish) where wish is not null`,
];

export async function copyVolumes<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

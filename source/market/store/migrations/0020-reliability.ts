import {sql, type Kysely} from 'kysely';

/** Adds the history of machines from which the market works out how far they can be relied on. */
const statements = [
	sql`alter table machines add column known_since double precision`,
	sql`alter table machines add column verification text`,
	sql`alter table machines add column reliability double precision`,
	sql`alter table machines add column quarantine text`,
	sql`update machines set known_since = heard_at where made_up = 0`,
	sql`
		create table machine_silences (
			id integer primary key,
			machine_id integer not null references machines (id),
			since double precision not null,
			until double precision not null,
			excused integer not null
		)`,
	sql`create index machine_silences_by_machine on machine_silences (machine_id, until)`,
	sql`
		create table failed_starts (
			id integer primary key,
			machine_id integer not null references machines (id),
			account_id integer not null references accounts (id),
			instance_id integer not null,
			image text not null,
			at double precision not null,
			message text not null
		)`,
	sql`create index failed_starts_by_machine on failed_starts (machine_id, at)`,
	sql`create index failed_starts_by_image on failed_starts (image, at)`,
	sql`
		create table machine_days (
			machine_id integer not null references machines (id),
			day integer not null,
			reliability double precision not null,
			due_seconds double precision not null,
			silent_seconds double precision not null,
			rentals integer not null,
			failed integer not null,
			primary key (machine_id, day)
		)`,
	sql`
		create table machine_marks (
			id integer primary key,
			machine_id integer not null references machines (id),
			at double precision not null,
			mark text not null,
			said_by text not null,
			why text not null
		)`,
	sql`create index machine_marks_by_machine on machine_marks (machine_id, at)`,
];

export async function createReliability<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

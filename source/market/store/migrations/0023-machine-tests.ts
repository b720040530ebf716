import {sql, type Kysely} from 'kysely';

/** Adds tests of machines, each with what was checked. */
const statements = [
	sql`alter table machines add column test_due_at double precision`,
	sql`create index machines_by_test on machines (test_due_at) where test_due_at is not null`,
	sql`
		create table machine_tests (
			id integer primary key,
			machine_id integer not null references machines (id),
			instance_id integer not null,
			reason text not null,
			secret text not null,
			started_at double precision not null,
			ended_at double precision,
			outcome text,
			note text
		)`,
	sql`create index machine_tests_by_machine on machine_tests (machine_id, id)`,
	sql`create index machine_tests_under_way on machine_tests (id) where ended_at is null`,
	sql`
		create table machine_checks (
			test_id integer not null references machine_tests (id),
			name text not null,
			outcome text not null,
			said_by text not null,
			detail text not null,
			value double precision,
			primary key (test_id, name)
		)`,
];

export async function createMachineTests<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

import {sql, type Kysely} from 'kysely';

/** Adds jobs that machines run on the GPUs that nobody rents, and marks their instances. */
const statements = [
	sql`
		create table default_jobs (
			machine_id integer primary key references machines (id),
			gpu_micros integer not null,
			image text not null,
			args text not null
		)`,
	sql`alter table instances add column default_job integer not null default 0`,
];

export async function createDefaultJobs<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

import {sql, type Kysely} from 'kysely';

/** Kept figures of what GPUs were offered and rented, a row for each name and moment. */
const statements = [
	sql`
		create table gpu_samples (
			gpu_name text not null,
			at integer not null,
			total integer not null,
			rented integer not null,
			shares text not null,
			primary key (gpu_name, at)
		)`,
	sql`create index gpu_samples_by_time on gpu_samples (at)`,
];

export async function createGpuSamples<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

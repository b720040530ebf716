import {sql, type Kysely} from 'kysely';

/** Adds calls about instances that are made at set times, each at one place for each instance. */
const statements = [
	sql`
		create table scheduled_jobs (
			id integer primary key,
			account_id integer not null references accounts (id),
			key_id integer not null references api_keys (id),
			instance_id integer not null references instances (id),
			kind text not null,
			api_endpoint text not null,
			request_method text not null,
			request_body text not null,
			start_at double precision not null,
			end_at double precision not null,
			day integer,
			hour integer,
			minute integer not null,
			frequency text not null,
			next_at double precision,
			last_at double precision,
			last_result text
		)`,
	sql`create unique index scheduled_jobs_by_instance on scheduled_jobs (instance_id, kind)`,
	sql`create index scheduled_jobs_by_account on scheduled_jobs (account_id)`,
	sql`create index scheduled_jobs_by_time on scheduled_jobs (next_at)`,
];

export async function createScheduledJobs<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

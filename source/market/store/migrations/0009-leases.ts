import {sql, type Kysely} from 'kysely';

/** Instances that end by themselves. */
const statement = sql`
	create table leases (
		instance_id integer primary key references instances (id),
		ends_at double precision,
		max_cost_micros integer,
		action text not null,
		grace_seconds double precision not null,
		keep integer not null,
		changed_at double precision not null
	)`;

export async function createLeases<Tables>(database: Kysely<Tables>): Promise<void> {
	await statement.execute(database);
}

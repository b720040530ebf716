import {sql, type Kysely} from 'kysely';

/** Adds what providers say of their machines, and what waits for the answers of renters. */
const statements = [
	sql`alter table machines add column publication text`,
	sql`
		create table listings (
			machine_id integer primary key references machines (id),
			is_on integer not null,
			since double precision not null,
			gpu_micros integer not null,
			disk_micros integer not null,
			up_micros integer not null,
			down_micros integer not null,
			floor_micros integer,
			min_chunk integer not null,
			end_date double precision,
			rolling_seconds double precision,
			discount double precision not null,
			volume_gb double precision,
			volume_micros integer
		)`,
	sql`create index listings_by_end on listings (end_date) where is_on = 1`,
	sql`
		create table price_increases (
			id integer primary key,
			instance_id integer not null references instances (id),
			state text not null,
			created_at double precision not null,
			gpu_micros integer not null,
			storage_micros integer not null,
			up_micros integer not null,
			down_micros integer not null,
			holds_from double precision
		)`,
	sql`create index price_increases_by_instance on price_increases (instance_id)`,
	sql`
		create index price_increases_by_moment on price_increases (holds_from)
		where holds_from is not null`,
];

export async function createProviders<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

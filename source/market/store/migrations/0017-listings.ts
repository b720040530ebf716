import {sql, type Kysely} from 'kysely';

/** Adds the terms on which providers list their machines, and what hosts published of them. */
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
];

export async function createListings<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

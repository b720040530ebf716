import {sql, type Kysely} from 'kysely';

/** Adds what providers say of their machines, and what waits for the answers of renters. */
const statements = [
	sql`alter table machines add column publication text`,
	sql`alter table machines add column in_maintenance integer not null default 0`,
	sql`alter table machines add column removed_at double precision`,
	sql`
		create table maintenance (
			id integer primary key,
			machine_id integer not null references machines (id),
			start_at double precision not null,
			end_at double precision not null,
			reason text,
			category text,
			is_told integer not null default 0
		)`,
	sql`create index maintenance_by_machine on maintenance (machine_id)`,
	sql`
		create table machine_reports (
			id integer primary key,
			machine_id integer not null references machines (id),
			account_id integer not null references accounts (id),
			instance_id integer,
			problem text not null,
			message text not null,
			created_at double precision not null
		)`,
	sql`create index machine_reports_by_machine on machine_reports (machine_id, created_at)`,
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

import {sql, type Kysely} from 'kysely';

/** Offer columns that searches test and rents do not change. */
const TESTED = 'id, verified, num_gpus, end_date, listed';

/**
 * Renting changes whether an offer is to be had: an index that knows that is written with every
 * rent. These do not, and read it in the offers that pass everything else.
 */
export const searchIndexes = [
	['offers_by_score', `score desc, ${TESTED}`],
	['offers_by_price', `default_dph_total, ${TESTED}`],
	['offers_by_value', `default_dlperf_per_dph desc, ${TESTED}`],
	['offers_by_gpu_and_score', `gpu_key, score desc, ${TESTED}`],
	['offers_by_gpu_and_price', `gpu_key, default_dph_total, ${TESTED}`],
	['offers_by_gpu_and_value', `gpu_key, default_dlperf_per_dph desc, ${TESTED}`],
	['offers_by_gpu', 'gpu_key, verified, num_gpus, end_date, listed'],
] as const;

const indexes = searchIndexes.flatMap(([name, columns]) => [
	sql`drop index ${sql.ref(name)}`,
	sql`create index ${sql.ref(name)} on offers (${sql.raw(columns)})`,
]);

/** Adds instances with their hosts and prices. */
const statements = [
	sql`alter table accounts add column role text not null default 'renter'`,
	sql`alter table accounts add column work_revision integer not null default 0`,
	sql`alter table api_keys add column instance_id integer`,
	sql`create index api_keys_by_instance on api_keys (instance_id) where instance_id is not null`,
	sql`alter table ssh_keys add column instance_id integer`,
	sql`
		create table machines (
			id integer primary key,
			account_id integer not null references accounts (id),
			host_id integer not null,
			name text not null,
			num_gpus integer not null,
			busy_mask integer not null default 0,
			listed integer not null default 1,
			made_up integer not null default 0,
			heard_at double precision,
			contact text not null default 'lost',
			unique (account_id, name)
		)`,
	sql`create index machines_by_contact on machines (contact, heard_at)`,
	sql`alter table offers add column gpu_mask integer not null default 1`,
	sql`alter table offers add column floor_bid_micros integer`,
	sql`
		create table offer_texts (
			offer_id integer primary key references offers (id) on delete cascade,
			facts_json text not null,
			prices_json text not null
		)`,
	sql`
		create table instances (
			id integer primary key,
			account_id integer not null references accounts (id),
			ask_id integer not null references offers (id),
			machine_id integer not null,
			host_account_id integer not null,
			label text,
			created_at double precision not null,
			destroyed_at double precision,
			settings text not null,
			image text not null,
			template_id integer,
			template_hash text,
			template_name text,
			is_bid integer not null,
			gpu_mask integer not null,
			disk_gb double precision not null,
			gpu_micros integer not null,
			storage_micros integer not null,
			up_micros integer not null,
			down_micros integer not null,
			actual text,
			reported text,
			intended text not null,
			current text not null,
			next text not null,
			message text,
			contact text not null,
			waiting_since double precision,
			running_since double precision,
			billed_until double precision not null,
			boot integer not null,
			container integer not null,
			revision integer not null,
			handover text,
			access text,
			usage text,
			bytes_up integer not null default 0,
			bytes_down integer not null default 0
		)`,
	sql`create index instances_by_account on instances (account_id, id) where destroyed_at is null`,
	sql`create index instances_by_bill on instances (billed_until) where destroyed_at is null`,
	sql`create index instances_by_machine on instances (machine_id) where destroyed_at is null`,
	sql`create index instances_by_work on instances (host_account_id, revision)`,
	sql`
		create table instance_ssh_keys (
			instance_id integer not null references instances (id),
			ssh_key_id integer not null references ssh_keys (id),
			primary key (instance_id, ssh_key_id)
		)`,
	sql`
		create table volumes (
			id integer primary key,
			account_id integer not null references accounts (id),
			ask_id integer not null,
			machine_id integer not null,
			host_account_id integer not null,
			label text,
			size_gb double precision not null,
			storage_micros integer not null,
			created_at double precision not null,
			destroyed_at double precision,
			billed_until double precision not null,
			revision integer not null
		)`,
	sql`create index volumes_by_account on volumes (account_id) where destroyed_at is null`,
	sql`create index volumes_by_machine on volumes (machine_id) where destroyed_at is null`,
	sql`create index volumes_by_work on volumes (host_account_id, revision)`,
	sql`
		create table mounts (
			instance_id integer not null references instances (id),
			volume_id integer not null references volumes (id),
			path text not null,
			primary key (instance_id, volume_id)
		)`,
	sql`create index mounts_by_volume on mounts (volume_id)`,
	sql`
		create table charges (
			id integer primary key,
			account_id integer not null references accounts (id),
			source text not null,
			source_id integer not null,
			item text not null,
			day integer not null,
			rate_micros integer not null,
			quantity integer not null,
			amount_micros integer not null,
			first_at double precision not null,
			last_at double precision not null,
			unique (source, source_id, day, item, rate_micros)
		)`,
	sql`create index charges_by_account on charges (account_id, day, source, source_id)`,
	sql`
		create table payments (
			id integer primary key,
			account_id integer not null references accounts (id),
			at double precision not null,
			amount_micros integer not null,
			description text not null
		)`,
	sql`create index payments_by_account on payments (account_id, at)`,
	sql`
		create table tasks (
			id integer primary key,
			token_hash text not null unique,
			host_account_id integer not null,
			instance_id integer not null references instances (id),
			request text not null,
			revision integer not null,
			created_at double precision not null,
			answer text
		)`,
	sql`create index tasks_by_work on tasks (host_account_id, revision) where answer is null`,
];

/** Offers of before stand on machines that nobody published: the market makes them anew. */
const clearing = sql`delete from offers`;

export async function createInstances<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of [clearing, ...indexes, ...statements]) await statement.execute(database);
}

/** Steps from the baseline to the tables of this program. A released step is never changed. */
import {PostgresAdapter, sql, type Kysely, type RawBuilder} from 'kysely';

type Step = <Tables>(database: Kysely<Tables>) => Promise<void>;

function stepOf(...statements: ReadonlyArray<RawBuilder<unknown>>): Step {
	return async database => {
		for (const statement of statements) await statement.execute(database);
	};
}

const proveEmails = stepOf(
	sql`alter table accounts add column email_proven integer not null default 0`,
	sql`drop index accounts_by_email`,
	sql`create index accounts_by_email on accounts (email) where closed_at is null`,
	sql`
		create unique index accounts_by_proven_email on accounts (email)
		where email_proven = 1 and closed_at is null`,
);

/** Adds unpaid use. The next sweep enters earlier debts as owed to the market. */
const keepUnpaidUse = stepOf(
	sql`alter table accounts add column unpaid_micros integer not null default 0`,
	sql`create index accounts_unpaid on accounts (id) where unpaid_micros > 0`,
);

/** Adds hashes of orders, failed starts that count against a machine, and deadlines of clones. */
const keepProvenOrders = stepOf(
	sql`alter table instances add column order_hash text`,
	sql`create index instances_by_order on instances (order_hash) where order_hash is not null`,
	sql`alter table failed_starts add column counts integer not null default 0`,
	sql`alter table copies add column ends_at double precision`,
	sql`create index copies_to_end on copies (ends_at) where ended_at is null and ends_at is not null`,
);

const indexBounds = stepOf(
	sql`create index tasks_by_instance on tasks (instance_id)`,
	sql`create index copies_by_account on copies (account_id) where ended_at is null`,
	sql`create index accounts_by_owner on accounts (owner_id) where owner_id is not null`,
);

/** Lets a team invite an account by its number: an email can be claimed by anybody. */
const inviteAccounts = stepOf(
	sql`alter table invitations add column account_id integer references accounts (id)`,
);

/** Stores until when an announced increase is valid, and when its renter was notified. */
const keepAnnounced = stepOf(
	sql`alter table price_increases add column offered_until double precision`,
	sql`alter table price_increases add column told_at double precision`,
	sql`
		update price_increases set told_at = created_at, offered_until = (
			select offers.end_date from instances join offers on offers.id = instances.ask_id
			where instances.id = price_increases.instance_id
		)`,
);

const ID = '\tid integer primary key,';

/**
 * Stops SQLite from reusing ids of deleted rows, except in offers, whose ids are assigned. Only the
 * schema's text changes, to AUTOINCREMENT. PostgreSQL never reuses ids.
 */
async function numberOnce<Tables>(database: Kysely<Tables>): Promise<void> {
	if (database.getExecutor().adapter instanceof PostgresAdapter) return;
	const counted = sql`type = 'table' and name <> 'offers' and instr(sql, ${ID}) > 0`;
	const {rows} = await sql<{readonly name: string}>`
		select name from sqlite_master where ${counted}`.execute(database);
	await stepOf(
		sql`pragma writable_schema = on`,
		sql`
			update sqlite_master set sql = replace(sql, ${ID}, ${ID.replace(',', ' autoincrement,')})
			where ${counted}`,
		// Recreates SQLite's sequence table, and makes other processes reload the schema.
		sql`create table numbered (id integer primary key autoincrement)`,
		sql`drop table numbered`,
		sql`pragma writable_schema = reset`,
		...rows.map(
			({name}) => sql`
				insert into sqlite_sequence (name, seq)
				select ${name}, coalesce(max(id), 0) from ${sql.table(name)}`,
		),
	)(database);
}

/** Adds daily counts of created records, for kinds that keep no rows. */
const keepTallies = stepOf(
	sql`
		create table tallies (
			kind text not null,
			holder integer not null,
			since double precision not null,
			count integer not null,
			primary key (kind, holder)
		)`,
);

/** Ends an invitation to a team when its inviter loses the right to invite. */
const keepInviters = stepOf(
	sql`alter table invitations add column key_id integer references api_keys (id)`,
);

const keepRelayPorts = stepOf(
	sql`alter table instances add column relay text`,
	sql`alter table instances add column relay_port integer`,
	sql`
		create unique index instances_by_relay on instances (relay, relay_port)
		where relay is not null and destroyed_at is null`,
);

const capKeys = stepOf(
	sql`alter table api_keys add column cap text`,
	sql`alter table api_keys add column capped_by integer references api_keys (id)`,
	sql`create index api_keys_by_cap on api_keys (capped_by) where capped_by is not null`,
	sql`alter table instances add column capped_by integer references api_keys (id)`,
	sql`create index instances_by_cap on instances (capped_by) where capped_by is not null`,
);

const keepRelays = stepOf(
	sql`
		create table relays (
			id integer primary key autoincrement,
			name text not null,
			host text not null,
			first_port integer not null,
			last_port integer not null,
			url text not null,
			hash text not null unique,
			created_at double precision not null,
			removed_at double precision,
			is_open integer not null default 1,
			heard_at double precision,
			agents integer not null default 0,
			connections integer not null default 0,
			refused integer not null default 0,
			sent integer not null default 0,
			received integer not null default 0
		)`,
	sql`alter table instances add column relay_id integer references relays (id)`,
	sql`
		create index instances_on_relay on instances (relay_id)
		where relay_id is not null and destroyed_at is null`,
	sql`
		create index instances_relayed on instances (machine_id)
		where relay_id is not null and destroyed_at is null`,
);

const keepReach = stepOf(
	sql`alter table machines add column reached integer`,
	sql`alter table machines add column reached_since double precision`,
	sql`alter table machines add column reach_misses integer not null default 0`,
	sql`alter table machines add column reach_checked_at double precision`,
	sql`alter table machines add column reach_due_at double precision`,
	sql`create index machines_by_reach on machines (reach_due_at) where reach_due_at is not null`,
);

/** Adds GPUs' permanent identifiers, so that no GPU is offered on two machines. */
const keepGpus = stepOf(
	sql`
		create table machine_gpus (
			account_id integer not null references accounts (id),
			uuid text not null,
			machine_id integer not null references machines (id),
			primary key (account_id, uuid)
		)`,
	sql`create index machine_gpus_by_machine on machine_gpus (machine_id)`,
);

const keepMeasured = stepOf(
	sql`alter table machines add column measured text`,
	sql`alter table offers add column measured text`,
);

/** Tells jobs that start from those that stop: an instance may have both. */
const partStateJobs = stepOf(
	sql`
		update scheduled_jobs
		set kind = case when request_body like '%"running"%' then 'start' else 'stop' end
		where kind = 'state'`,
);

/**
 * Adds serials. Earlier rows get none: a restored backup would give them others than their hosts
 * have recorded, which would remove what runs.
 */
const keepSerials = stepOf(
	sql`alter table instances add column serial text`,
	sql`alter table volumes add column serial text`,
);

/** Later migrations in order. */
export const migrations: readonly Step[] = [
	proveEmails,
	keepUnpaidUse,
	keepProvenOrders,
	indexBounds,
	inviteAccounts,
	keepAnnounced,
	numberOnce,
	keepTallies,
	keepInviters,
	keepRelayPorts,
	capKeys,
	keepRelays,
	keepReach,
	keepGpus,
	keepMeasured,
	partStateJobs,
	keepSerials,
];

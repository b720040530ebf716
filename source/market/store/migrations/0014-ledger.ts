import {sql, type Kysely} from 'kysely';

/**
 * Adds what accounts are for, and the ledger: entries, and postings to both sides of each. Payments
 * of before get their entries; charges of before are posted by the sweep, a day at a time.
 */
const statements = [
	sql`alter table accounts add column kind text not null default 'both'`,
	sql`alter table accounts add column closed_at double precision`,
	sql`alter table accounts add column earned_micros integer not null default 0`,
	sql`alter table accounts add column settled_day integer not null default -1`,
	sql`update accounts set kind = 'provider' where role = 'host'`,
	sql`
		create table entries (
			id integer primary key,
			kind text not null,
			at double precision not null,
			account_id integer references accounts (id),
			day integer,
			reference text unique
		)`,
	sql`create unique index entries_by_day on entries (account_id, day) where kind = 'usage'`,
	sql`
		create table postings (
			id integer primary key,
			entry_id integer not null references entries (id),
			account_id integer not null,
			book text not null,
			day integer not null,
			machine_id integer,
			item text,
			micros integer not null
		)`,
	sql`create index postings_by_entry on postings (entry_id, micros)`,
	sql`
		create index postings_by_account
		on postings (account_id, book, day, machine_id, item, micros)`,
	sql`alter table payments add column kind text not null default 'credit'`,
	sql`alter table payments add column service text not null default 'operator'`,
	sql`alter table payments add column source text`,
	sql`alter table payments add column entry_id integer`,
	sql`
		insert into entries (kind, at, account_id, reference)
		select 'credit', at, account_id, 'payment ' || id from payments order by id`,
	sql`
		update payments set entry_id =
			(select entries.id from entries where entries.reference = 'payment ' || payments.id)`,
	sql`
		insert into postings (entry_id, account_id, book, day, micros)
		select entry_id, account_id, 'credit', floor(at / 86400), amount_micros from payments`,
	sql`
		insert into postings (entry_id, account_id, book, day, micros)
		select entry_id, 0, 'outside', floor(at / 86400), -amount_micros from payments`,
];

export async function createLedger<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

import {sql} from 'kysely';

export const moneyTables = [
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
			prepaid_micros integer not null default 0,
			unique (source, source_id, day, item, rate_micros)
		)`,
	sql`create index charges_by_account on charges (account_id, day, source, source_id)`,
	sql`
		create table payments (
			id integer primary key,
			account_id integer not null references accounts (id),
			at double precision not null,
			amount_micros integer not null,
			description text not null,
			kind text not null default 'credit',
			service text not null default 'operator',
			source text,
			entry_id integer
		)`,
	sql`create index payments_by_account on payments (account_id, at)`,
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
	sql`create index postings_by_account on postings (account_id, book, day, machine_id, item, micros)`,
	sql`create index postings_in_order on postings (account_id, book, id, micros)`,
	sql`
		create table checked_books (
			account_id integer not null,
			book text not null,
			through integer not null,
			micros integer not null,
			primary key (account_id, book)
		)`,
];

import {sql} from 'kysely';

export const accountTables = [
	sql`
		create table accounts (
			id integer primary key,
			created_at double precision not null,
			email text,
			username text,
			fullname text,
			credit_micros integer not null default 0,
			role text not null default 'renter',
			work_revision integer not null default 0,
			kind text not null default 'both',
			closed_at double precision,
			earned_micros integer not null default 0,
			settled_day integer not null default -1,
			parent_id integer,
			owner_id integer,
			password text,
			details text
		)`,
	sql`create index accounts_in_debt on accounts (id) where credit_micros <= 0`,
	sql`create unique index accounts_by_email on accounts (email) where closed_at is null`,
	sql`create index accounts_by_parent on accounts (parent_id) where parent_id is not null`,
	sql`create unique index accounts_by_team on accounts (username) where owner_id is not null and closed_at is null`,
	sql`
		create table api_keys (
			id integer primary key,
			account_id integer not null references accounts (id),
			name text not null,
			hash text not null unique,
			last_four text not null,
			created_at double precision not null,
			deleted_at double precision,
			permissions text,
			instance_id integer,
			member_id integer
		)`,
	sql`create index api_keys_by_account on api_keys (account_id)`,
	sql`create index api_keys_by_instance on api_keys (instance_id) where instance_id is not null`,
	sql`
		create table ssh_keys (
			id integer primary key,
			account_id integer not null references accounts (id),
			public_key text not null,
			blob text not null,
			created_at double precision not null,
			deleted_at double precision,
			instance_id integer
		)`,
	sql`create index ssh_keys_by_account on ssh_keys (account_id, blob)`,
	sql`
		create table secrets (
			account_id integer not null references accounts (id),
			name text not null,
			value text not null,
			primary key (account_id, name)
		)`,
	sql`
		create table team_roles (
			id integer primary key,
			team_id integer not null references accounts (id),
			name text not null,
			permissions text,
			unique (team_id, name)
		)`,
	sql`
		create table team_members (
			team_id integer not null references accounts (id),
			account_id integer not null references accounts (id),
			role_id integer not null references team_roles (id),
			joined_at double precision not null,
			primary key (team_id, account_id)
		)`,
	sql`
		create table invitations (
			id integer primary key,
			token_hash text not null unique,
			team_id integer references accounts (id),
			role_id integer references team_roles (id),
			email text,
			kind text,
			created_at double precision not null,
			expires_at double precision not null,
			used_at double precision
		)`,
	sql`create index invitations_by_team on invitations (team_id, email)`,
	sql`
		create table account_changes (
			id integer primary key,
			account_id integer not null,
			member_id integer,
			key_id integer,
			address text not null,
			at double precision not null,
			route text not null,
			arguments text not null,
			status integer not null
		)`,
	sql`create index account_changes_by_account on account_changes (account_id, id)`,
	sql`create index account_changes_by_time on account_changes (at)`,
	sql`
		create table account_addresses (
			id integer primary key,
			account_id integer not null,
			address text not null,
			first_at double precision not null,
			last_at double precision not null
		)`,
	sql`create unique index account_addresses_by_account on account_addresses (account_id, address)`,
	sql`create index account_addresses_by_time on account_addresses (last_at)`,
];

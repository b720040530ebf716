import {sql, type Kysely} from 'kysely';

/** Adds what people say of themselves, accounts within accounts, teams, and invitations to them. */
const statements = [
	sql`alter table accounts add column parent_id integer`,
	sql`alter table accounts add column owner_id integer`,
	sql`alter table accounts add column password text`,
	sql`alter table accounts add column details text`,
	sql`create unique index accounts_by_email on accounts (email) where closed_at is null`,
	sql`create index accounts_by_parent on accounts (parent_id) where parent_id is not null`,
	sql`
		create unique index accounts_by_team on accounts (username)
		where owner_id is not null and closed_at is null`,
	sql`alter table api_keys add column member_id integer`,
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
];

export async function createPeople<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

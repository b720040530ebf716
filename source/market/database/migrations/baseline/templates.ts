import {sql} from 'kysely';

export const templateTables = [
	sql`
		create table templates (
			id integer primary key,
			creator_id integer not null,
			hash_id text not null,
			content text not null,
			name text not null,
			image text not null,
			tag text not null,
			default_tag text not null,
			docker_login_repo text not null,
			jup_direct integer not null,
			ssh_direct integer not null,
			use_ssh integer not null,
			private integer not null,
			recommended_disk_space double precision not null,
			recommended integer not null,
			count_created integer not null default 0,
			created_at double precision not null,
			recent_create_date double precision,
			deleted_at double precision
		)`,
	sql`create unique index templates_by_hash on templates (hash_id) where deleted_at is null`,
	sql`create index templates_by_creator on templates (creator_id)`,
	sql`
		create table template_versions (
			template_id integer not null references templates (id),
			hash_id text not null,
			content text not null,
			primary key (template_id, hash_id)
		)`,
	sql`create index template_versions_by_hash on template_versions (hash_id)`,
	sql`
		create table template_uses (
			id integer primary key,
			template_id integer not null,
			at double precision not null
		)`,
];

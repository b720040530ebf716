import {sql} from 'kysely';

export const noticeTables = [
	sql`
		create table webhooks (
			id integer primary key,
			account_id integer not null references accounts (id),
			url text not null,
			name text,
			event_types text not null,
			secret text not null,
			created_at double precision not null,
			updated_at double precision not null,
			failures integer not null default 0,
			disabled_at double precision
		)`,
	sql`create index webhooks_by_account on webhooks (account_id)`,
	sql`
		create table notification_preferences (
			account_id integer not null references accounts (id),
			kind text not null,
			channel text not null,
			is_on integer not null,
			primary key (account_id, kind, channel)
		)`,
	sql`
		create table deliveries (
			webhook_id integer not null references webhooks (id),
			event_id text not null,
			slug text not null,
			subject text not null,
			message text not null,
			happened_at double precision not null,
			attempts integer not null default 0,
			due_at double precision not null,
			primary key (webhook_id, event_id)
		)`,
	sql`create index deliveries_by_webhook on deliveries (webhook_id, due_at)`,
	sql`create index deliveries_by_due on deliveries (due_at)`,
	sql`
		create table moments (
			name text primary key,
			at double precision not null
		)`,
];

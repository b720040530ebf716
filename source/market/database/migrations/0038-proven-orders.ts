import {sql, type Kysely} from 'kysely';

/** Adds by what orders are known again, which failed starts count against a machine, and when clones end. */
const statements = [
	sql`alter table instances add column order_hash text`,
	sql`create index instances_by_order on instances (order_hash) where order_hash is not null`,
	sql`alter table failed_starts add column counts integer not null default 0`,
	sql`alter table copies add column ends_at double precision`,
	sql`create index copies_to_end on copies (ends_at) where ended_at is null and ends_at is not null`,
];

export async function keepProvenOrders<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

import {sql, type Kysely} from 'kysely';

/** Seconds for which what was rented of an offer without an end is rented at first: 90 days. */
const OPEN_SECONDS = 7_776_000;

/** Instances and volumes keep the end of their own contract, whatever becomes of their offer. */
const statements = (['instances', 'volumes'] as const).flatMap(name => {
	const table = sql.ref(name);
	return [
		sql`alter table ${table} add column end_date double precision not null default 0`,
		sql`
			update ${table} set end_date = coalesce(
				(
					select offers.end_date from offers
					where offers.id = ${table}.ask_id and offers.end_date >= ${table}.created_at
				),
				${table}.billed_until + ${OPEN_SECONDS}
			)`,
	];
});

export async function keepContractEnds<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}

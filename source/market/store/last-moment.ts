/** Time of a database's last write, as far as its rows say so. */
import {sql} from 'kysely';
import type {Database} from './database.ts';

/** Columns that are written as time passes. */
const moments = [
	['accounts', 'created_at'],
	['api_keys', 'created_at'],
	['machines', 'heard_at'],
	['instances', 'billed_until'],
	['instances', 'destroyed_at'],
	['volumes', 'billed_until'],
	['volumes', 'destroyed_at'],
	['charges', 'last_at'],
	['payments', 'at'],
	['tasks', 'created_at'],
	['moments', 'at'],
] as const;

/** The last moment at which anything happened; undefined where nothing ever did. */
export async function lastMoment(database: Database): Promise<number | undefined> {
	const parts = moments.map(
		([table, column]) => sql`select max(${sql.ref(column)}) as moment from ${sql.table(table)}`,
	);
	const {rows} = await sql<{readonly moment: number | null}>`
		select max(moment) as moment from (${sql.join(parts, sql` union all `)}) as moments
	`.execute(database);
	return rows[0]?.moment ?? undefined;
}

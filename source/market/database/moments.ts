/** Times of the last runs of the market's recurring work. */
import type {Database} from './database.ts';
import {sql} from 'kysely';

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
	['copies', 'created_at'],
	['moments', 'at'],
] as const;

/** The latest time in the database; undefined for an empty one. */
export async function lastMoment(database: Database): Promise<number | undefined> {
	const parts = moments.map(
		([table, column]) => sql`select max(${sql.ref(column)}) as moment from ${sql.table(table)}`,
	);
	const {rows} = await sql<{readonly moment: number | null}>`
		select max(moment) as moment from (${sql.join(parts, sql` union all `)}) as moments
	`.execute(database);
	return rows[0]?.moment ?? undefined;
}

/** Time of the last run; -Infinity for none. */
export async function readMoment(database: Database, name: string): Promise<number> {
	const found = await database
		.selectFrom('moments')
		.select('at')
		.where('name', '=', name)
		.executeTakeFirst();
	return found?.at ?? -Infinity;
}

/** Time of the last run in a statement; -1 for none. */
export const lastRunSql = (name: string) =>
	sql<number>`coalesce((select at from moments where name = ${sql.lit(name)}), -1)`;

export async function writeMoment(database: Database, name: string, at: number): Promise<void> {
	await database
		.insertInto('moments')
		.values({name, at})
		.onConflict(conflict => conflict.column('name').doUpdateSet({at}))
		.execute();
}

export async function forgetMoment(database: Database, name: string): Promise<void> {
	await database.deleteFrom('moments').where('name', '=', name).execute();
}

/** Ids of rows. No row has the id of one that was: databases count on from the last id they gave. */
import {PostgresAdapter, sql} from 'kysely';
import type {Database} from './database.ts';
import type {Tables} from './schema.ts';
import {drawRevision} from './postgres/revisions.ts';
import {statement} from './statement.ts';

export function isOnPostgres(database: Database): boolean {
	return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** Lets a table count on behind the rows that were given their numbers. */
export async function countOn(database: Database, table: keyof Tables): Promise<void> {
	if (!isOnPostgres(database)) return;
	await sql`
		select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}
		having max(id) is not null`.execute(database);
}

/** Counts one change of the work of an account's machines. Its number is of this change alone. */
export async function nextRevision(database: Database, accountId: number): Promise<number> {
	if (isOnPostgres(database)) return drawRevision(database, accountId);
	const [counted] = await countRevision(database, {accountId});
	if (counted === undefined) throw new RangeError(`there is no account ${accountId}`);
	return counted.work_revision;
}

const countRevision = statement<{accountId: number}, {readonly work_revision: number}>(
	(database, value) =>
		database
			.updateTable('accounts')
			.set(({eb}) => ({work_revision: eb('work_revision', '+', 1)}))
			.where('id', '=', value('accountId'))
			.returning('work_revision'),
);

import type {Database} from './database.ts';
import {isOnPostgres} from './numbering.ts';
import {drawRevision} from './postgres/revisions.ts';
import {statement} from './statement.ts';

/** Counts one change of the work of an account's machines. Its number is of this change alone. */
export async function nextRevision(database: Database, accountId: number): Promise<number> {
	if (isOnPostgres(database)) return drawRevision(database, accountId);
	const [counted] = await countRevision(database, {accountId});
	if (counted === undefined) throw new RangeError(`there is no account ${accountId}`);
	return counted.work_revision;
}

export const countRevision = statement<{accountId: number}, {readonly work_revision: number}>(
	(database, value) =>
		database
			.updateTable('accounts')
			.set(({eb}) => ({work_revision: eb('work_revision', '+', 1)}))
			.where('id', '=', value('accountId'))
			.returning('work_revision'),
);

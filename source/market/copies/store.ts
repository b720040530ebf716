import type {Insertable} from 'kysely';
import type {Database} from '../database/database.ts';
import {before, type StatementTime} from '../database/statement.ts';
import type {CopiesTable, CopyKind, CopyRow} from '../database/instance-tables.ts';
import {writing} from '../database/writing.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Time for which an ended copy is kept, for hosts that are away. */
const ENDED_SECONDS = 7 * DAY;

/** An instance or a volume. */
export type CopyEnd = {readonly kind: CopyKind; readonly id: number};

export async function insertCopy(database: Database, copy: Insertable<CopiesTable>): Promise<void> {
	await database.insertInto('copies').values(copy).execute();
}

/** A copy in progress, for the host of its target. */
export async function findCopy(
	database: Database,
	{id, hostAccountId}: {readonly id: number; readonly hostAccountId: number},
): Promise<CopyRow | undefined> {
	return selectOpen(database)
		.where('id', '=', id)
		.where('host_account_id', '=', hostAccountId)
		.executeTakeFirst();
}

/** A copy that is in progress, for the host of its source. */
export async function findCopyFrom(
	database: Database,
	{id, hostAccountId}: {readonly id: number; readonly hostAccountId: number},
): Promise<CopyRow | undefined> {
	return selectOpen(database)
		.where('id', '=', id)
		.where('source_host_account_id', '=', hostAccountId)
		.executeTakeFirst();
}

export async function copiesInto(
	database: Database,
	{kind, id}: CopyEnd,
): Promise<readonly CopyRow[]> {
	return selectOpen(database)
		.where('target_kind', '=', kind)
		.where('target_id', '=', id)
		.orderBy('id')
		.execute();
}

export async function copiesFrom(
	database: Database,
	{kind, id}: CopyEnd,
): Promise<readonly CopyRow[]> {
	return selectOpen(database)
		.where('source_kind', '=', kind)
		.where('source_id', '=', id)
		.orderBy('id')
		.execute();
}

/** Copies in progress past their deadline. */
export function lateCopies(database: Database, now: StatementTime) {
	return selectOpen(database).where('ends_at', '<=', now).orderBy('id');
}

export async function updateCopy(
	database: Database,
	id: number,
	change: Partial<
		Pick<CopyRow, 'public_key' | 'door' | 'ended_at' | 'revision' | 'source_revision'>
	>,
): Promise<void> {
	await database.updateTable('copies').set(change).where('id', '=', id).execute();
}

/** Ended copies from long ago, except the last, so that no id is used twice. */
export function oldCopies(database: Database, now: StatementTime) {
	return database
		.selectFrom('copies')
		.select('id')
		.where('ended_at', '<=', before(now, ENDED_SECONDS))
		.where('id', '<', query =>
			query.selectFrom('copies').select(({fn}) => fn.max('id').as('last')),
		);
}

export async function forgetCopies(database: Database, now: number): Promise<void> {
	await writing(database, async transaction =>
		transaction.deleteFrom('copies').where('id', 'in', oldCopies(database, now)).execute(),
	);
}

function selectOpen(database: Database) {
	return database.selectFrom('copies').selectAll().where('ended_at', 'is', null);
}

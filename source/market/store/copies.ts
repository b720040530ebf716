import type {Insertable} from 'kysely';
import type {Database} from './database.ts';
import type {CopiesTable, CopyKind, CopyRow} from './instance-tables.ts';

/** An instance or a volume. */
export type CopyEnd = {readonly kind: CopyKind; readonly id: number};

export async function insertCopy(database: Database, copy: Insertable<CopiesTable>): Promise<void> {
	await database.insertInto('copies').values(copy).execute();
}

/** A copy that its host has not ended. */
export async function findCopy(
	database: Database,
	{id, hostAccountId}: {readonly id: number; readonly hostAccountId: number},
): Promise<CopyRow | undefined> {
	return selectOpen(database)
		.where('id', '=', id)
		.where('host_account_id', '=', hostAccountId)
		.executeTakeFirst();
}

/** A copy that is under way, for the host of its source. */
export async function findCopyFrom(
	database: Database,
	{id, hostAccountId}: {readonly id: number; readonly hostAccountId: number},
): Promise<CopyRow | undefined> {
	return selectOpen(database)
		.where('id', '=', id)
		.where('source_host_account_id', '=', hostAccountId)
		.executeTakeFirst();
}

/** The copies into an instance or a volume. */
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

/** The copies out of it. */
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

export async function updateCopy(
	database: Database,
	id: number,
	change: Partial<
		Pick<CopyRow, 'public_key' | 'door' | 'ended_at' | 'revision' | 'source_revision'>
	>,
): Promise<void> {
	await database.updateTable('copies').set(change).where('id', '=', id).execute();
}

function selectOpen(database: Database) {
	return database.selectFrom('copies').selectAll().where('ended_at', 'is', null);
}

import type {Insertable} from 'kysely';
import type {Database} from './database.ts';
import type {CopiesTable, CopyRow} from './instance-tables.ts';

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

/** The copies into an instance. */
export async function copiesInto(
	database: Database,
	targetId: number,
): Promise<readonly CopyRow[]> {
	return selectOpen(database).where('target_id', '=', targetId).orderBy('id').execute();
}

/** The copies out of an instance. */
export async function copiesFrom(
	database: Database,
	sourceId: number,
): Promise<readonly CopyRow[]> {
	return selectOpen(database).where('source_id', '=', sourceId).orderBy('id').execute();
}

/** The keys by which hosts enter instances to copy from them. */
export async function keysOfCopies(
	database: Database,
	sources: readonly number[],
): Promise<ReadonlyArray<{readonly instance_id: number; readonly public_key: string}>> {
	if (sources.length === 0) return [];
	const rows = await database
		.selectFrom('copies')
		.select(['source_id', 'public_key'])
		.where('ended_at', 'is', null)
		.where('source_id', 'in', sources)
		.execute();
	return rows.flatMap(({source_id, public_key}) =>
		public_key === null ? [] : [{instance_id: source_id, public_key}],
	);
}

export async function updateCopy(
	database: Database,
	id: number,
	change: Partial<Pick<CopyRow, 'public_key' | 'ended_at' | 'revision'>>,
): Promise<void> {
	await database.updateTable('copies').set(change).where('id', '=', id).execute();
}

function selectOpen(database: Database) {
	return database.selectFrom('copies').selectAll().where('ended_at', 'is', null);
}

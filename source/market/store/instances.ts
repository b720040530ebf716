import type {Insertable, Updateable} from 'kysely';
import type {Database} from './database.ts';
import type {InstanceRow, InstancesTable} from './instance-tables.ts';

export type NewInstance = Insertable<InstancesTable>;

export async function insertInstance(
	database: Database,
	instance: NewInstance,
): Promise<InstanceRow> {
	return database.insertInto('instances').values(instance).returningAll().executeTakeFirstOrThrow();
}

/** Changes some columns of an instance, and answers all of it. */
export async function updateInstance(
	database: Database,
	id: number,
	changes: Updateable<InstancesTable>,
): Promise<InstanceRow> {
	return database
		.updateTable('instances')
		.set(changes)
		.where('id', '=', id)
		.returningAll()
		.executeTakeFirstOrThrow();
}

/** An instance of an account that was not destroyed. */
export async function findInstance(
	database: Database,
	{id, accountId}: {readonly id: number; readonly accountId: number},
): Promise<InstanceRow | undefined> {
	return selectPresent(database)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
}

/** The instances of a machine that were not destroyed. */
export async function instancesOn(
	database: Database,
	machineId: number,
): Promise<readonly InstanceRow[]> {
	return selectPresent(database).where('machine_id', '=', machineId).orderBy('id').execute();
}

function selectPresent(database: Database) {
	return database.selectFrom('instances').selectAll().where('destroyed_at', 'is', null);
}

import {randomUUID} from 'node:crypto';
import {sql, type Insertable, type SqlBool, type Updateable} from 'kysely';
import type {Database} from '../database/database.ts';
import {insertion, statement, type StatementTime} from '../database/statement.ts';
import type {InstanceRow, InstancesTable} from '../database/instance-tables.ts';

export type NewInstance = Insertable<InstancesTable>;

const insertRow = insertion<InstanceRow>('instances');

export async function insertInstance(
	database: Database,
	instance: NewInstance,
): Promise<InstanceRow> {
	return insertRow(database, {serial: randomUUID(), ...instance});
}

/** Changes columns of an instance, and returns the row. */
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

/** A present instance of an account, except default jobs, which are no rentals. */
export async function findInstance(
	database: Database,
	{id, accountId}: {readonly id: number; readonly accountId: number},
): Promise<InstanceRow | undefined> {
	return selectPresent(database)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.where('default_job', '=', 0)
		.executeTakeFirst();
}

/** The instance of an account's request with a mark, destroyed ones included. */
export async function findInstanceByRequestMark(
	database: Database,
	{accountId, mark}: {readonly accountId: number; readonly mark: string},
): Promise<InstanceRow | undefined> {
	return database
		.selectFrom('instances')
		.selectAll()
		.where('account_id', '=', accountId)
		.where('mark', '=', mark)
		.executeTakeFirst();
}

export async function findInstances(
	database: Database,
	{ids, accountId}: {readonly ids: readonly number[]; readonly accountId: number},
): Promise<readonly InstanceRow[]> {
	if (ids.length === 0) return [];
	return selectPresent(database)
		.where('id', 'in', ids)
		.where('account_id', '=', accountId)
		.where('default_job', '=', 0)
		.orderBy('id')
		.execute();
}

/** A present instance on a machine of an account. */
export async function findHosted(
	database: Database,
	{id, accountId}: {readonly id: number; readonly accountId: number},
): Promise<InstanceRow | undefined> {
	return selectPresent(database)
		.where('id', '=', id)
		.where('host_account_id', '=', accountId)
		.executeTakeFirst();
}

export async function instancesOn(
	database: Database,
	machineId: number,
): Promise<readonly InstanceRow[]> {
	return findOn(database, {machineId});
}

const findOn = statement<{machineId: number}, InstanceRow>((database, value) =>
	selectPresent(database).where('machine_id', '=', value('machineId')).orderBy('id'),
);

/** Running or waiting instances on others' machines, without a deposit or credit. */
export function unpaidInstances(database: Database) {
	return database
		.selectFrom('instances')
		.selectAll()
		.where('destroyed_at', 'is', null)
		.where(sql<SqlBool>`intended = 'running'`)
		.whereRef('account_id', '<>', 'host_account_id')
		.where('deposit_micros', '=', 0)
		.where('account_id', 'in', query =>
			// The exact expression of the index; otherwise it is not used.
			query
				.selectFrom('accounts')
				.select('accounts.id')
				.where(sql<SqlBool>`credit_micros <= 0`),
		);
}

/** Running or waiting instances past the end of their contract. */
export function expiredInstances(database: Database, now: StatementTime) {
	return database
		.selectFrom('instances')
		.selectAll()
		.where('destroyed_at', 'is', null)
		.where(sql<SqlBool>`intended = 'running'`)
		.where('end_date', '<=', now);
}

/** A present instance of any account. */
export async function findPresent(
	database: Database,
	id: number,
): Promise<InstanceRow | undefined> {
	return selectPresent(database).where('id', '=', id).executeTakeFirst();
}

function selectPresent(database: Database) {
	return database.selectFrom('instances').selectAll().where('destroyed_at', 'is', null);
}

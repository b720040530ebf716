/** Work of hosts: changes on an account's machines within revisions. */
import {sql, type SqlBool} from 'kysely';
import type {Database} from '../database/database.ts';
import type {
	CopyRow,
	InstanceRow,
	MachineRow,
	MountsTable,
	TasksTable,
	VolumeRow,
} from '../database/instance-tables.ts';
import {isOnPostgres} from '../database/numbering.ts';
import {settledRevision} from '../database/postgres/revisions.ts';

/** Part of an account's machines: a list, or all except a list; by default all. */
export type MachineSelection = {
	readonly machines?: readonly number[] | undefined;
	readonly except?: readonly number[] | undefined;
};

/** Revisions of an account after one, up to another. */
export type Revisions = {
	readonly accountId: number;
	readonly share: MachineSelection;
	readonly after: number;
	readonly until: number;
	/** True to include destroyed instances. */
	readonly withGone: boolean;
};

/**
 * The last revision of the work of an account's machines.
 *
 * @param after The revision that the host has.
 */
export async function readRevision(
	database: Database,
	{accountId, after}: Pick<Revisions, 'accountId' | 'after'>,
): Promise<number> {
	if (isOnPostgres(database)) return settledRevision(database, accountId, after);
	const {work_revision: revision} = await database
		.selectFrom('accounts')
		.select('work_revision')
		.where('id', '=', accountId)
		.executeTakeFirstOrThrow();
	return revision;
}

type WorkRow = InstanceRow & Pick<MachineRow, 'num_gpus'>;

export async function changedInstances(
	database: Database,
	revisions: Revisions,
): Promise<readonly WorkRow[]> {
	return selectInstances(database, revisions)
		.innerJoin('machines', 'machines.id', 'instances.machine_id')
		.selectAll('instances')
		.select('machines.num_gpus')
		.orderBy('instances.revision')
		.execute();
}

/** SSH keys that may enter the changed instances. */
export async function changedKeys(
	database: Database,
	revisions: Revisions,
): Promise<ReadonlyArray<{readonly instance_id: number; readonly public_key: string}>> {
	return selectInstances(database, revisions)
		.innerJoin('instance_ssh_keys', 'instance_ssh_keys.instance_id', 'instances.id')
		.innerJoin('ssh_keys', 'ssh_keys.id', 'instance_ssh_keys.ssh_key_id')
		.select(['instance_ssh_keys.instance_id', 'ssh_keys.public_key'])
		.orderBy('ssh_keys.id')
		.execute();
}

type MountRow = MountsTable & Pick<VolumeRow, 'size_gb' | 'serial'>;

export async function changedMounts(
	database: Database,
	revisions: Revisions,
): Promise<readonly MountRow[]> {
	return selectInstances(database, revisions)
		.innerJoin('mounts', 'mounts.instance_id', 'instances.id')
		.innerJoin('volumes', 'volumes.id', 'mounts.volume_id')
		.select(['mounts.instance_id', 'mounts.volume_id', 'mounts.path'])
		.select(['volumes.size_gb', 'volumes.serial'])
		.orderBy('mounts.volume_id')
		.execute();
}

/** Condition for a column with the id of a machine of a share. */
function isOf(column: string, {machines, except = []}: MachineSelection) {
	const name = sql.ref(column);
	const isOne =
		machines === undefined ? sql<SqlBool>`true` : sql<SqlBool>`${name} in ${list(machines)}`;
	return except.length === 0 ? isOne : sql<SqlBool>`${isOne} and ${name} not in ${list(except)}`;
}

function list(ids: readonly number[]) {
	return sql`(${sql.join(ids)})`;
}

/** Condition for rows of a table of work that changed within revisions. */
function isChanged(
	table: 'instances' | 'volumes' | 'copies',
	endedAt: string,
	{accountId, share, after, until, withGone}: Revisions,
) {
	const column = (name: string) => sql.ref(`${table}.${name}`);
	const isThere = withGone ? sql`true` : sql`${column(endedAt)} is null`;
	return sql<SqlBool>`
		${column('host_account_id')} = ${accountId}
		and ${isOf(`${table}.machine_id`, share)}
		and ${column('revision')} > ${after} and ${column('revision')} <= ${until}
		and ${isThere}`;
}

function selectInstances(database: Database, revisions: Revisions) {
	return database.selectFrom('instances').where(isChanged('instances', 'destroyed_at', revisions));
}

export async function changedVolumes(
	database: Database,
	revisions: Revisions,
): Promise<readonly VolumeRow[]> {
	return database
		.selectFrom('volumes')
		.selectAll()
		.where(isChanged('volumes', 'destroyed_at', revisions))
		.orderBy('revision')
		.execute();
}

/** Copies whose targets are on an account's machines. */
export async function changedCopies(
	database: Database,
	revisions: Revisions,
): Promise<readonly CopyRow[]> {
	return database
		.selectFrom('copies')
		.selectAll()
		.where(isChanged('copies', 'ended_at', revisions))
		.orderBy('revision')
		.execute();
}

/** Copies whose sources are on an account's machines, with a past or present SSH listener. */
export async function listChangedListeners(
	database: Database,
	{accountId, share, after, until, withGone}: Revisions,
): Promise<readonly CopyRow[]> {
	const changed = database
		.selectFrom('copies')
		.selectAll()
		.where('source_host_account_id', '=', accountId)
		.where(isOf('source_machine_id', share))
		.where('source_revision', '>', after)
		.where('source_revision', '<=', until)
		.orderBy('source_revision');
	return (withGone ? changed : changed.where('ended_at', 'is', null)).execute();
}

type TaskRow = Pick<TasksTable, 'instance_id' | 'request'> & {readonly id: number};

export async function openTasks(
	database: Database,
	{accountId, share, after, until}: Revisions,
): Promise<readonly TaskRow[]> {
	return database
		.selectFrom('tasks')
		.innerJoin('instances', 'instances.id', 'tasks.instance_id')
		.select(['tasks.id', 'tasks.instance_id', 'tasks.request'])
		.where('tasks.host_account_id', '=', accountId)
		.where(isOf('instances.machine_id', share))
		.where('tasks.answer', 'is', null)
		.where('tasks.revision', '>', after)
		.where('tasks.revision', '<=', until)
		.orderBy('tasks.revision')
		.execute();
}

type Answer = {readonly id: number; readonly accountId: number; readonly text: string};

/** Writes the result of a task; false if the account's hosts have no such open task. */
export async function answerTask(
	database: Database,
	{id, accountId, text}: Answer,
): Promise<boolean> {
	const {numUpdatedRows} = await database
		.updateTable('tasks')
		.set({answer: text})
		.where('id', '=', id)
		.where('host_account_id', '=', accountId)
		.where('answer', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0;
}

import type {Insertable, Updateable} from 'kysely';
import type {Database} from '../database/database.ts';
import type {StatementTime} from '../database/statement.ts';
import type {ScheduledJobRow, ScheduledJobsTable} from '../database/account-tables.ts';

export async function listJobs(
	database: Database,
	accountId: number,
): Promise<readonly ScheduledJobRow[]> {
	return selectJobs(database).where('account_id', '=', accountId).orderBy('id').execute();
}

export async function findJob(
	database: Database,
	{id, accountId}: {readonly id: number; readonly accountId: number},
): Promise<ScheduledJobRow | undefined> {
	return selectJobs(database)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
}

/** The job for a kind of call about an instance. */
export async function findScheduledJob(
	database: Database,
	instanceId: number,
	kind: ScheduledJobRow['kind'],
): Promise<ScheduledJobRow | undefined> {
	return selectJobs(database)
		.where('instance_id', '=', instanceId)
		.where('kind', '=', kind)
		.executeTakeFirst();
}

/** Jobs whose time has come. */
export function dueJobs(database: Database, now: StatementTime, most: number) {
	return selectJobs(database)
		.where('next_at', '<=', now)
		.orderBy('next_at')
		.orderBy('id')
		.limit(most);
}

export async function insertJob(
	database: Database,
	job: Insertable<ScheduledJobsTable>,
): Promise<number> {
	const {id} = await database
		.insertInto('scheduled_jobs')
		.values(job)
		.returning('id')
		.executeTakeFirstOrThrow();
	return id;
}

export async function updateJob(
	database: Database,
	id: number,
	changes: Updateable<ScheduledJobsTable>,
): Promise<void> {
	await database.updateTable('scheduled_jobs').set(changes).where('id', '=', id).execute();
}

export async function deleteJobRow(database: Database, id: number): Promise<void> {
	await database.deleteFrom('scheduled_jobs').where('id', '=', id).execute();
}

export async function deleteJobsOf(database: Database, instanceId: number): Promise<void> {
	await database.deleteFrom('scheduled_jobs').where('instance_id', '=', instanceId).execute();
}

function selectJobs(database: Database) {
	return database.selectFrom('scheduled_jobs').selectAll();
}

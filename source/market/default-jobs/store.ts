/** Default jobs of machines. */
import type {Database} from '../database/database.ts';
import type {DefaultJobRow} from '../database/provider-tables.ts';

export async function findDefaultJob(
	database: Database,
	machineId: number,
): Promise<DefaultJobRow | undefined> {
	const jobs = database.selectFrom('default_jobs').selectAll();
	return jobs.where('machine_id', '=', machineId).executeTakeFirst();
}

export async function defaultJobsOf(
	database: Database,
	accountId: number,
): Promise<readonly DefaultJobRow[]> {
	return database
		.selectFrom('machines')
		.innerJoin('default_jobs', 'default_jobs.machine_id', 'machines.id')
		.selectAll('default_jobs')
		.where('machines.account_id', '=', accountId)
		.execute();
}

export async function writeDefaultJob(database: Database, job: DefaultJobRow): Promise<void> {
	const {machine_id: _, ...rest} = job;
	await database
		.insertInto('default_jobs')
		.values(job)
		.onConflict(conflict => conflict.column('machine_id').doUpdateSet(rest))
		.execute();
}

export async function deleteDefaultJobRow(database: Database, machineId: number): Promise<void> {
	await database.deleteFrom('default_jobs').where('machine_id', '=', machineId).execute();
}

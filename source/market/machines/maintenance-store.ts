/** Announced maintenance of machines, and renters' reports. */
import {sql, type Insertable} from 'kysely';
import type {Database} from '../database/database.ts';
import {before, type StatementTime} from '../database/statement.ts';
import type {
	MachineReportRow,
	MachineReportsTable,
	MaintenanceRow,
	MaintenanceTable,
} from '../database/provider-tables.ts';

export async function insertMaintenance(
	database: Database,
	window: Insertable<MaintenanceTable>,
): Promise<void> {
	await database.insertInto('maintenance').values(window).execute();
}

/** Present and future windows of an account's machines, or of machines with its instances. */
export async function maintenanceFor(
	database: Database,
	accountId: number,
	now: number,
): Promise<readonly MaintenanceRow[]> {
	return database
		.selectFrom('maintenance')
		.selectAll()
		.where('end_at', '>', now)
		.where(eb =>
			eb.or([
				eb('machine_id', 'in', query =>
					query.selectFrom('machines').select('id').where('account_id', '=', accountId),
				),
				eb('machine_id', 'in', query =>
					query
						.selectFrom('instances')
						.select('machine_id')
						.where('account_id', '=', accountId)
						.where('destroyed_at', 'is', null),
				),
			]),
		)
		.orderBy('start_at')
		.execute();
}

export async function deleteMaintenance(database: Database, ids: readonly number[]): Promise<void> {
	if (ids.length > 0) await database.deleteFrom('maintenance').where('id', 'in', ids).execute();
}

export async function markMaintenanceNotified(database: Database, id: number): Promise<void> {
	await database.updateTable('maintenance').set({is_told: 1}).where('id', '=', id).execute();
}

/** Seconds before the beginning at which renters are notified again. */
const TELL_AHEAD = 3600;

/** Windows due for a notification, their beginning or their end. */
export function dueMaintenance(database: Database, now: StatementTime) {
	return database
		.selectFrom('maintenance')
		.innerJoin('machines', 'machines.id', 'maintenance.machine_id')
		.selectAll('maintenance')
		.where(eb =>
			eb.or([
				eb('end_at', '<=', now),
				eb.and([eb('start_at', '<=', before(now, -TELL_AHEAD)), eb('is_told', '=', 0)]),
				eb.and([eb('start_at', '<=', now), eb('in_maintenance', '=', 0)]),
			]),
		);
}

export async function insertReport(
	database: Database,
	report: Insertable<MachineReportsTable>,
): Promise<void> {
	await database.insertInto('machine_reports').values(report).execute();
}

/** Reports of a machine, the newest first. */
export async function reportsOf(
	database: Database,
	machineId: number,
	limit: number,
): Promise<readonly MachineReportRow[]> {
	return database
		.selectFrom('machine_reports')
		.selectAll()
		.where('machine_id', '=', machineId)
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.limit(limit)
		.execute();
}

/** Counts of reports of each machine of an account, in all and since a moment. */
export async function countReports(database: Database, accountId: number, since: number) {
	return database
		.selectFrom('machine_reports')
		.innerJoin('machines', 'machines.id', 'machine_reports.machine_id')
		.select(({fn}) => ['machine_id', fn.countAll<number>().as('all')])
		.select(sql<number>`sum(case when created_at >= ${since} then 1 else 0 end)`.as('recent'))
		.where('machines.account_id', '=', accountId)
		.groupBy('machine_id')
		.execute();
}

/** True if an account has an instance on a machine, or had one after a moment. */
export async function hasRented(
	database: Database,
	{accountId, machineId, since}: {accountId: number; machineId: number; since: number},
): Promise<boolean> {
	const found = await database
		.selectFrom('instances')
		.select('id')
		.where('account_id', '=', accountId)
		.where('machine_id', '=', machineId)
		.where(eb => eb.or([eb('destroyed_at', 'is', null), eb('destroyed_at', '>=', since)]))
		.limit(1)
		.executeTakeFirst();
	return found !== undefined;
}

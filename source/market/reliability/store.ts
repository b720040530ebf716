/** Records of machines' reliability. */
import {sql, type Insertable} from 'kysely';
import type {Database} from '../database/database.ts';
import type {InstanceRow, MachineRow} from '../database/instance-tables.ts';
import {forgetMoment} from '../database/moments.ts';
import type {
	FailedStartsTable,
	MachineDayRow,
	MachineMarkRow,
	MachineMarksTable,
	MachineSilencesTable,
	MaintenanceRow,
} from '../database/provider-tables.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Name of the moment until which all machines were judged. */
export const JUDGED = 'reliability judged';

/** Rows of a statement, below any database's limit of values. */
const ROWS_AT_ONCE = 200;

export async function insertSilences(
	database: Database,
	silences: ReadonlyArray<Insertable<MachineSilencesTable>>,
): Promise<void> {
	for (let start = 0; start < silences.length; start += ROWS_AT_ONCE) {
		const some = silences.slice(start, start + ROWS_AT_ONCE);
		await database.insertInto('machine_silences').values(some).execute();
	}
}

export async function silencesOf(database: Database, machineId: number, since: number) {
	return database
		.selectFrom('machine_silences')
		.selectAll()
		.where('machine_id', '=', machineId)
		.where('until', '>', since)
		.execute();
}

export async function insertFailedStart(
	database: Database,
	start: Insertable<FailedStartsTable>,
): Promise<void> {
	await database.insertInto('failed_starts').values(start).execute();
}

export type FailedStart = {readonly accountId: number; readonly instanceId: number};

/**
 * Failed starts on a machine after a moment that count. An image that also failed on another
 * machine within a day is at fault itself.
 */
export async function failedStarts(
	database: Database,
	machineId: number,
	since: number,
): Promise<readonly FailedStart[]> {
	const {rows} = await sql<FailedStart>`
		select distinct account_id as "accountId", instance_id as "instanceId"
		from failed_starts as start
		where machine_id = ${machineId} and at > ${since} and counts = 1 and not exists (
			select 1 from failed_starts as other
			where other.image = start.image and other.machine_id <> start.machine_id
				and other.at > start.at - ${DAY} and other.at < start.at + ${DAY}
		)`.execute(database);
	return rows;
}

type Order = Pick<InstanceRow, 'order_hash' | 'machine_id' | 'disk_gb'>;

/** The most runs of an order that are read as evidence. */
const MOST_ASKED = 50;

/** Renters and providers of paid runs of the same order on other machines after a moment. */
export async function ranElsewhere(
	database: Database,
	{order_hash: order, machine_id: machineId, disk_gb: diskGb}: Order,
	since: number,
) {
	if (order === null) return [];
	const {rows} = await sql<{readonly renter: number; readonly provider: number}>`
		select distinct account_id as renter, host_account_id as provider from instances
		where order_hash = ${order} and machine_id <> ${machineId} and disk_gb <= ${diskGb}
			and account_id <> host_account_id
			and (running_since is not null or exists (
				select 1 from charges
				where source = 'instance' and source_id = instances.id and item = 'gpu'
					and amount_micros > 0 and last_at > ${since}
			))
		limit ${MOST_ASKED}`.execute(database);
	return rows;
}

/** Count of others' rentals of a machine after a moment. */
export async function countRentals(
	database: Database,
	machineId: number,
	since: number,
): Promise<number> {
	const {count} = await database
		.selectFrom('instances')
		.select(({fn}) => fn.countAll<number>().as('count'))
		.where('machine_id', '=', machineId)
		.where('created_at', '>', since)
		.whereRef('account_id', '<>', 'host_account_id')
		.executeTakeFirstOrThrow();
	return count;
}

/** Machines of providers that were not judged on a day. */
export async function unjudgedMachines(
	database: Database,
	day: number,
	limit: number,
): Promise<readonly number[]> {
	const found = await database
		.selectFrom('machines')
		.select('id')
		.where('known_since', 'is not', null)
		.where('removed_at', 'is', null)
		.where('id', 'not in', query =>
			query.selectFrom('machine_days').select('machine_id').where('day', '=', day),
		)
		.orderBy('id')
		.limit(limit)
		.execute();
	return found.map(({id}) => id);
}

/** Makes the next sweep judge some machines again. Call it in a transaction. */
export async function judgeAgain(
	database: Database,
	ids: readonly number[],
	now: number,
): Promise<void> {
	if (ids.length === 0) return;
	for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
		await database
			.deleteFrom('machine_days')
			.where('machine_id', 'in', ids.slice(start, start + ROWS_AT_ONCE))
			.where('day', '=', Math.floor(now / DAY))
			.execute();
	}
	await forgetMoment(database, JUDGED);
}

export async function writeDay(database: Database, day: MachineDayRow): Promise<void> {
	const {machine_id: _, day: __, ...rest} = day;
	await database
		.insertInto('machine_days')
		.values(day)
		.onConflict(conflict => conflict.columns(['machine_id', 'day']).doUpdateSet(rest))
		.execute();
}

/** The last days of a machine, the newest first. */
export async function daysOfMachine(
	database: Database,
	machineId: number,
	limit: number,
): Promise<readonly MachineDayRow[]> {
	const days = database.selectFrom('machine_days').selectAll().where('machine_id', '=', machineId);
	return days.orderBy('day', 'desc').limit(limit).execute();
}

/** Notes the first heartbeat of machines. Made-up machines have no history. */
export async function noteKnown(
	database: Database,
	ids: readonly number[],
	now: number,
): Promise<void> {
	if (ids.length === 0) return;
	await database
		.updateTable('machines')
		.set({known_since: now})
		.where('id', 'in', ids)
		.where('made_up', '=', 0)
		.execute();
}

export async function lastVerdict(
	database: Database,
	machineId: number,
): Promise<MachineMarkRow | undefined> {
	return database
		.selectFrom('machine_marks')
		.selectAll()
		.where('machine_id', '=', machineId)
		.where('mark', 'in', ['verified', 'unverified', 'deverified'])
		.orderBy('id', 'desc')
		.limit(1)
		.executeTakeFirst();
}

/** Time at which a machine was last put into quarantine, or released; -Infinity for never. */
export async function lastMarked(
	database: Database,
	machineId: number,
	mark: 'quarantined' | 'released',
): Promise<number> {
	const {at} = await database
		.selectFrom('machine_marks')
		.select(({fn}) => fn.max('at').as('at'))
		.where('machine_id', '=', machineId)
		.where('mark', '=', mark)
		.executeTakeFirstOrThrow();
	return at ?? -Infinity;
}

export async function changeTrust(
	database: Database,
	machineId: number,
	trust: Partial<Pick<MachineRow, 'verification' | 'reliability' | 'quarantine' | 'measured'>>,
): Promise<void> {
	await database.updateTable('machines').set(trust).where('id', '=', machineId).execute();
}

export async function insertReliabilityMark(
	database: Database,
	mark: Insertable<MachineMarksTable>,
): Promise<void> {
	await database.insertInto('machine_marks').values(mark).execute();
}

/** Marks of a machine, the newest first. */
export async function reliabilityMarksOf(
	database: Database,
	machineId: number,
	limit: number,
): Promise<readonly MachineMarkRow[]> {
	const marks = database
		.selectFrom('machine_marks')
		.selectAll()
		.where('machine_id', '=', machineId);
	return marks.orderBy('id', 'desc').limit(limit).execute();
}

export async function planTest(
	database: Database,
	machineId: number,
	at: number | null,
): Promise<void> {
	await database
		.updateTable('machines')
		.set({test_due_at: at})
		.where('id', '=', machineId)
		.execute();
}

/** Moves later tests of machines up to a moment. */
export async function hastenTests(
	database: Database,
	ids: readonly number[],
	now: number,
): Promise<void> {
	if (ids.length === 0) return;
	const machines = database.updateTable('machines').where('id', 'in', ids);
	await machines.set({test_due_at: now}).where('test_due_at', '>', now).execute();
}

export async function maintenanceOf(
	database: Database,
	machineId: number,
): Promise<readonly MaintenanceRow[]> {
	return database
		.selectFrom('maintenance')
		.selectAll()
		.where('machine_id', '=', machineId)
		.execute();
}

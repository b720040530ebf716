import {sql} from 'kysely';
import {continueIds} from '../database/numbering.ts';
import type {Database} from '../database/database.ts';
import {statement, type StatementTime} from '../database/statement.ts';
import type {Contact, Flag, MachineRow} from '../database/instance-tables.ts';

const findById = statement<{id: number}, MachineRow>((database, value) =>
	database.selectFrom('machines').selectAll().where('id', '=', value('id')),
);

export async function findMachine(database: Database, id: number): Promise<MachineRow | undefined> {
	return (await findById(database, {id}))[0];
}

export async function findMachineNamed(
	database: Database,
	accountId: number,
	name: string,
): Promise<MachineRow | undefined> {
	const named = database.selectFrom('machines').selectAll().where('account_id', '=', accountId);
	return named.where('name', '=', name).executeTakeFirst();
}

/** A machine; `occupied` with an instance or a volume of a renter. */
export type HostedMachine = MachineRow & {
	readonly occupied: Flag;
	/** 1 if its provider has listed or unlisted it. */
	readonly managed: Flag;
};

/** Machines of an account that are offered, managed or occupied. */
export async function machinesOf(
	database: Database,
	accountId: number,
): Promise<readonly HostedMachine[]> {
	return (await selectHosted(database, accountId).execute()).filter(isShown);
}

/** The named ones of these machines. */
export async function machinesNamed(
	database: Database,
	accountId: number,
	ids: readonly number[],
): Promise<readonly HostedMachine[]> {
	const machines: HostedMachine[] = [];
	for (const some of inParts(ids)) {
		machines.push(...(await selectHosted(database, accountId).where('id', 'in', some).execute()));
	}
	return machines.filter(isShown);
}

function isShown({listed, occupied, managed}: HostedMachine): boolean {
	return listed === 1 || occupied === 1 || managed === 1;
}

function selectHosted(database: Database, accountId: number) {
	const occupied = sql<Flag>`case
		when exists (
			select 1 from instances where machine_id = machines.id and destroyed_at is null
		) or exists (
			select 1 from volumes where machine_id = machines.id and destroyed_at is null
		) then 1 else 0 end`;
	const managed = sql<Flag>`case
		when exists (select 1 from listings where machine_id = machines.id) then 1 else 0 end`;
	return database
		.selectFrom('machines')
		.selectAll()
		.select([occupied.as('occupied'), managed.as('managed')])
		.where('account_id', '=', accountId)
		.orderBy('id');
}

type PublishedMachine = Pick<MachineRow, 'account_id' | 'name' | 'num_gpus' | 'busy_mask'> &
	Partial<Pick<MachineRow, 'listed' | 'publication'>>;

/** Inserts a machine, or updates the account's machine of that name. */
export async function offerMachine(
	database: Database,
	machine: PublishedMachine,
): Promise<MachineRow> {
	const {account_id: _, name: __, ...published} = {listed: 1 as const, ...machine};
	return database
		.insertInto('machines')
		.values({...machine, host_id: machine.account_id})
		.onConflict(conflict => conflict.columns(['account_id', 'name']).doUpdateSet(published))
		.returningAll()
		.executeTakeFirstOrThrow();
}

export async function changeMachines(
	database: Database,
	ids: readonly number[],
	changes: Partial<
		Pick<
			MachineRow,
			| 'heard_at'
			| 'contact'
			| 'absent'
			| 'listed'
			| 'in_maintenance'
			| 'compute_until'
			| 'disk_until'
		>
	>,
): Promise<void> {
	for (const some of inParts(ids)) {
		await database.updateTable('machines').set(changes).where('id', 'in', some).execute();
	}
}

function inParts(ids: readonly number[]): ReadonlyArray<readonly number[]> {
	return Array.from({length: Math.ceil(ids.length / IDS_AT_ONCE)}, (_, index) =>
		ids.slice(index * IDS_AT_ONCE, (index + 1) * IDS_AT_ONCE),
	);
}

type NewMachine = Pick<
	MachineRow,
	'id' | 'account_id' | 'host_id' | 'name' | 'num_gpus' | 'busy_mask'
>;

/** Rows of a statement, below any database's limit of values. */
const ROWS_AT_ONCE = 200;
const IDS_AT_ONCE = 1000;

export async function hasMadeUpMachines(database: Database): Promise<boolean> {
	const found = await database
		.selectFrom('machines')
		.select('id')
		.where('made_up', '=', 1)
		.limit(1)
		.executeTakeFirst();
	return found !== undefined;
}

/** Id of the last made-up machine; 0 for none. */
export async function lastMadeUpMachine(database: Database): Promise<number> {
	const last = await database
		.selectFrom('machines')
		.select('id')
		.where('made_up', '=', 1)
		.orderBy('id', 'desc')
		.limit(1)
		.executeTakeFirst();
	return last?.id ?? 0;
}

export async function insertMadeUpMachines(
	database: Database,
	machines: readonly NewMachine[],
): Promise<void> {
	for (let start = 0; start < machines.length; start += ROWS_AT_ONCE) {
		const rows = machines.slice(start, start + ROWS_AT_ONCE);
		const madeUp = rows.map(row => ({...row, made_up: 1 as const}));
		await database.insertInto('machines').values(madeUp).execute();
	}
	await continueIds(database, 'machines');
}

/** The oldest last heartbeat among machines that are heard; undefined without any. */
export async function oldestHeartbeat(database: Database): Promise<number | undefined> {
	const {at} = await database
		.selectFrom('machines')
		.select(({fn}) => fn.min('heard_at').as('at'))
		.where('contact', '=', 'heard')
		.executeTakeFirstOrThrow();
	return at ?? undefined;
}

export type Silence<At extends StatementTime = StatementTime> = Readonly<
	Record<'unlimitedSince' | 'silentSince' | 'absentSince' | 'lostSince', At>
>;

/** Machines whose silence since these moments has an effect, without the possibly many others. */
export function silentMachines(
	database: Database,
	{unlimitedSince, silentSince, absentSince, lostSince}: Silence,
) {
	const due = (contact: Contact, since: StatementTime) =>
		database
			.selectFrom('machines')
			.selectAll()
			.where('contact', '=', contact)
			.where('heard_at', '<=', since);
	return [
		due('heard', unlimitedSince).where(one =>
			one.or([one('disk_until', 'is', null), one('heard_at', '<=', silentSince)]),
		),
		due('silent', lostSince),
		due('silent', absentSince).where('heard_at', '>', lostSince).where('absent', '=', 0),
	];
}

export async function machinesById(
	database: Database,
	ids: readonly number[],
): Promise<readonly MachineRow[]> {
	const machines: MachineRow[] = [];
	for (const some of inParts(ids)) {
		const query = database.selectFrom('machines').selectAll().where('id', 'in', some);
		machines.push(...(await query.execute()));
	}
	return machines;
}

type Limits = {
	/** Seconds after the last heartbeat for which computing, and disk, are charged. */
	readonly compute: number;
	readonly disk: number;
};

export async function limitBills(
	database: Database,
	ids: readonly number[],
	{compute, disk}: Limits,
): Promise<void> {
	for (const some of inParts(ids)) {
		await database
			.updateTable('machines')
			.set(({eb}) => ({
				compute_until: eb('heard_at', '+', compute),
				disk_until: eb('heard_at', '+', disk),
			}))
			.where('id', 'in', some)
			.execute();
	}
}

export async function findOwnMachine(
	database: Database,
	{id, accountId}: {readonly id: number; readonly accountId: number},
): Promise<MachineRow | undefined> {
	const machine = await findMachine(database, id);
	return machine?.account_id === accountId && machine.removed_at === null ? machine : undefined;
}

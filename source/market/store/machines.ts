import type {Database} from './database.ts';
import type {Contact, MachineRow} from './instance-tables.ts';

export async function findMachine(database: Database, id: number): Promise<MachineRow | undefined> {
	return database.selectFrom('machines').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Machines that were published with an account's key. */
export async function machinesOf(
	database: Database,
	accountId: number,
): Promise<readonly MachineRow[]> {
	return database
		.selectFrom('machines')
		.selectAll()
		.where('account_id', '=', accountId)
		.orderBy('id')
		.execute();
}

type NewMachine = Pick<
	MachineRow,
	'id' | 'account_id' | 'host_id' | 'name' | 'num_gpus' | 'busy_mask'
>;

/** Few enough that their values are fewer than a database takes at once. */
const ROWS_AT_ONCE = 200;

export async function insertMachines(
	database: Database,
	machines: readonly NewMachine[],
): Promise<void> {
	for (let start = 0; start < machines.length; start += ROWS_AT_ONCE) {
		const rows = machines.slice(start, start + ROWS_AT_ONCE);
		await database.insertInto('machines').values(rows).execute();
	}
}

/** Machines of which too little was heard since these moments. */
export async function silentMachines(
	database: Database,
	{silentSince, lostSince}: {readonly silentSince: number; readonly lostSince: number},
): Promise<readonly MachineRow[]> {
	const due = (contact: Contact, since: number) =>
		database
			.selectFrom('machines')
			.selectAll()
			.where('contact', '=', contact)
			.where('heard_at', '<=', since)
			.execute();
	return [...(await due('heard', silentSince)), ...(await due('silent', lostSince))];
}

export async function setContact(database: Database, id: number, contact: Contact): Promise<void> {
	await database.updateTable('machines').set({contact}).where('id', '=', id).execute();
}

/** Counts one change of the work of an account's machines. Its number is of this change alone. */
export async function nextRevision(database: Database, accountId: number): Promise<number> {
	const {work_revision: revision} = await database
		.updateTable('accounts')
		.set(({eb}) => ({work_revision: eb('work_revision', '+', 1)}))
		.where('id', '=', accountId)
		.returning('work_revision')
		.executeTakeFirstOrThrow();
	return revision;
}

/** GPUs that accounts offer, by their permanent identifiers. */
import type {Database} from '../database/database.ts';
import type {MachineRow} from '../database/instance-tables.ts';

type Holder = Pick<MachineRow, 'id' | 'name' | 'contact' | 'removed_at'> & {readonly uuid: string};

/** Other machines of an account that offer some of these GPUs. */
export async function holdersOf(
	database: Database,
	{id, account_id: accountId}: Pick<MachineRow, 'id' | 'account_id'>,
	uuids: readonly string[],
): Promise<readonly Holder[]> {
	if (uuids.length === 0) return [];
	return database
		.selectFrom('machine_gpus')
		.innerJoin('machines', 'machines.id', 'machine_gpus.machine_id')
		.select(['machines.id', 'machines.name', 'machines.contact', 'machines.removed_at', 'uuid'])
		.where('machine_gpus.account_id', '=', accountId)
		.where('uuid', 'in', uuids)
		.where('machine_id', '<>', id)
		.orderBy('uuid')
		.execute();
}

/** True if machines of other accounts claim some of these GPUs. */
export async function areElsewhere(
	database: Database,
	{account_id: accountId}: Pick<MachineRow, 'account_id'>,
	uuids: readonly string[],
): Promise<boolean> {
	if (uuids.length === 0) return false;
	const rows = database.selectFrom('machine_gpus').select('uuid').where('uuid', 'in', uuids);
	return (await rows.where('account_id', '<>', accountId).executeTakeFirst()) !== undefined;
}

/** GPUs that a machine offers, in their order. */
export async function findOfferedGpus(
	database: Database,
	machineId: number,
): Promise<readonly string[]> {
	const rows = await database
		.selectFrom('machine_gpus')
		.select('uuid')
		.where('machine_id', '=', machineId)
		.execute();
	return rows.map(({uuid}) => uuid).toSorted();
}

/** Replaces the list of GPUs that a machine offers. */
export async function noteGpus(
	database: Database,
	{id, account_id: accountId}: Pick<MachineRow, 'id' | 'account_id'>,
	uuids: readonly string[],
): Promise<void> {
	await database.deleteFrom('machine_gpus').where('machine_id', '=', id).execute();
	if (uuids.length === 0) return;
	const rows = uuids.map(uuid => ({account_id: accountId, uuid, machine_id: id}));
	await database.insertInto('machine_gpus').values(rows).execute();
}

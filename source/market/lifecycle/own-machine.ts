import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import {findOwnMachine} from './machines-store.ts';

export type NamedMachine = {readonly id: number; readonly accountId: number};

/** @throws Refusal for a machine that is not the account's. */
export async function ownMachine(database: Database, named: NamedMachine): Promise<MachineRow> {
	const machine = await findOwnMachine(database, named);
	if (machine === undefined) throw noSuchMachine(named);
	return machine;
}

/** Refusal of a missing or another account's machine. */
export function noSuchMachine({
	id,
	accountId,
}: {
	readonly id: number;
	readonly accountId: number;
}): Refusal {
	const fields = {machine_id: id, user_id: accountId};
	return new Refusal('noSuchMachine', 'No such machine id', {fields});
}

/** What volumes cost: their space, while they exist and their machine is there. */
import {chargeBills} from '../store/charges.ts';
import type {Database} from '../store/database.ts';
import type {Contact, VolumeRow} from '../store/instance-tables.ts';
import {volumeBill} from './bills.ts';

/** Charges a volume until a moment, for as long as its machine was in this state. */
export async function billVolume(
	database: Database,
	volume: VolumeRow,
	contact: Contact,
	until: number,
): Promise<void> {
	await billVolumes(database, [{...volume, contact}], until);
}

/** The same for all volumes on a machine. */
export async function billVolumesOn(
	database: Database,
	machine: {readonly id: number; readonly contact: Contact},
	until: number,
): Promise<void> {
	const volumes = await database
		.selectFrom('volumes')
		.selectAll()
		.where('machine_id', '=', machine.id)
		.where('destroyed_at', 'is', null)
		.execute();
	const {contact} = machine;
	await billVolumes(
		database,
		volumes.map(volume => ({...volume, contact})),
		until,
	);
}

type BilledVolumes = ReadonlyArray<VolumeRow & {readonly contact: Contact}>;

async function billVolumes(
	database: Database,
	volumes: BilledVolumes,
	until: number,
): Promise<void> {
	const due = volumes.filter(volume => volume.billed_until < until);
	await chargeBills(
		database,
		due.map(({contact, ...volume}) => volumeBill(volume, contact, until)),
	);
	for (const {id} of due) {
		await database.updateTable('volumes').set({billed_until: until}).where('id', '=', id).execute();
	}
}

/** What volumes cost: their space, while they exist and their machine is there. */
import {usageOf} from '../rules/metering.ts';
import type {Database} from '../store/database.ts';
import type {Contact, VolumeRow} from '../store/instance-tables.ts';
import {charge} from './change.ts';

/** Charges a volume until a moment, for as long as its machine was in this state. */
export async function billVolume(
	database: Database,
	volume: VolumeRow,
	contact: Contact,
	until: number,
): Promise<void> {
	if (until <= volume.billed_until) return;
	const rates = {gpuMicros: 0, storageMicros: volume.storage_micros, diskGb: volume.size_gb};
	const meters = {compute: false, disk: contact !== 'lost'};
	const source = {accountId: volume.account_id, source: 'volume', sourceId: volume.id} as const;
	await charge(database, source, usageOf(volume.billed_until, until, meters, rates));
	await database
		.updateTable('volumes')
		.set({billed_until: until})
		.where('id', '=', volume.id)
		.execute();
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
	for (const volume of volumes) await billVolume(database, volume, machine.contact, until);
}

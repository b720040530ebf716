/** Bills of volumes: their space, while they exist and their machine is there. */
import {chargeBills} from '../store/charges.ts';
import type {Database} from '../store/database.ts';
import type {MachineRow, VolumeRow} from '../store/instance-tables.ts';
import {noteBilled} from '../store/unbilled.ts';
import {volumesOn} from '../store/volumes.ts';
import {volumeBill, type VolumesMachine} from './bills.ts';

/** Charges a volume until a moment, for as long as its machine was in this state. */
export async function billVolume(
	database: Database,
	volume: VolumeRow,
	machine: VolumesMachine,
	until: number,
): Promise<void> {
	await billVolumes(database, [volume], machine, until);
}

/** The same for all volumes on a machine. */
export async function billVolumesOn(
	database: Database,
	machine: VolumesMachine & Pick<MachineRow, 'id'>,
	until: number,
): Promise<void> {
	await billVolumes(database, await volumesOn(database, machine.id), machine, until);
}

async function billVolumes(
	database: Database,
	volumes: readonly VolumeRow[],
	machine: VolumesMachine,
	until: number,
): Promise<void> {
	const due = volumes.filter(volume => volume.billed_until < until);
	await chargeBills(
		database,
		due.map(volume => volumeBill(volume, machine, until)),
	);
	await noteBilled(database, 'volumes', {ids: due.map(({id}) => id), until});
}

/** Volumes of a new instance. */
import type {Env} from '../../contract/rules/env.ts';
import {
	readVolumeOrders,
	VolumeError,
	type VolumeOrder,
} from '../../contract/nouns/volume-search.ts';
import {Refusal} from '../base/refusal.ts';
import {diskMicros} from '../ledger/cover.ts';
import type {Database} from '../database/database.ts';
import {findVolume, insertMount, instancesWith} from '../volumes/store.ts';
import {readVolumeSpace, refuseTooLarge, type VolumeSpace} from '../volumes/volume-space.ts';
import {addVolume, refuseCloned} from '../volumes/volumes.ts';

export type AttachOrder = {
	/** `volume_info` of the request, unparsed. */
	readonly volumeInfo: Readonly<Record<string, unknown>> | undefined;
	readonly env: Env;
	readonly accountId: number;
	readonly machineId: number;
	/** True for a VM, which takes no volumes. */
	readonly isVm: boolean;
	/** Disk of the instance itself on the machine. */
	readonly diskGb: number;
	readonly now: number;
};

/** Checked volumes of an instance. */
type VolumePlan = {readonly accountId: number; readonly mounts: readonly PlannedMount[]};

type PlannedMount = {readonly path: string} & (
	| {readonly volumeId: number}
	| {readonly room: VolumeSpace; readonly sizeGb: number; readonly name: string | undefined}
);

/**
 * Checks the volumes of an order, before anything is made or charged. Call it in the transaction that
 * makes the instance.
 *
 * @throws Refusal if a volume is not available
 */
export async function planVolumes(database: Database, order: AttachOrder): Promise<VolumePlan> {
	const wanted = readOrders(order);
	if (order.isVm && wanted.length > 0) throw refuse('VMs take no volumes');
	const mounts: PlannedMount[] = [];
	for (const volume of wanted) mounts.push(await planMount(database, volume, order));
	return {accountId: order.accountId, mounts};
}

/** Cost of the planned volumes that are new, in micro-dollars an hour. */
export function newVolumesMicros({mounts}: VolumePlan): number {
	return mounts.reduce(
		(sum, mount) =>
			'room' in mount ? sum + diskMicros(mount.sizeGb, mount.room.storageMicros) : sum,
		0,
	);
}

/** Makes and mounts the planned volumes. Call it in the transaction that made the instance. */
export async function attachVolumes(
	database: Database,
	{accountId, mounts}: VolumePlan,
	{instanceId, now}: {readonly instanceId: number; readonly now: number},
): Promise<void> {
	for (const mount of mounts) {
		const volumeId =
			'room' in mount
				? (await addVolume(database, mount.room, {...mount, accountId, now})).id
				: mount.volumeId;
		await insertMount(database, {instanceId, volumeId, path: mount.path});
	}
}

function readOrders({volumeInfo, env}: AttachOrder): readonly VolumeOrder[] {
	try {
		return readVolumeOrders(volumeInfo, env);
	} catch (cause) {
		if (!(cause instanceof VolumeError)) throw cause;
		throw refuse(cause.message, cause);
	}
}

async function planMount(
	database: Database,
	wanted: VolumeOrder,
	order: AttachOrder,
): Promise<PlannedMount> {
	if ('offerId' in wanted) return planNew(database, wanted, order);
	const {accountId, machineId} = order;
	const volume = await findVolume(database, {id: wanted.volumeId, accountId});
	if (volume === undefined) throw refuse(`There is no volume ${wanted.volumeId}.`);
	if (volume.machine_id !== machineId) {
		throw refuse(
			`Volume ${volume.id} is on machine ${volume.machine_id}, and the offer on machine ${machineId}.`,
		);
	}
	const [holder] = await instancesWith(database, volume.id);
	if (holder !== undefined) {
		throw refuse(`Volume ${volume.id} is in use: instance ${holder} has it.`);
	}
	if (volume.agreed_micros !== null) throw refuse(`Volume ${volume.id} is not whole yet.`);
	await refuseCloned(database, volume.id);
	return wanted;
}

type NewVolume = Extract<VolumeOrder, {readonly offerId: number}>;

async function planNew(
	database: Database,
	{path, offerId, sizeGb, name}: NewVolume,
	{machineId, diskGb, now}: AttachOrder,
): Promise<PlannedMount> {
	const room = await readVolumeSpace(database, {offerId}, now);
	if (room === undefined) throw refuse(`There is no volume offer ${offerId}.`);
	if (room.machineId !== machineId) {
		throw refuse(
			`Volume offer ${offerId} is of machine ${room.machineId}, and the offer of machine ${machineId}.`,
		);
	}
	refuseTooLarge(sizeGb, room.freeGb - diskGb);
	return {path, room, sizeGb, name};
}

function refuse(why: string, cause?: unknown): Refusal {
	return new Refusal('badArguments', why, {cause});
}

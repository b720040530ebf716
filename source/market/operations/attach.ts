/** The volumes of an instance that is being made. */
import type {Env} from '../../contract/env.ts';
import {readVolumeWishes, VolumeError} from '../../contract/volume-wishes.ts';
import type {VolumeWish} from '../../contract/volume-wishes.ts';
import {Refusal} from '../refusal.ts';
import type {Database} from '../store/database.ts';
import {findVolume, insertMount, instancesWith} from '../store/volumes.ts';
import {addVolume, readRoom, refuseTooLarge} from './volumes.ts';
import type {Room} from './volumes.ts';

/** Facts of a new instance that its volumes depend on. */
export type VolumeOrder = {
	/** As it was sent. */
	readonly volumeInfo: Readonly<Record<string, unknown>> | undefined;
	readonly env: Env;
	readonly accountId: number;
	readonly machineId: number;
	/** Machines of their own take no volumes. */
	readonly isVm: boolean;
	/** Disk of the instance itself on the machine. */
	readonly diskGb: number;
	readonly now: number;
};

/** Volumes that an instance can have. */
export type VolumePlan = {readonly accountId: number; readonly mounts: readonly PlannedMount[]};

type PlannedMount = {readonly path: string} & (
	| {readonly volumeId: number}
	| {readonly room: Room; readonly sizeGb: number; readonly name: string | undefined}
);

/**
 * Checks which volumes an instance is to have, before anything of it is made or charged. Call it in
 * the transaction that makes the instance.
 *
 * @throws Refusal where one cannot be had.
 */
export async function planVolumes(database: Database, order: VolumeOrder): Promise<VolumePlan> {
	const wishes = readWishes(order);
	if (order.isVm && wishes.length > 0) throw refuse('VMs take no volumes');
	const mounts: PlannedMount[] = [];
	for (const wish of wishes) mounts.push(await planMount(database, wish, order));
	return {accountId: order.accountId, mounts};
}

/** Makes what was planned, for an instance that was inserted in the same transaction. */
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

function readWishes({volumeInfo, env}: VolumeOrder): readonly VolumeWish[] {
	try {
		return readVolumeWishes(volumeInfo, env);
	} catch (cause) {
		if (!(cause instanceof VolumeError)) throw cause;
		throw refuse(cause.message, cause);
	}
}

async function planMount(
	database: Database,
	wish: VolumeWish,
	order: VolumeOrder,
): Promise<PlannedMount> {
	if ('offerId' in wish) return planNew(database, wish, order);
	const {accountId, machineId} = order;
	const volume = await findVolume(database, {id: wish.volumeId, accountId});
	if (volume === undefined) throw refuse(`There is no volume ${wish.volumeId}.`);
	if (volume.machine_id !== machineId) {
		throw refuse(
			`Volume ${volume.id} is on machine ${volume.machine_id}, and the offer on machine ${machineId}.`,
		);
	}
	const [holder] = await instancesWith(database, volume.id);
	if (holder !== undefined) {
		throw refuse(`Volume ${volume.id} is in use: instance ${holder} has it.`);
	}
	return wish;
}

type NewWish = Extract<VolumeWish, {readonly offerId: number}>;

async function planNew(
	database: Database,
	{path, offerId, sizeGb, name}: NewWish,
	{machineId, diskGb, now}: VolumeOrder,
): Promise<PlannedMount> {
	const room = await readRoom(database, offerId, now);
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

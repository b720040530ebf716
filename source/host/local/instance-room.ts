/** The room of an instance. */
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {devicesOf} from '../machine/devices.ts';
import type {MakeRoom} from '../rooms/choose-room.ts';
import {instanceEnv} from '../rooms/instance-env.ts';
import {mountPlaces} from '../rooms/mount-places.ts';
import type {Room, RoomPlan} from '../rooms/room.ts';
import {HOME} from '../rooms/sandbox-walls.ts';
import type {Around, Instance} from './instance.ts';
import {note} from './log-files.ts';
import {withDoor} from './ports.ts';
import type {Site} from './site.ts';
import {linkInside, linkVolumes, mountsOf} from './volumes.ts';
import type {Mounts} from './volumes.ts';

/** Its room, with all that is known of it at this moment. */
export async function roomOf(
	{folder, address, makeRoom, serviceUrl, gpus}: Around,
	{site, record, work}: Instance,
	joins?: number,
): Promise<Room> {
	if (work === undefined) throw new Error('it was not started yet');
	const {gpu_ids: gpuIds = []} = work;
	const volumes = await mountsOf(folder, work);
	const isApart = isSandbox(makeRoom);
	const ports = withDoor(record.ports, record.port === 0 ? undefined : record.port);
	const dataFolder = isApart ? '/workspace' : join(site.home, 'workspace');
	const surroundings = {ports, dataFolder, serviceUrl, seesAllGpus: !isApart};
	const [name = '', value = ''] = record.mark.split('=');
	if (!isApart) {
		await mkdir(dataFolder, {recursive: true});
		await linkVolumes(site.home, volumes);
	}
	const plan: RoomPlan = {
		folder: site.home,
		hostName: `instance-${work.instance_id}`,
		env: instanceEnv(work, address, surroundings),
		marks: {[name]: value},
		...(isApart && {writable: writableOf(site)}),
		mounts: volumes,
		devices: devicesOf(gpus, gpuIds),
		...(joins !== undefined && {joins}),
	};
	return makeRoom(plan);
}

function writableOf({temporary, workspace}: Site): Mounts {
	return [
		{folder: temporary, path: '/tmp'},
		{folder: workspace, path: '/workspace'},
	];
}

/** Makes the links to volumes of a sandbox in which nothing runs, and notes where one has no place. */
export async function linkMounts(
	{folder, makeRoom}: Around,
	{site, work}: Instance,
): Promise<void> {
	if (work === undefined || !isSandbox(makeRoom)) return;
	const written = [{folder: site.home, path: HOME}, ...writableOf(site)];
	for (const link of mountPlaces(written, await mountsOf(folder, work)).links) {
		if (await linkInside(link)) continue;
		await note(site, `the volume for ${link.path} is at ${link.target}: its place is taken`);
	}
}

/** Whether rooms of a kind have walls. */
export function isSandbox(makeRoom: MakeRoom): boolean {
	return makeRoom({folder: '/', hostName: '', env: {}, mounts: []}).isolation === 'sandbox';
}

/** The room of an instance. */
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {devicesOf} from '../machine/devices.ts';
import type {MakeRoom} from '../rooms/choose-room.ts';
import {instanceEnv} from '../rooms/instance-env.ts';
import type {Room, RoomPlan} from '../rooms/room.ts';
import type {Around, Instance} from './instance.ts';
import {withDoor} from './ports.ts';
import {linkVolumes, mountsOf} from './volumes.ts';

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
	const own = [
		{folder: site.temporary, path: '/tmp'},
		{folder: site.workspace, path: '/workspace'},
	];
	if (!isApart) {
		await mkdir(dataFolder, {recursive: true});
		await linkVolumes(site.home, volumes);
	}
	const plan: RoomPlan = {
		folder: site.home,
		hostName: `instance-${work.instance_id}`,
		env: {...instanceEnv(work, address, surroundings), [name]: value},
		mounts: [...(isApart ? own : []), ...volumes],
		devices: devicesOf(gpus, gpuIds),
		...(joins !== undefined && {joins}),
	};
	return makeRoom(plan);
}

/** Whether rooms of a kind have walls. */
export function isSandbox(makeRoom: MakeRoom): boolean {
	return makeRoom({folder: '/', hostName: '', env: {}, mounts: []}).isolation === 'sandbox';
}

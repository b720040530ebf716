/** The room of an instance. */
import {mkdir, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import type {Work} from '../../contract/host-work.ts';
import {rentedShare} from './rented-share.ts';
import {networkCalls} from './network-calls.ts';
import {writeNetworkSettings} from './own-network.ts';
import type {HeldNetwork} from './own-network.ts';
import type {MakeRoom} from './choose-room.ts';
import {instanceEnv} from './instance-env.ts';
import {mountPlaces} from './mount-places.ts';
import type {Room, RoomNetwork, RoomPlan} from './room.ts';
import {HOME} from './sandbox-walls.ts';
import type {Around, Instance} from '../instance/instance.ts';
import {note} from '../instance/log-files.ts';
import {withDoor} from '../instance/ports.ts';
import {foldersOf} from '../instance/site.ts';
import type {Site} from '../instance/site.ts';
import {linkInside, linkVolumes, mountsOf} from './volumes.ts';
import type {Mounts} from './volumes.ts';

/** Its room, with all that is known of it at this moment. */
export async function roomOf(around: Around, instance: Instance, joins?: number): Promise<Room> {
	const {site, record, work, gpus} = instance;
	const {address, makeRoom, serviceUrl} = around;
	if (work === undefined) throw new Error('it was not started yet');
	const {home, ...written} = await foldersOf(site);
	const volumes = await mountsOf(around, work);
	const isApart = isSandbox(makeRoom);
	const ports = withDoor(record.ports, record.port === 0 ? undefined : record.port);
	const dataFolder = isApart ? '/workspace' : join(home, 'workspace');
	const surroundings = {
		ports,
		dataFolder,
		serviceUrl,
		...(!isApart && {visibleGpus: gpus.visible}),
	};
	const [name = '', value = ''] = record.mark.split('=');
	if (!isApart) {
		await mkdir(dataFolder, {recursive: true});
		await linkVolumes(home, volumes);
	}
	const plan: RoomPlan = {
		folder: home,
		hostName: `instance-${work.instance_id}`,
		env: instanceEnv(work, address, surroundings),
		marks: {[name]: value},
		...(isApart && {writable: writableOf(written)}),
		mounts: volumes,
		devices: gpus.devices,
		...(await limitsOf(around, instance, work)),
		...(joins !== undefined && {joins}),
	};
	return makeRoom(plan);
}

/** What keeps it within what it has rented, and out of networks that are not its own. */
async function limitsOf(
	{bounding, network: tools}: Around,
	{site, record: {groups}, network}: Instance,
	work: Work,
): Promise<Partial<RoomPlan>> {
	const own = network === undefined ? 'none' : await roomNetwork(site, network);
	return {
		groups,
		...(tools !== undefined && {network: own}),
		...(bounding !== undefined && {
			sharedMemoryBytes: rentedShare(bounding.machine, work).sharedMemoryBytes,
		}),
	};
}

async function roomNetwork({own}: Site, {entrance}: HeldNetwork): Promise<RoomNetwork> {
	const folder = await realpath(own);
	return {entrance, settings: await writeNetworkSettings(folder), ...networkCalls(folder)};
}

function writableOf({temporary, workspace}: Pick<Site, 'temporary' | 'workspace'>): Mounts {
	return [
		{folder: temporary, path: '/tmp'},
		{folder: workspace, path: '/workspace'},
	];
}

/** Makes the links to volumes of a sandbox in which nothing runs, and notes where one has no place. */
export async function linkMounts(around: Around, {site, work}: Instance): Promise<void> {
	if (work === undefined || !isSandbox(around.makeRoom)) return;
	const folders = await foldersOf(site);
	const written = [{folder: folders.home, path: HOME}, ...writableOf(folders)];
	for (const link of mountPlaces(written, await mountsOf(around, work)).links) {
		if (await linkInside(link)) continue;
		await note(site, `the volume for ${link.path} is at ${link.target}: its place is taken`);
	}
}

/** Whether rooms of a kind have walls. */
export function isSandbox(makeRoom: MakeRoom): boolean {
	return makeRoom({folder: '/', hostName: '', env: {}, mounts: []}).isolation === 'sandbox';
}

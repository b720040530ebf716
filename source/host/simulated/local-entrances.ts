/** Rooms on this machine: a folder for each instance, and a door that OpenSSH opens. */
import {mkdir, realpath, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Work} from '../../contract/nouns/host-work.ts';
import {accessOf, askedPorts, type Ports} from '../instance/ports.ts';
import {removeFiles, siteIn} from '../instance/site.ts';
import {newRecord, readRecord, writeRecord} from '../instance/record.ts';
import type {Entrances} from './access.ts';
import type {Door} from '../ssh/door.ts';
import {openInstanceDoor} from '../ssh/entrance.ts';
import {makeFolders, seenFolders} from '../sandbox/folders.ts';
import {instanceEnv} from '../sandbox/instance-env.ts';
import {folderInside, type Inside} from '../inside/inside.ts';
import {isSandbox, type MakeRoom} from '../sandbox/choose-room.ts';

export type EntranceOptions = {
	/** Everything of the instances lies in here, in folders of their own. */
	readonly folder: string;
	/** Address to listen on. */
	readonly address: string;
	/** Chooser of the kind of room; it is called once. */
	readonly chooseRoom: () => Promise<MakeRoom>;
};

/** A door, and the ports of this machine that lead to the same ones inside. */
type Entrance = {readonly door: Door; readonly inside: Inside; readonly ports: Ports};

export function localEntrances({folder, address, chooseRoom}: EntranceOptions): Entrances {
	const doors = new Map<number, Promise<Entrance>>();
	let chosen: Promise<MakeRoom> | undefined;

	const volumeIn = (id: number) => join(folder, 'volumes', String(id));

	async function enter(work: Work): Promise<Entrance> {
		chosen ??= chooseRoom();
		const own = join(folder, String(work.instance_id));
		const opened = await openRoom(work, {own, address}, await chosen);
		return {...opened, ports: await askedPorts(work)};
	}

	async function shut(instanceId: number): Promise<void> {
		const entrance = doors.get(instanceId);
		doors.delete(instanceId);
		// One that could not be opened need not be closed.
		await (await entrance?.catch(() => undefined))?.door.close();
	}

	return {
		async open(work) {
			const {instance_id: id} = work;
			const opening = doors.get(id) ?? enter(work);
			doors.set(id, opening);
			try {
				const {door, ports} = await opening;
				door.admit(work.public_keys ?? []);
				// The same door serves both ways in: nothing stands between this machine and whoever enters.
				return accessOf(address, door.port, ports);
			} catch (error) {
				doors.delete(id);
				throw error;
			}
		},
		admit({instance_id: id, public_keys: keys = []}) {
			void doors.get(id)?.then(
				({door}) => door.admit(keys),
				() => undefined,
			);
		},
		files: {
			address,
			async inside(place) {
				if ('volume_id' in place) return folderInside(await keep(volumeIn(place.volume_id)));
				const entrance = await doors.get(place.instance_id);
				if (entrance === undefined) {
					throw new Error(`instance ${place.instance_id} does not run`);
				}
				return entrance.inside;
			},
		},
		keepVolume: async id => void (await keep(volumeIn(id))),
		removeVolume: async id => rm(volumeIn(id), {recursive: true, force: true}),
		shut,
		async remove(instanceId, keepsKey = false) {
			await shut(instanceId);
			const own = join(folder, String(instanceId));
			await removeFiles(siteIn(own), keepsKey);
		},
		async close() {
			await Promise.all([...doors.keys()].map(shut));
		},
	};
}

/** Makes a folder where there is none. */
async function keep(folder: string): Promise<string> {
	await mkdir(folder, {recursive: true, mode: 0o700});
	return realpath(folder);
}

type Site = Pick<EntranceOptions, 'address'> & {
	/** All that there is of the instance lies in here. */
	readonly own: string;
};

/** Opens the door of an instance's room, the same as before where it had one. */
async function openRoom(
	work: Work,
	{own, address}: Site,
	makeRoom: MakeRoom,
): Promise<Pick<Entrance, 'door' | 'inside'>> {
	const site = siteIn(own);
	const found = await readRecord(site.record);
	// A key is told of what is new: another one's was left by an instance of a market that is no more.
	const isOther = typeof work.api_key === 'string' && work.api_key !== found?.apiKey;
	if (isOther) await rm(own, {recursive: true, force: true});
	await makeFolders(site, undefined);
	const {dataFolder, ...folders} = await seenFolders(site, isSandbox(makeRoom));
	const record = (isOther ? undefined : found) ?? newRecord(work.api_key);
	const {apiKey} = record;
	// The key is kept before anything is opened: it is told once.
	await writeRecord(site.record, record);
	const room = makeRoom({
		...folders,
		hostName: `instance-${work.instance_id}`,
		env: instanceEnv({...work, api_key: apiKey}, address, {dataFolder}),
		mounts: [],
	});
	const {door, hostKey} = await openInstanceDoor({
		hostKey: record.hostKey,
		port: record.port === 0 ? (work.ssh_port ?? 0) : record.port,
		address,
		inside: room,
		instanceId: work.instance_id,
		keys: work.public_keys ?? [],
	});
	await writeRecord(site.record, {...record, hostKey, port: door.port});
	return {door, inside: room};
}

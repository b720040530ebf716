/** Instances on this machine: a folder for each, and an SSH server that leads into it. */
import {mkdir, realpath, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Work} from '../../contract/nouns/host-work.ts';
import {accessOf, askedPorts, type Ports} from '../instance/ports.ts';
import {createPortChoice, type PortChoice} from '../machine/port-choice.ts';
import {removeFiles, siteIn} from '../instance/site.ts';
import {newRecord, readRecord, writeRecord} from '../instance/record.ts';
import type {Entrances} from './access.ts';
import {writeGpuTool} from './gpu-tool.ts';
import type {SshServer} from '../ssh/server.ts';
import {openInstanceServer} from '../ssh/entrance.ts';
import {makeFolders, seenFolders} from '../sandbox/folders.ts';
import {instanceEnv} from '../sandbox/instance-env.ts';
import {folderInside, type Inside} from '../inside/inside.ts';
import {isSandbox, type MakeInside} from '../sandbox/choose-inside.ts';

export type EntranceOptions = {
	/** Folder of the instances' folders. */
	readonly folder: string;
	/** Address to listen on. */
	readonly address: string;
	/** Chooses the inside of instances; called once. */
	readonly chooseInside: () => Promise<MakeInside>;
};

/** An SSH server, and the ports of this machine that lead to the same ones inside. */
type Entrance = {readonly sshServer: SshServer; readonly inside: Inside; readonly ports: Ports};

export function localEntrances({folder, address, chooseInside}: EntranceOptions): Entrances {
	const entrances = new Map<number, Promise<Entrance>>();
	const portChoice = createPortChoice({listen: address});
	let chosen: Promise<MakeInside> | undefined;

	const volumeIn = (id: number) => join(folder, 'volumes', String(id));

	async function enter(work: Work): Promise<Entrance> {
		chosen ??= chooseInside();
		const own = join(folder, String(work.instance_id));
		const opened = await openInside(work, {own, address, portChoice}, await chosen);
		return {...opened, ports: await askedPorts(work, portChoice.freePortOf(own))};
	}

	async function shut(instanceId: number): Promise<void> {
		const entrance = entrances.get(instanceId);
		entrances.delete(instanceId);
		// An entrance that failed to open has no server.
		await (await entrance?.catch(() => undefined))?.sshServer.close();
	}

	return {
		async open(work) {
			const {instance_id: id} = work;
			const opening = entrances.get(id) ?? enter(work);
			entrances.set(id, opening);
			try {
				const {sshServer, ports} = await opening;
				sshServer.admit(work.public_keys ?? []);
				// The server is reached directly, so both routes of SSH have the same port.
				return accessOf({address}, sshServer.port, ports);
			} catch (error) {
				entrances.delete(id);
				throw error;
			}
		},
		admit({instance_id: id, public_keys: keys = []}) {
			void entrances.get(id)?.then(
				({sshServer}) => sshServer.admit(keys),
				() => undefined,
			);
		},
		files: {
			address,
			async inside(place) {
				if ('volume_id' in place) return folderInside(await keep(volumeIn(place.volume_id)));
				const entrance = await entrances.get(place.instance_id);
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
			portChoice.release(own);
			await removeFiles(siteIn(own), keepsKey);
		},
		close: async () => void (await Promise.all([...entrances.keys()].map(shut))),
	};
}

/** Makes a folder if missing, and returns its real path. */
async function keep(folder: string): Promise<string> {
	await mkdir(folder, {recursive: true, mode: 0o700});
	return realpath(folder);
}

type Site = Pick<EntranceOptions, 'address'> & {
	/** Folder of the instance. */
	readonly own: string;
	readonly portChoice: PortChoice;
};

/** Opens the SSH server of an instance, with its earlier key and port if it had one. */
async function openInside(
	work: Work,
	{own, address, portChoice}: Site,
	makeInside: MakeInside,
): Promise<Pick<Entrance, 'sshServer' | 'inside'>> {
	const site = siteIn(own);
	const found = await readRecord(site.record);
	// The market sends an API key for a new instance: other files are left from an earlier market.
	const isOther = typeof work.api_key === 'string' && work.api_key !== found?.apiKey;
	if (isOther) await rm(own, {recursive: true, force: true});
	await makeFolders(site, undefined);
	const {dataFolder, ...folders} = await seenFolders(site, isSandbox(makeInside));
	await writeGpuTool(folders.folder, work);
	const record = (isOther ? undefined : found) ?? newRecord(work.api_key);
	const {apiKey} = record;
	// The API key is saved first, for the market sends it once.
	await writeRecord(site.record, record);
	const inside = makeInside({
		...folders,
		hostName: `instance-${work.instance_id}`,
		env: instanceEnv({...work, api_key: apiKey}, address, {dataFolder}),
		mounts: [],
	});
	const {sshServer, hostKey} = await openInstanceServer({
		hostKey: record.hostKey,
		port: record.port === 0 ? (work.ssh_port ?? 0) : record.port,
		freePort: portChoice.freePortOf(own),
		address,
		inside,
		instanceId: work.instance_id,
		keys: work.public_keys ?? [],
	});
	await writeRecord(site.record, {...record, hostKey, port: sshServer.port});
	return {sshServer, inside};
}

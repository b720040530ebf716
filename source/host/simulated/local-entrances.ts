/** Instances on this machine: a folder for each, and an SSH server that enters it. */
import {mkdir, readdir, realpath, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {VolumeWork, Work} from '../../contract/nouns/host-work.ts';
import {makeAccess, askedPorts, type Ports} from '../instance/ports.ts';
import {createPortChoice} from '../machine/port-choice.ts';
import {idsIn, removeFiles, siteIn} from '../instance/site.ts';
import {newRecord, readRecord, writeRecord} from '../instance/record.ts';
import {volumeSerialsIn} from '../base/serials.ts';
import type {Entrances} from './access.ts';
import {writeGpuTool} from './gpu-tool.ts';
import {insideAgain, openLocalInside, type LocalSite} from './local-inside.ts';
import {runOnstart, type WriteLogLine} from './onstart.ts';
import type {SshServer} from '../ssh/server.ts';
import {openInstanceServer} from '../ssh/entrance.ts';
import {runFileCommand} from '../sandbox/file-command.ts';
import {folderInside, type Inside} from '../inside/inside.ts';
import type {MakeInside} from '../sandbox/choose-inside.ts';

type EntranceOptions = {
	readonly folder: string;
	/** Address to listen on. */
	readonly address: string;
	/** Chooses the inside of instances; called once. */
	readonly chooseInside: () => Promise<MakeInside>;
};

/** An SSH server, and the ports of this machine that forward to the same ones inside. */
type Entrance = {
	readonly sshServer: SshServer;
	readonly inside: Inside;
	readonly ports: Ports;
	readonly endOnstart: () => Promise<void>;
};

export function localEntrances({folder, address, chooseInside}: EntranceOptions): Entrances {
	const entrances = new Map<number, Promise<Entrance>>();
	const underWay = new Set<Promise<void>>();
	const portChoice = createPortChoice({listen: address});
	const volumes = volumesIn(folder);
	let chosen: Promise<MakeInside> | undefined;

	async function findSite({instance_id: id}: Work): Promise<LocalSite> {
		chosen ??= chooseInside();
		return {own: join(folder, String(id)), address, makeInside: await chosen};
	}

	async function enter(work: Work, say: WriteLogLine): Promise<Entrance> {
		const site = await findSite(work);
		const freePort = portChoice.freePortOf(site.own);
		const {sshServer, inside, record} = await openInside(work, site, freePort);
		try {
			await writeRecord(siteIn(site.own).record, record);
			const ports = await askedPorts(work, freePort);
			return {sshServer, inside, ports, endOnstart: runOnstart(work, inside, say)};
		} catch (error) {
			await sshServer.close();
			throw error;
		}
	}

	async function shut(instanceId: number): Promise<void> {
		const entrance = entrances.get(instanceId);
		entrances.delete(instanceId);
		const opened = await entrance?.catch(() => undefined);
		await Promise.all([opened?.sshServer.close(), opened?.endOnstart()]);
	}

	async function remove(instanceId: number, keepsKey: boolean): Promise<void> {
		await shut(instanceId);
		const own = join(folder, String(instanceId));
		portChoice.release(own);
		await removeFiles(siteIn(own), keepsKey);
	}

	/** Runs an action that closing waits for. */
	async function held(action: Promise<void>): Promise<void> {
		underWay.add(action);
		await action.finally(() => underWay.delete(action));
	}

	return {
		async open(work, say) {
			const {instance_id: id} = work;
			const opening = entrances.get(id) ?? enter(work, say);
			entrances.set(id, opening);
			try {
				const {sshServer, ports} = await opening;
				sshServer.admit(work.public_keys ?? []);
				// The server is reached directly, so both routes of SSH have the same port.
				return makeAccess({address}, sshServer.port, ports);
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
		async execute(work, command) {
			return runFileCommand(await insideAgain(work, await findSite(work)), command);
		},
		files: {
			address,
			async inside(place) {
				if ('volume_id' in place) return folderInside(await volumes.keep(place));
				const entrance = await entrances.get(place.instance_id);
				if (entrance !== undefined) return entrance.inside;
				throw new Error(`instance ${place.instance_id} does not run`);
			},
		},
		keepVolume: async volume => void (await volumes.keep(volume)),
		removeVolume: volumes.remove,
		listVolumes: volumes.list,
		shut: async instanceId => held(shut(instanceId)),
		remove: async (instanceId, keepsKey = false) => held(remove(instanceId, keepsKey)),
		async close() {
			await Promise.all([...entrances.keys()].map(shut));
			await Promise.allSettled(underWay);
		},
	};
}

function volumesIn(folder: string) {
	const all = join(folder, 'volumes');
	const volumeFolder = (id: number) => join(all, String(id));
	const serials = volumeSerialsIn(folder, async id =>
		rm(volumeFolder(id), {recursive: true, force: true}),
	);
	return {
		/** Makes the folder of a volume if missing, and returns its real path. */
		async keep(volume: Pick<VolumeWork, 'volume_id' | 'serial'>): Promise<string> {
			const id = volume.volume_id;
			await serials.replaceOther(volume);
			await mkdir(volumeFolder(id), {recursive: true, mode: 0o700});
			return realpath(volumeFolder(id));
		},
		remove: serials.remove,
		list: async () => idsIn(await readdir(all).catch(() => [])),
	};
}

/** Opens the SSH server of an instance, with its earlier key and port if it had one, as in its record. */
async function openInside(work: Work, local: LocalSite, freePort: () => Promise<number>) {
	const {own, address} = local;
	const site = siteIn(own);
	const found = await readRecord(site.record);
	// The market sends an API key for a new instance: other files are left from an earlier market.
	const isOther = typeof work.api_key === 'string' && work.api_key !== found?.apiKey;
	if (isOther) await rm(own, {recursive: true, force: true});
	const record = (isOther ? undefined : found) ?? newRecord(work.api_key);
	const inside = await openLocalInside(work, local, record.apiKey);
	await writeGpuTool(inside.outside(inside.home) ?? '', work);
	// The API key is saved first, because the market sends it only once.
	await writeRecord(site.record, record);
	const {sshServer, hostKey} = await openInstanceServer({
		hostKey: record.hostKey,
		port: record.port === 0 ? (work.ssh_port ?? 0) : record.port,
		freePort,
		address,
		inside,
		instanceId: work.instance_id,
		keys: work.public_keys ?? [],
	});
	return {sshServer, inside, record: {...record, hostKey, port: sshServer.port}};
}

/**
 * A runtime whose instances are containers of Docker or Podman. They go on when the host's agent
 * ends, and are found again by their labels. SSH leads into them: a session is a command that the
 * engine runs inside, and files are read and written on the volumes of the instance.
 */
import {mkdirSync, realpathSync} from 'node:fs';
import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Task, Work} from '../../contract/host-work.ts';
import {sharedMachine} from '../sandbox/rented-share.ts';
import type {Shared} from '../sandbox/rented-share.ts';
import {readLog} from '../instance/log-files.ts';
import {siteOf} from '../instance/site.ts';
import type {Site} from '../instance/site.ts';
import type {Held, OpenRuntime, Runtime} from '../runtime.ts';
import {backgroundScheduler} from '../scheduler.ts';
import {adoptContainers} from './adoption.ts';
import {
	keepVolume,
	readContainerLog,
	removeContainer,
	removeVolume,
	stopContainer,
} from './container-calls.ts';
import {measuring} from '../machine/loads.ts';
import type {MeasureGpus} from '../machine/loads.ts';
import {readContainerRecord, writeContainerRecord} from './container-record.ts';
import type {Engine} from './engine.ts';
import {noGpus} from '../machine/machine-gpus.ts';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import {noMeans} from './means.ts';
import type {Means} from './means.ts';
import {listNetworks, removeNetwork} from './networks.ts';
import {runFileCommand} from './file-commands.ts';
import {beginLife, endLife} from './life.ts';
import type {Life} from './life.ts';
import {keepTraffic} from './measuring.ts';
import {createRounds} from './rounds.ts';
import {
	containerName,
	INSTANCE_LABEL,
	labelsOf,
	ownLabel,
	ownVolumes,
	volumeName,
} from './world.ts';
import type {World} from './world.ts';

export type ContainerOptions = {
	/** It is closed with the runtime. */
	readonly engine: Engine;
	/** What the host keeps of its instances lies in here. Hosts that share an engine have one each. */
	readonly folder: string;
	/** Which of the machine's addresses instances are reached at. */
	readonly address: string;
	/** @default noGpus */
	readonly machineGpus?: MachineGpus;
	/** @default nothing is known of GPUs */
	readonly measureGpus?: MeasureGpus;
	/** Where an instance's own key is good for something; it must be reached from inside. */
	readonly serviceUrl?: string | undefined;
	/**
	 * Whether the engine is asked to limit what is written to a container's own disk. The volumes at
	 * `/root` and `/workspace` have no limit: what they take is measured.
	 *
	 * @default true
	 */
	readonly limitsDisk?: boolean;
	/**
	 * What instances share, by the GPUs that they rent.
	 *
	 * @default this machine
	 */
	readonly machine?: Shared;
	/**
	 * What of a machine's means to keep instances apart are there: `findMeans` finds out.
	 *
	 * @default none
	 */
	readonly means?: Means;
	/**
	 * Whether renters may have images that were made on this machine, by their number as well, and
	 * those of registries that only this machine or its network reaches.
	 *
	 * @default false
	 */
	readonly allowsLocalImages?: boolean;
	/**
	 * Takes lines for whoever runs the host.
	 *
	 * @default nowhere
	 */
	readonly log?: (line: string) => void;
};

export function containerRuntime(options: ContainerOptions): OpenRuntime {
	const {engine, address, machineGpus = noGpus, serviceUrl, limitsDisk = true} = options;
	const {measureGpus = measuring('none'), allowsLocalImages = false} = options;
	const {
		log = () => undefined,
		means = noMeans,
		machine = sharedMachine(machineGpus.names.length),
	} = options;
	mkdirSync(options.folder, {recursive: true, mode: 0o700});
	const folder = realpathSync(options.folder);
	return tell => {
		const scheduler = backgroundScheduler;
		const common = {engine, folder, address, machineGpus, measureGpus, serviceUrl, limitsDisk};
		const rules = {...means, machine, allowsLocalImages, log};
		const world: World = {...common, ...rules, tell, scheduler, random: Math.random};
		return openContainers(world);
	};
}

function openContainers(world: World): Runtime {
	const {engine} = world;
	const lives = new Map<number, Life>();
	const rounds = createRounds(world, lives);

	async function end(instanceId: number): Promise<void> {
		const life = lives.get(instanceId);
		if (life === undefined) return;
		await endLife(life);
		await keepTraffic(world, life);
		lives.delete(instanceId);
	}

	async function remove(instanceId: number, keepsKey = false): Promise<void> {
		await end(instanceId);
		await removeContainer(engine, containerName(world, instanceId));
		await removeBelongings(world, instanceId);
		await removeFiles(siteOf(world.folder, instanceId), keepsKey);
	}

	function begin(work: Work): void {
		lives.set(work.instance_id, beginLife(world, work));
		rounds.begin(work.machine_id);
	}

	return {
		async adopt(all) {
			const held = await adoptContainers(world, all, begin);
			await clearRemains({world, held, remove}, all);
			return held;
		},
		async start(work) {
			await end(work.instance_id);
			begin(work);
		},
		async refresh(work) {
			const life = lives.get(work.instance_id);
			if (life === undefined) return;
			life.work = work;
			life.door?.admit(work.public_keys ?? []);
		},
		async stop(instanceId) {
			await end(instanceId);
			await stopContainer(engine, containerName(world, instanceId));
			await noteStop(siteOf(world.folder, instanceId).record);
		},
		remove,
		keepVolume: async ({volume_id: id}) =>
			keepVolume(engine, volumeName(world, id), labelsOf(world)),
		removeVolume: async id => removeVolume(engine, volumeName(world, id)),
		logs: async task => logsOf(world, task),
		execute: async ({instance_id: id, command = ''}) => runFileCommand(world, id, command),
		unwell: rounds.unwell,
		async close() {
			rounds.end();
			for (const life of lives.values()) await endLife(life);
			await engine.close();
		},
	};
}

/** What an engine keeps of an instance beside its container. */
async function removeBelongings(world: World, instanceId: number): Promise<void> {
	for (const {name} of ownVolumes(world, instanceId)) await removeVolume(world.engine, name);
	await removeNetwork(world.engine, containerName(world, instanceId));
}

/** The key of an instance is in its record, whose other fields are those of a container that is gone. */
async function removeFiles({own, record}: Site, keepsKey: boolean): Promise<void> {
	const names = await readdir(own).catch(() => []);
	const files = keepsKey ? names.map(name => join(own, name)) : [own];
	for (const file of files.filter(path => path !== record)) {
		await rm(file, {recursive: true, force: true});
	}
}

async function noteStop(file: string): Promise<void> {
	const record = await readContainerRecord(file);
	if (record !== undefined) await writeContainerRecord(file, {...record, isStarted: false});
}

type Clearing = {
	readonly world: World;
	readonly held: ReadonlyMap<number, Held>;
	readonly remove: (instanceId: number) => Promise<void>;
};

/** What was begun for instances that are gone, and had no container yet when the agent ended. */
async function clearRemains({world, held, remove}: Clearing, all: readonly Work[]): Promise<void> {
	const wanted = new Set(all.filter(work => work.wanted !== 'gone').map(work => work.instance_id));
	const names = await readdir(join(world.folder, 'instances')).catch(() => []);
	const networks = await listNetworks(world.engine, ownLabel(world));
	const left = [...names, ...networks.map(labels => String(labels[INSTANCE_LABEL]))];
	for (const name of new Set(left)) {
		const id = Number(name);
		if (/^\d+$/.test(name) && !held.has(id) && !wanted.has(id)) await remove(id);
	}
}

/** As many lines as are shown when nobody says how many, and as are looked through for a text. */
const USUAL_TAIL = 1000;
const LOOKED_THROUGH = 20_000;

async function logsOf(world: World, task: Task): Promise<string> {
	const {instance_id: id, filter = '', tail = USUAL_TAIL} = task;
	if (task.daemon_logs === true) return readLog(siteOf(world.folder, id), task);
	if (tail <= 0) return '';
	const count = filter === '' ? tail : LOOKED_THROUGH;
	const text = await readContainerLog(world.engine, containerName(world, id), count);
	const lines = text
		.split('\n')
		.filter((line, index, all) => line !== '' || index < all.length - 1);
	const fitting = lines.filter(line => line.includes(filter)).slice(-tail);
	return fitting.map(line => `${line}\n`).join('');
}

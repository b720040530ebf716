/**
 * A runtime whose instances are rooms of this machine: a folder and processes each. What runs goes
 * on without this program, and is found again by what is kept in files.
 */
import type {Task, Work} from '../../contract/host-work.ts';
import {groupFolders} from './bounding.ts';
import type {Bounding} from './bounding.ts';
import {removeGroups} from './control-groups.ts';
import {closeDisk} from './disk-images.ts';
import type {MeasureGpus} from '../machine/loads.ts';
import {noGpus} from '../machine/machine-gpus.ts';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import type {NetworkTools} from './own-network.ts';
import type {MakeRoom} from './choose-room.ts';
import type {Held, OpenRuntime, Runtime, Tell} from '../runtime.ts';
import {backgroundScheduler} from '../scheduler.ts';
import type {Scheduler} from '../scheduler.ts';
import {adoptInstance} from './adopting.ts';
import {runFileCommand} from './file-commands.ts';
import {
	closeDoor,
	endInstance,
	instanceAt,
	keep,
	newRecord,
	stopInstance,
} from '../instance/instance.ts';
import type {Around, Instance} from '../instance/instance.ts';
import {roomOf} from './instance-room.ts';
import {instancesIn} from './leftovers.ts';
import {readLog} from '../instance/log-files.ts';
import {readRecord} from '../instance/record.ts';
import {beginRounds} from '../instance/rounds.ts';
import {hasRecordAlone, removeFiles, siteOf} from '../instance/site.ts';
import {startInstance} from './starting.ts';
import {makeVolume, removeVolume} from './volumes.ts';

export type LocalOptions = {
	/** Everything of the instances and volumes lies in here. It must exist, and belong to no other agent. */
	readonly folder: string;
	/** Which of the machine's addresses instances are entered by. */
	readonly address: string;
	readonly makeRoom: MakeRoom;
	/** Where instances find the service that they belong to. */
	readonly serviceUrl?: string;
	/**
	 * Whether what runs is ended when the runtime is closed, and started again by the next.
	 *
	 * @default false
	 */
	readonly endsOnClose?: boolean;
	/**
	 * How long what is asked to end may take before it is killed.
	 *
	 * @default 10_000
	 */
	readonly graceMs?: number;
	/** @default instances are limited by nothing */
	readonly bounding?: Bounding;
	/** @default instances share the network of the machine */
	readonly network?: NetworkTools;
	/** @default noGpus */
	readonly gpus?: MachineGpus;
	/** @default nothing is known of GPUs */
	readonly measureGpus?: MeasureGpus;
	/**
	 * Takes lines for whoever runs the host.
	 *
	 * @default nowhere
	 */
	readonly log?: (line: string) => void;
	/** @default backgroundScheduler */
	readonly scheduler?: Scheduler;
};

/** What is closed at the end may take no longer. */
const CLOSING_MS = 1000;

export function openLocal(options: LocalOptions): OpenRuntime {
	return tell => createLocal(options, tell);
}

function createLocal(options: LocalOptions, tell: Tell): Runtime {
	const {folder, measureGpus = async () => new Map(), scheduler = backgroundScheduler} = options;
	const {log = () => undefined} = options;
	const household: Household = {around: aroundOf(options, tell), instances: new Map()};
	const {around, instances} = household;
	const endRounds = beginRounds({around, instances, measureGpus, scheduler, log});
	return {
		adopt: async all => adoptAll(household, all),
		start: async work => start(household, work),
		async refresh(work) {
			const instance = instances.get(work.instance_id);
			if (instance === undefined) return;
			instance.work = {...work, api_key: work.api_key ?? instance.record.apiKey};
			instance.door?.admit(work.public_keys ?? []);
		},
		async stop(instanceId) {
			const instance = await find(household, instanceId);
			if (instance !== undefined) await stopInstance(around, instance);
		},
		remove: async (instanceId, keepsKey) => remove(household, instanceId, keepsKey),
		keepVolume: async ({volume_id: id, size}) => void (await makeVolume(around, id, size)),
		removeVolume: async id => removeVolume(folder, id),
		logs: async task => readLog((await reach(household, task)).site, task),
		async execute(task) {
			const instance = await reach(household, task);
			const room = instance.room ?? (await roomOf(around, instance));
			return runFileCommand(room, task.command ?? '');
		},
		unwell: () => new Map(),
		async close() {
			endRounds();
			await Promise.all([...instances.values()].map(async one => leave(one, options)));
		},
	};
}

type Household = {
	readonly around: Around;
	readonly instances: Map<number, Instance>;
};

async function find(
	{around, instances}: Household,
	instanceId: number,
): Promise<Instance | undefined> {
	const known = instances.get(instanceId);
	if (known !== undefined) return known;
	const site = siteOf(around.folder, instanceId);
	const record = await readRecord(site.record);
	return record === undefined ? undefined : instanceAt(site, record);
}

async function adoptAll(household: Household, all: readonly Work[]) {
	const {around, instances} = household;
	const wanted = new Map(all.map(work => [work.instance_id, work]));
	const held = new Map<number, Held>();
	for (const id of await instancesIn(around.folder)) {
		const instance = await find(household, id);
		if (instance === undefined) {
			// Of what has no record nothing was ever told: it is made anew, or goes.
			held.set(id, {boot: 0, container: 0, isStarted: false});
			continue;
		}
		const work = wanted.get(id);
		if (await hasRecordAlone(instance.site)) {
			// The agent ended between two containers: the next one finds its key in the record.
			if (work === undefined || work.wanted === 'gone') await remove(household, id);
			continue;
		}
		instances.set(id, instance);
		held.set(id, await adoptInstance(around, instance, work));
	}
	return held;
}

async function start(household: Household, work: Work): Promise<void> {
	const {around, instances} = household;
	const {instance_id: id} = work;
	const found = await find(household, id);
	const known = {...work, api_key: work.api_key ?? found?.record.apiKey};
	// Of a container before this one, the instance's own key is all that goes on.
	const instance =
		found?.record.container === work.container
			? found
			: instanceAt(siteOf(around.folder, id), await newRecord(known));
	instances.set(id, instance);
	await startInstance(around, instance, known);
}

/** @param keepsKey Whether the record stays, which has the API key of the instance. */
async function remove(household: Household, instanceId: number, keepsKey = false): Promise<void> {
	const {around, instances} = household;
	const instance = await find(household, instanceId);
	if (instance !== undefined) await endInstance(instance, around.graceMs);
	const {bounding, folder} = around;
	const named = bounding === undefined ? [] : groupFolders(bounding, folder, instanceId);
	// An agent that was killed may have made groups and kept nothing of them.
	await removeGroups([...(instance?.record.groups ?? []), ...named]);
	const site = siteOf(around.folder, instanceId);
	await closeDisk(site.disk);
	await removeFiles(site, keepsKey);
	instances.delete(instanceId);
}

function aroundOf(options: LocalOptions, tell: Tell): Around {
	const {folder, address, makeRoom, serviceUrl, graceMs = 10_000} = options;
	const {gpus = noGpus, bounding, network} = options;
	return {folder, address, makeRoom, tell, serviceUrl, graceMs, gpus, bounding, network};
}

/** Lets go of an instance that may go on, or ends it so that the next runtime starts it again. */
async function leave(instance: Instance, {endsOnClose = false}: LocalOptions): Promise<void> {
	instance.leave();
	if (!endsOnClose || instance.record.root === undefined) return closeDoor(instance);
	await endInstance(instance, CLOSING_MS);
	await keep(instance, {isStarted: false, root: undefined});
}

/** The instance that a task is about. */
async function reach(household: Household, {instance_id: id}: Task): Promise<Instance> {
	const instance = await find(household, id);
	if (instance === undefined) throw new Error('it has no container yet');
	return instance;
}

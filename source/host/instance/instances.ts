/**
 * A runtime over a driver. Instances survive the agent, and the next agent finds them by their
 * records.
 */
import {sentenceOf} from '../../contract/rules/thrown.ts';
import type {HostTask, Work} from '../../contract/nouns/host-work.ts';
import {join} from 'node:path';
import {machineStart} from '../machine/processes.ts';
import {EndsAgent, openOrders} from './orders.ts';
import type {CopiedFiles, BootState, Runtime} from '../base/runtime.ts';
import {isOther, volumeSerialsIn} from '../base/serials.ts';
import {folderInside} from '../inside/inside.ts';
import {
	reportStatus,
	type Host,
	instanceIn,
	keep,
	portHolder,
	totalTrafficOf,
	type HostInstance,
} from './instance.ts';
import {note, readLog, listInstanceIds, removeFiles} from './site.ts';
import {enterRelayed} from './relayed.ts';
import {newRecord, noTraffic} from './record.ts';
import {startRounds} from './rounds.ts';
import {createPortChoice} from '../machine/port-choice.ts';
import {begin as start, deadly, endProcesses, holdPorts, leave} from './start.ts';

const CLOSING_MS = 1000;

export function openInstances(
	given: Omit<Host, 'orders' | 'portChoice' | 'volumeSerials'>,
): Runtime {
	const orders = openOrders(join(given.folder, 'orders'), given.scheduler);
	const volumeSerials = volumeSerialsIn(given.folder, given.driver.removeVolume);
	const portChoice = createPortChoice(given.reach);
	const host: Host = {...given, orders, portChoice, volumeSerials};
	const {driver, graceMs} = host;
	const instances = new Map<number, HostInstance>();
	const rounds = startRounds(host, instances);

	async function find(id: number): Promise<HostInstance> {
		return instances.get(id) ?? instanceIn(host.folder, id);
	}

	/** The instance with the serial of its work: files of another one with its id are removed. */
	async function findOwn({instance_id: id, serial}: Work): Promise<HostInstance> {
		if (isOther((await find(id)).record.serial, serial)) await removeNow(id);
		return find(id);
	}

	function reach(id: number): HostInstance {
		const instance = instances.get(id);
		if (instance === undefined) throw new Error('it has no container yet');
		return instance;
	}

	async function adopt(wanted: readonly Work[]): Promise<ReadonlyMap<number, BootState>> {
		const works = new Map(wanted.map(work => [work.instance_id, work]));
		const held = new Map<number, BootState>();
		const all = new Set([...(await listInstanceIds(host.folder)), ...(await driver.list())]);
		for (const id of lastOnes([...all], one => orders.isSuspect(takingUp(one)))) {
			const instance = await find(id).catch(logUnreadable(host, id));
			if (instance === undefined) {
				held.set(id, unreadable(works.get(id)));
				continue;
			}
			instance.work = works.get(id);
			holdPorts(host, instance);
			const take = async () => takeUp(host, instance);
			const has = await orders.runNow(takingUp(id), take).catch(leaveAlone(host, instance));
			if (has !== undefined) {
				held.set(id, has);
				// One of an earlier renter is removed, and answers no task before that.
				if (!isOther(has.serial, instance.work?.serial)) instances.set(id, instance);
			} else if ((instance.work?.wanted ?? 'gone') === 'gone') await removeNow(id);
		}
		return held;
	}

	async function removeNow(id: number, keepsKey = false): Promise<void> {
		const instance = await find(id);
		await endProcesses(instance, async () => driver.remove(instance, graceMs));
		await removeFiles(instance.site, keepsKey);
		instances.delete(id);
		host.portChoice.release(portHolder(id));
	}

	return {
		adopt: async wanted => rounds.unwellUntil(adopt, wanted),
		async start(work) {
			const instance = await findOwn(work);
			await leave(instance);
			instances.set(work.instance_id, instance);
			prepareStart(instance, work);
			start(host, instance);
		},
		async refresh(work) {
			const instance = instances.get(work.instance_id);
			if (instance === undefined) return;
			instance.work = work;
			instance.sshServer?.admit(work.public_keys ?? []);
			await takeSerial(instance, work);
		},
		async stop(id) {
			const instance = await find(id);
			await orders.run(`stop-${id}`, async () =>
				endProcesses(instance, async () => driver.stop(instance, graceMs)),
			);
			const {record, traffic} = instance;
			if (record.container > 0) await keep(instance, {isStarted: false, startTraffic: traffic});
			await note(instance.site, `C.${id}: stopped`);
		},
		remove: async (id, keepsKey) => orders.run(`remove-${id}`, async () => removeNow(id, keepsKey)),
		...volumeCalls(host),
		async logs(task) {
			const instance = reach(task.instance_id);
			return orders.run(`task-${task.id}`, async () =>
				task.daemon_logs === true
					? readLog(instance.site.hostLog, task)
					: driver.logs(instance, task),
			);
		},
		execute: async ({id: taskId, instance_id: id, command = ''}) =>
			orders.run(`task-${taskId}`, async () => driver.execute(reach(id), command)),
		snapshot: async task => takeSnapshot(host, reach(task.instance_id), task),
		files: filesOf(host, reach),
		enter: (target, stream, from) =>
			enterRelayed(host, instances.get(target.instanceId), {target, stream, from}),
		unwell: rounds.unwell,
		async close() {
			rounds.end();
			await Promise.all([...instances.values()].map(async one => quit(host, one)));
			orders.close();
			await driver.close();
		},
	};
}

function volumeCalls({
	driver,
	orders,
	volumeSerials,
}: Host): Pick<Runtime, 'keepVolume' | 'removeVolume' | 'listVolumes'> {
	return {
		keepVolume: async volume =>
			orders.runNow(`keep-volume-${volume.volume_id}`, async () => {
				await volumeSerials.replaceOther(volume);
				await driver.keepVolume(volume);
			}),
		removeVolume: async id =>
			orders.runNow(`remove-volume-${id}`, async () => volumeSerials.remove(id)),
		listVolumes: driver.listVolumes,
	};
}

function filesOf(
	{reach, portChoice, driver, orders, volumeSerials}: Host,
	find: (id: number) => HostInstance,
): CopiedFiles {
	return {
		address: reach.address,
		binding: {listen: reach.listen, portChoice},
		order: async (id, signal, copy) => orders.run(`copy-${id}`, copy, signal),
		async inside(place) {
			if ('volume_id' in place) {
				await volumeSerials.replaceOther(place);
				return folderInside(await driver.volumeFolder(place));
			}
			const {inside} = find(place.instance_id);
			if (inside === undefined) throw new Error(`instance ${place.instance_id} does not run`);
			return inside;
		},
	};
}

function prepareStart(instance: HostInstance, work: Work): void {
	const {container, apiKey, hostKey, port} = instance.record;
	// A new container keeps the API key, SSH host key and SSH port of the previous one. Engines count
	// traffic anew at each start.
	instance.record =
		container === work.container
			? {...instance.record, traffic: totalTrafficOf(instance), startTraffic: noTraffic}
			: {...newRecord(apiKey), hostKey, port};
	instance.traffic = noTraffic;
	instance.work = work;
}

/** Records the serial of an instance that an earlier version has started, unless the disk is full. */
async function takeSerial(instance: HostInstance, {serial}: Work): Promise<void> {
	const {container, serial: known} = instance.record;
	if (serial === undefined || known !== undefined || container === 0) return;
	await keep(instance, {serial}).catch(() => undefined);
}

/** Name of the order to take over an instance from an earlier agent. */
function takingUp(id: number): string {
	return `take-up-${id}`;
}

function logUnreadable({log}: Host, id: number) {
	return (error: unknown): undefined => {
		log(`Instance ${id} is left alone: ${sentenceOf(error)}.`);
	};
}

/** State of an instance whose record cannot be read: it is left as it is. */
function unreadable({boot = 0, container = 0}: Partial<Work> = {}): BootState {
	return {boot, container, isStarted: true};
}

/** Sorts some elements to the end. */
function lastOnes<One>(all: readonly One[], isLast: (one: One) => boolean): readonly One[] {
	return [...all.filter(one => !isLast(one)), ...all.filter(isLast)];
}

/** Reports an instance that killed the agent twice as failed, and does not touch it. */
function leaveAlone(host: Host, instance: HostInstance) {
	return async (error: unknown): Promise<BootState> => {
		if (!(error instanceof EndsAgent)) throw error;
		const {boot, container} = instance.work ?? instance.record;
		await reportStatus(host, instance, {status: 'failed', status_msg: deadly});
		return {boot, container, serial: instance.record.serial, isStarted: true};
	};
}

/** Takes over an instance from an earlier agent: one that runs as wanted is watched again. */
async function takeUp(host: Host, instance: HostInstance): Promise<BootState | undefined> {
	const remains = await host.driver.inspect(instance);
	if (remains === undefined) return undefined;
	const {record, work} = instance;
	// Without its record, the driver may know the instance.
	const {boot = 0, container = 0} = record.container === 0 ? remains : record;
	const isOfThisStart = record.isStarted && record.machineStart === (await machineStart());
	// An instance that ended with the machine, or was killed without an agent, is started again.
	const hasEnded = isOfThisStart && remains.ending !== undefined;
	const isStarted = remains.isRunning || hasEnded;
	const has = {boot, container, serial: record.serial};
	if (isStarted && isAsWanted(has, work)) {
		if (remains.isRunning) start(host, instance);
		else await reportStatus(host, instance, {status: 'exited', status_msg: remains.ending ?? ''});
	}
	return {...has, isStarted};
}

function isAsWanted(has: Omit<BootState, 'isStarted'>, work: Work | undefined): boolean {
	if (work?.wanted !== 'running' || isOther(has.serial, work.serial)) return false;
	return work.boot === has.boot && work.container === has.container;
}

/** Leaves an instance running, or stops it for the next agent to start again. */
async function quit({driver, endsOnClose}: Host, instance: HostInstance): Promise<void> {
	const isRunning = instance.running !== undefined;
	if (!endsOnClose) return leave(instance);
	await endProcesses(instance, async () => driver.stop(instance, CLOSING_MS));
	if (isRunning) await keep(instance, {isStarted: false});
}

async function takeSnapshot(host: Host, instance: HostInstance, task: HostTask): Promise<string> {
	const {driver, report, orders} = host;
	const reportEnd = async (status_msg: string) => {
		await reportStatus(host, instance, {status_msg});
		return status_msg;
	};
	const say = (status_msg: string) =>
		report({
			instance_id: instance.id,
			boot: instance.work?.boot ?? instance.record.boot,
			status_msg,
		});
	try {
		if (driver.snapshot === undefined) throw new Error('this machine cannot push images');
		const {snapshot} = driver;
		const name = await orders.run(`task-${task.id}`, async () => snapshot(instance, task, say));
		return await reportEnd(`Snapshot pushed: ${name}`);
	} catch (error) {
		return reportEnd(`Snapshot failed: ${driver.reason(error)}.`);
	}
}

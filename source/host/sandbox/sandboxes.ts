/**
 * Runs instances as sandboxes of this machine, or as plain processes, with a folder each. Programs
 * survive the agent, and the next agent finds them by their records.
 */
import {sentenceOf} from '../../contract/rules/thrown.ts';
import {existsSync} from 'node:fs';
import type {Work} from '../../contract/nouns/host-work.ts';
import {CannotStart} from '../base/retry.ts';
import {
	type Driver,
	type Host,
	type Remains,
	keep,
	type HostInstance,
} from '../instance/instance.ts';
import {openInstances} from '../instance/instances.ts';
import type {PortAddresses} from '../machine/port-choice.ts';
import {readLog, hasRecordAlone, note} from '../instance/site.ts';
import {noGpus} from '../machine/machine-gpus.ts';
import type {OpenRuntime} from '../base/runtime.ts';
import {backgroundScheduler} from '../base/scheduler.ts';
import {groupFolders, makeGroups, missingLimits, removeGroups} from './control-groups.ts';
import {closeDisk, instanceDiskOf, makeFolders} from './folders.ts';
import {endFamily} from './ending.ts';
import {isSandbox} from './choose-inside.ts';
import {makeInstanceInside, type Sandboxes} from './instance-inside.ts';
import {goesOn, startSandbox, type StartSetup} from './starting.ts';
import {listVolumes, makeVolume, removeVolumeDisk} from './volumes.ts';
import {describeProgramEnd, readCode} from './workload.ts';
import {runFileCommand} from './file-command.ts';

export type SandboxOptions = PortAddresses &
	Pick<Sandboxes, 'folder' | 'makeInside'> &
	Partial<
		Omit<Sandboxes, keyof PortAddresses> &
			Pick<Host, 'gpus' | 'measureGpus' | 'graceMs' | 'endsOnClose' | 'log' | 'scheduler'>
	>;

export function openSandboxes(options: SandboxOptions): OpenRuntime {
	const {folder, address, makeInside, serviceUrl, limits, network} = options;
	const {listen = address, portRange, isDirect} = options;
	const {gpus = noGpus, measureGpus = async () => new Map()} = options;
	const {graceMs = 10_000, endsOnClose = false, log = () => undefined} = options;
	const {scheduler = backgroundScheduler} = options;
	const sandboxes = {folder, address, listen, makeInside, serviceUrl, limits, network};
	const driver = sandboxDriver({sandboxes, gpus, scheduler});
	const reach = {address, listen, portRange, isDirect};
	const common = {folder, reach, driver, gpus, measureGpus, graceMs, endsOnClose};
	return report => openInstances({...common, report, log, scheduler, random: Math.random});
}

function sandboxDriver(setup: StartSetup): Driver {
	const {sandboxes} = setup;
	return {
		start: async starting => startSandbox(setup, starting),
		async stop(instance, graceMs) {
			await endFamily(instance.record, graceMs);
			if (instance.record.root !== undefined) await keep(instance, {root: undefined});
		},
		remove: async (instance, graceMs) => remove(sandboxes, instance, graceMs),
		list: async () => [],
		inspect: async instance => inspect(sandboxes, instance),
		answers: async () => true,
		message: work => messageFor(sandboxes, work),
		isEnteredDirectly: () => true,
		finalReason: error => (error instanceof CannotStart ? error.message : undefined),
		reason: sentenceOf,
		keepVolume: async ({volume_id: id, size}) => void (await makeVolume(sandboxes, id, size)),
		removeVolume: async id => removeVolumeDisk(sandboxes.folder, id),
		listVolumes: async () => listVolumes(sandboxes.folder),
		volumeFolder: async ({volume_id: id, size}) => makeVolume(sandboxes, id, size),
		logs: async ({site}, task) => readLog(site.log, task),
		execute: async (instance, command) =>
			runFileCommand(await makeInstanceInside(sandboxes, instance), command),
		close: async () => undefined,
	};
}

async function remove(
	{limits, folder}: Sandboxes,
	{id, site, record}: HostInstance,
	graceMs: number,
): Promise<void> {
	await endFamily(record, graceMs);
	const named = limits === undefined ? [] : groupFolders(limits, folder, id);
	// A killed agent may have made groups that no record names.
	await removeGroups([...record.groups, ...named]);
	await closeDisk(instanceDiskOf(site));
}

/** Finds remains of an instance, and ends processes left over from its program. */
async function inspect(sandboxes: Sandboxes, instance: HostInstance): Promise<Remains | undefined> {
	if (await hasRecordAlone(instance.site)) return undefined;
	if (instance.record.container === 0) return remainsWithoutRecord(instance);
	await reopen(sandboxes, instance);
	if (await goesOn(instance)) return {isRunning: true, ending: undefined};
	await endFamily(instance.record, 0);
	const code = await readCode(instance.site);
	return {isRunning: false, ending: code === undefined ? undefined : describeProgramEnd(code)};
}

/**
 * Remains of an instance without a record, which was never reported, so that it can be recreated or
 * removed. The files beside a damaged record, as of a power failure, are those of the wanted container.
 */
function remainsWithoutRecord({site, work}: HostInstance): Remains {
	const {boot, container} = (existsSync(site.record) ? work : undefined) ?? {};
	return {isRunning: false, ending: undefined, boot, container};
}

/**
 * Restores the mounts and control groups that a restart of the machine has removed. What runs stays
 * in its groups, also where this agent would make others: in two of them it had twice its share.
 */
async function reopen({limits, folder}: Sandboxes, instance: HostInstance): Promise<void> {
	const {site, work, record} = instance;
	if (existsSync(instanceDiskOf(site).image)) {
		// Its next start says so to its renter, while other instances are taken over.
		await makeFolders(site, undefined).catch(async (error: unknown) => {
			await note(site, sentenceOf(error));
		});
	}
	const there = record.groups.filter(group => existsSync(group));
	const isBounded = there.length > 0 && (await goesOn(instance));
	const groups =
		limits === undefined || work === undefined || isBounded
			? there
			: await makeGroups(limits, folder, work);
	await keep(instance, {groups});
}

function messageFor({makeInside, limits}: Sandboxes, {image = ''}: Work): string {
	const how = isSandbox(makeInside) ? 'in a sandbox' : 'without isolation';
	const lacking = limits === undefined ? [] : missingLimits(limits);
	const without = lacking.length === 0 ? '' : ` without limits for ${lacking.join(', ')}`;
	return `success, running ${how}${without}: image ${image} is not pulled, this machine's own programs run`;
}

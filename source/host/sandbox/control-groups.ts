/** Control groups of Linux, of the first version and the second: a group for each instance. */
import {mkdir, readFile, rmdir, writeFile, access, constants} from 'node:fs/promises';
import {basename, dirname, join, relative} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {createHash} from 'node:crypto';
import {
	type ResourceBounds,
	resourceLimits,
	sharedMachine,
	type Shared,
} from './resource-limits.ts';
import type {Work} from '../../contract/nouns/host-work.ts';
import {BOUNDABLE} from '../../contract/rules/isolation.ts';
import {canMakeDisks} from './folders.ts';
import {quoted} from './workload.ts';

type Controller = 'memory' | 'processes' | 'processors';

type Tree = {
	readonly version: 1 | 2;
	readonly folder: string;
	readonly controllers: readonly Controller[];
};

const kernelNames: Readonly<Record<Controller, string>> = {
	memory: 'memory',
	processes: 'pids',
	processors: 'cpu',
};

const all = ['memory', 'processes', 'processors'] as const;

/** Trees by controller, without those in which this user cannot make groups. */
async function findTrees(): Promise<readonly Tree[]> {
	const [mounts, own] = await Promise.all([
		readFile('/proc/self/mountinfo', 'utf8').catch(() => ''),
		readFile('/proc/self/cgroup', 'utf8').catch(() => ''),
	]);
	const found = await Promise.all(treeFolders(mounts, own).map(usable));
	return found.filter(tree => tree !== undefined);
}

type Candidate = {
	readonly version: 1 | 2;
	/** Folders of this program's group and of the root group. */
	readonly folders: readonly string[];
	/** Controllers in the mount's options of version 1; version 2 has them in a file. */
	readonly controllers: readonly Controller[];
};

/** Reads the mounted trees, and this program's groups in them. */
export function treeFolders(mounts: string, groups: string): readonly Candidate[] {
	const paths = groups.split('\n').map(line => /^\d+:([^:]*):(.*)$/.exec(line));
	return mounts.split('\n').flatMap(line => {
		const mount = parseMount(line);
		if (mount === undefined) return [];
		const {version, root, folder, controllers} = mount;
		const names = version === 1 ? controllers.map(one => kernelNames[one]) : [''];
		const path = paths.find(match => match?.[1]?.split(',').some(name => names.includes(name)));
		const own = path?.[2] ?? root;
		const inside = relative(root, version === 1 ? own : aboveAgent(own));
		const folders = inside.startsWith('..') ? [folder] : [join(folder, inside), folder];
		return [{version, folders: [...new Set(folders)], controllers}];
	});
}

/** Name of the agent's own group: one that enables controllers for others has no processes itself. */
const AGENT = 'rentty-agent';

/** Group that contains the agent's own, which an earlier agent, a shell's or the unit may have made. */
function aboveAgent(path: string): string {
	return basename(path) === AGENT ? aboveAgent(dirname(path)) : path;
}

/** Reads a line of the list of mounts; undefined for a mount without known controllers. */
function parseMount(line: string) {
	const [place = '', system = ''] = line.split(' - ');
	const [, , , root = '', folder = ''] = place.split(' ');
	const [kind = '', , flags = ''] = system.split(' ');
	const words = flags.split(',');
	const controllers = all.filter(one => words.includes(kernelNames[one]));
	if (kind === 'cgroup2') return {version: 2, root, folder, controllers: []} as const;
	if (kind !== 'cgroup' || controllers.length === 0) return undefined;
	return {version: 1, root, folder, controllers} as const;
}

async function usable({version, folders, controllers}: Candidate): Promise<Tree | undefined> {
	for (const folder of folders) {
		if (!(await isWritable(folder))) continue;
		const given = version === 1 ? controllers : await handDown(folder);
		if (given.length > 0) return {version, folder, controllers: given};
	}
	return undefined;
}

async function isWritable(folder: string): Promise<boolean> {
	return access(folder, constants.W_OK).then(
		() => true,
		() => false,
	);
}

/** Enables controllers for the groups in a folder of version 2, and returns them. */
export async function handDown(folder: string): Promise<readonly Controller[]> {
	const offered = await readWords(join(folder, 'cgroup.controllers'));
	const possible = all.filter(one => offered.includes(kernelNames[one]));
	const file = join(folder, 'cgroup.subtree_control');
	if (possible.length === 0) return [];
	const isGiven = async () => {
		for (const one of possible) await append(file, `+${kernelNames[one]}`);
		const words = await readWords(file);
		return possible.filter(one => words.includes(kernelNames[one]));
	};
	const given = await isGiven();
	if (given.length > 0) return given;
	const leaf = join(folder, AGENT);
	await mkdir(leaf, {recursive: true}).catch(() => undefined);
	for (const pid of await readWords(join(folder, 'cgroup.procs'))) {
		await append(join(leaf, 'cgroup.procs'), pid);
	}
	return isGiven();
}

async function readWords(file: string): Promise<readonly string[]> {
	const text = await readFile(file, 'utf8').catch(() => '');
	return text.split(/\s+/).filter(word => word !== '');
}

/** Appends to a file, ignoring a refusal. */
async function append(file: string, text: string): Promise<void> {
	await writeFile(file, text, {flag: 'a'}).catch(() => undefined);
}

type ControlGroups = {
	readonly limits: readonly Controller[];
	/** Folders of a group, existing or not. */
	readonly folders: (name: string) => readonly string[];
	/** Makes a group with its limits, and returns its folders; a process must enter all of them. */
	readonly make: (name: string, bounds: ResourceBounds) => Promise<readonly string[]>;
};

export async function openControlGroups(): Promise<ControlGroups> {
	return groupsIn(await findTrees());
}

export function groupsIn(trees: readonly Tree[]): ControlGroups {
	return {
		folders: name => trees.map(tree => folderOf(tree, name)),
		limits: trees.flatMap(tree => tree.controllers),
		make: async (name, bounds) =>
			Promise.all(
				trees.map(async tree => {
					const folder = folderOf(tree, name);
					await mkdir(folder, {recursive: true});
					await limit(folder, tree, bounds);
					return folder;
				}),
			),
	};
}

function folderOf(tree: Tree, name: string): string {
	return join(tree.folder, `rentty-${name}`);
}

/** Period of the CPU limit in microseconds. */
const PERIOD = 100_000;

type Setting = readonly [file: string, value: string];

async function limit(folder: string, tree: Tree, bounds: ResourceBounds): Promise<void> {
	const settings = tree.version === 1 ? first(bounds) : second(bounds);
	for (const [file, value] of tree.controllers.flatMap(controller => settings[controller])) {
		// `r+` never creates a file: some kernels lack some of these.
		await writeFile(join(folder, file), value, {flag: 'r+'}).catch((error: unknown) => {
			if (!OPTIONAL.has(file)) throw error;
		});
	}
}

/** Files that kernels without swap accounting lack. */
const OPTIONAL = new Set(['memory.memsw.limit_in_bytes', 'memory.swappiness', 'memory.swap.max']);

function first(bounds: ResourceBounds): Readonly<Record<Controller, readonly Setting[]>> {
	const memory = String(bounds.memoryBytes);
	return {
		memory: [
			// Memory must never exceed memory with swap, whether limits grow or shrink: so lift the
			// limit first.
			['memory.memsw.limit_in_bytes', '-1'],
			['memory.limit_in_bytes', memory],
			['memory.memsw.limit_in_bytes', memory],
			['memory.swappiness', '0'],
		],
		processes: [['pids.max', String(bounds.processes)]],
		processors: [
			['cpu.cfs_period_us', String(PERIOD)],
			['cpu.cfs_quota_us', quotaOf(bounds)],
		],
	};
}

function second(bounds: ResourceBounds): Readonly<Record<Controller, readonly Setting[]>> {
	return {
		memory: [
			['memory.max', String(bounds.memoryBytes)],
			['memory.swap.max', '0'],
		],
		processes: [['pids.max', String(bounds.processes)]],
		processors: [['cpu.max', `${quotaOf(bounds)} ${PERIOD}`]],
	};
}

function quotaOf({processors}: ResourceBounds): string {
	return String(Math.round(processors * PERIOD));
}

/** File of a group: a process that writes 0 to it enters the group. */
function entranceOf(folder: string): string {
	return join(folder, 'cgroup.procs');
}

/** Shell line by which a process enters groups, or ends. */
export function enteringLine(folders: readonly string[]): string {
	return folders.map(folder => `echo 0 >${quoted(entranceOf(folder))} || exit; `).join('');
}

/** Pids in some groups. */
export async function membersOfGroups(folders: readonly string[]): Promise<readonly number[]> {
	const lists = await Promise.all(
		folders.map(async folder => readFile(entranceOf(folder), 'utf8').catch(() => '')),
	);
	return lists.flatMap(list => list.split('\n')).flatMap(line => (line === '' ? [] : Number(line)));
}

const POLL_MS = 20;
const MOST_POLLS = 250;

/**
 * Removes groups whose processes have ended, and those of their networks, with retries while a process is
 * still ending.
 */
export async function removeGroups(folders: readonly string[]): Promise<void> {
	for (const folder of folders.flatMap(one => [one, one + NETWORK])) {
		for (let polls = 1; !(await isRemoved(folder)); polls += 1) {
			if (polls === MOST_POLLS) throw new Error(`the control group ${folder} is still in use`);
			await sleep(POLL_MS);
		}
	}
}

async function isRemoved(folder: string): Promise<boolean> {
	return rmdir(folder).then(
		() => true,
		(error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
	);
}

export type InstanceLimits = {
	readonly groups: ControlGroups;
	readonly machine: Shared;
	readonly hasDisks: boolean;
};

/** @param folder Folder of the instances, which must exist. */
export async function findInstanceLimits(folder: string, gpus: number): Promise<InstanceLimits> {
	const [groups, hasDisks] = await Promise.all([openControlGroups(), canMakeDisks(folder)]);
	return {groups, machine: sharedMachine(gpus), hasDisks};
}

export function missingLimits({groups: {limits}, hasDisks}: InstanceLimits): readonly string[] {
	return BOUNDABLE.filter(one => (one === 'disk' ? !hasDisks : !limits.includes(one)));
}

export async function makeGroups(
	{groups, machine}: InstanceLimits,
	folder: string,
	work: Work,
): Promise<readonly string[]> {
	return groups.make(groupName(folder, work.instance_id), resourceLimits(machine, work));
}

/** End of the names of groups for the programs of an instance's network. */
const NETWORK = '-network';

/** Memory and processes of a network's programs: limited, and not part of the renter's share. */
const NETWORK_BOUNDS = {memoryBytes: 256 * 1024 ** 2, processes: 64};

/**
 * Makes the control groups of the programs of an instance's network, which have limits of their
 * own.
 */
export async function makeNetworkGroups(
	{groups, machine}: InstanceLimits,
	folder: string,
	work: Work,
): Promise<readonly string[]> {
	const bounds = {...resourceLimits(machine, work), ...NETWORK_BOUNDS};
	return groups.make(groupName(folder, work.instance_id) + NETWORK, bounds);
}

/** Folders of an instance's control groups, existing or not. */
export function groupFolders(
	{groups}: InstanceLimits,
	folder: string,
	instanceId: number,
): readonly string[] {
	return groups.folders(groupName(folder, instanceId));
}

/** Name of a group, by folder and id: agents of several markets may have the same ids. */
function groupName(folder: string, instanceId: number): string {
	return `${createHash('sha256').update(folder).digest('hex').slice(0, 12)}-${instanceId}`;
}

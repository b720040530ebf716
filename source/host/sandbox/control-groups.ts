/** Control groups of Linux, of the first version and the second: a group for each instance. */
import {mkdir, readFile, rmdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {findTrees, type Controller, type Tree} from './group-trees.ts';
import type {Bounds} from './rented-share.ts';

export type ControlGroups = {
	/** Controllers that can set limits here. */
	readonly limits: readonly Controller[];
	/** Folders of a group, existing or not. */
	readonly folders: (name: string) => readonly string[];
	/** Makes a group with its limits, and answers its folders: whoever is in all of them is limited. */
	readonly make: (name: string, bounds: Bounds) => Promise<readonly string[]>;
};

/** The groups that can be made on this machine. */
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

/** Microseconds in which the time of processors is counted. */
const PERIOD = 100_000;

type Setting = readonly [file: string, value: string];

async function limit(folder: string, tree: Tree, bounds: Bounds): Promise<void> {
	const settings = tree.version === 1 ? first(bounds) : second(bounds);
	for (const [file, value] of tree.controllers.flatMap(controller => settings[controller])) {
		// What only some kernels have is opened, never made.
		await writeFile(join(folder, file), value, {flag: 'r+'}).catch((error: unknown) => {
			if (!OPTIONAL.has(file)) throw error;
		});
	}
}

/** Kernels that do not count swap have none of these. */
const OPTIONAL = new Set(['memory.memsw.limit_in_bytes', 'memory.swappiness', 'memory.swap.max']);

function first(bounds: Bounds): Readonly<Record<Controller, readonly Setting[]>> {
	const memory = String(bounds.memoryBytes);
	return {
		memory: [
			// Both may be less than before, or more: one of the two orders is refused.
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

function second(bounds: Bounds): Readonly<Record<Controller, readonly Setting[]>> {
	return {
		memory: [
			['memory.max', String(bounds.memoryBytes)],
			['memory.swap.max', '0'],
		],
		processes: [['pids.max', String(bounds.processes)]],
		processors: [['cpu.max', `${quotaOf(bounds)} ${PERIOD}`]],
	};
}

function quotaOf({processors}: Bounds): string {
	return String(Math.round(processors * PERIOD));
}

/** The file of a group into which processes go that write a 0. */
export function entranceOf(folder: string): string {
	return join(folder, 'cgroup.procs');
}

/** The numbers of the processes in some groups. */
export async function membersOfGroups(folders: readonly string[]): Promise<readonly number[]> {
	const lists = await Promise.all(
		folders.map(async folder => readFile(entranceOf(folder), 'utf8').catch(() => '')),
	);
	return lists.flatMap(list => list.split('\n')).flatMap(line => (line === '' ? [] : Number(line)));
}

const LOOK_MS = 20;
const MOST_LOOKS = 250;

/** Removes groups whose processes have ended: what is ending stays in its group for a moment. */
export async function removeGroups(folders: readonly string[]): Promise<void> {
	for (const folder of folders) {
		for (let looks = 1; !(await isRemoved(folder)); looks += 1) {
			if (looks === MOST_LOOKS) throw new Error(`the control group ${folder} is still in use`);
			await sleep(LOOK_MS);
		}
	}
}

async function isRemoved(folder: string): Promise<boolean> {
	return rmdir(folder).then(
		() => true,
		(error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
	);
}

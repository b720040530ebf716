/** Control group trees of this machine in which groups can be made. */
import {access, constants, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join, relative} from 'node:path';

export type Controller = 'memory' | 'processes' | 'processors';

export type Tree = {
	readonly version: 1 | 2;
	/** Groups are made in here. */
	readonly folder: string;
	readonly controllers: readonly Controller[];
};

/** As the kernel calls them. */
const kernelNames: Readonly<Record<Controller, string>> = {
	memory: 'memory',
	processes: 'pids',
	processors: 'cpu',
};

const all = ['memory', 'processes', 'processors'] as const;

/** Trees by controller; those in which nobody may make groups here are left out. */
export async function findTrees(): Promise<readonly Tree[]> {
	const [mounts, own] = await Promise.all([
		readFile('/proc/self/mountinfo', 'utf8').catch(() => ''),
		readFile('/proc/self/cgroup', 'utf8').catch(() => ''),
	]);
	const found = await Promise.all(treeFolders(mounts, own).map(usable));
	return found.filter(tree => tree !== undefined);
}

type Candidate = {
	readonly version: 1 | 2;
	/** The group of this program first, and then the topmost. */
	readonly folders: readonly string[];
	/** Controllers in the mount's options of version 1; version 2 has them in a file. */
	readonly controllers: readonly Controller[];
};

/** Reads what is mounted where, and which groups this program is in. */
export function treeFolders(mounts: string, own: string): readonly Candidate[] {
	const paths = own.split('\n').map(line => /^\d+:([^:]*):(.*)$/.exec(line));
	return mounts.split('\n').flatMap(line => {
		const mount = parseMount(line);
		if (mount === undefined) return [];
		const {version, root, folder, controllers} = mount;
		const names = version === 1 ? controllers.map(one => kernelNames[one]) : [''];
		const path = paths.find(match => match?.[1]?.split(',').some(name => names.includes(name)));
		const inside = relative(root, path?.[2] ?? root);
		const folders = inside.startsWith('..') ? [folder] : [join(folder, inside), folder];
		return [{version, folders: [...new Set(folders)], controllers}];
	});
}

/** Reads a line of the list of mounts; undefined for what limits nothing. */
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

/** Has the groups within one of the second version be limited, and answers by what. */
export async function handDown(folder: string): Promise<readonly Controller[]> {
	const offered = await wordsOf(join(folder, 'cgroup.controllers'));
	const possible = all.filter(one => offered.includes(kernelNames[one]));
	const file = join(folder, 'cgroup.subtree_control');
	if (possible.length === 0) return [];
	const isGiven = async () => {
		for (const one of possible) await append(file, `+${kernelNames[one]}`);
		const words = await wordsOf(file);
		return possible.filter(one => words.includes(kernelNames[one]));
	};
	const given = await isGiven();
	if (given.length > 0) return given;
	// A group that hands down what it has may have no processes of its own.
	const leaf = join(folder, 'rentty-agent');
	await mkdir(leaf, {recursive: true}).catch(() => undefined);
	for (const pid of await wordsOf(join(folder, 'cgroup.procs'))) {
		await append(join(leaf, 'cgroup.procs'), pid);
	}
	return isGiven();
}

async function wordsOf(file: string): Promise<readonly string[]> {
	const text = await readFile(file, 'utf8').catch(() => '');
	return text.split(/\s+/).filter(word => word !== '');
}

/** Appends to a file, and leaves it where it may not be changed. */
async function append(file: string, text: string): Promise<void> {
	await writeFile(file, text, {flag: 'a'}).catch(() => undefined);
}

/** The files of a simulated container, and the few commands for them. */

/** Folder by names; a file is its size in bytes. */
export type Folder = Map<string, Folder | number>;

export function makeFiles(mountPaths: readonly string[] = []): Folder {
	const root = folder({
		bin: folder({bash: 1_396_520, ls: 138_208}),
		etc: folder({hosts: 174, 'os-release': 386, passwd: 922}),
		root: folder({'.bashrc': 3106, '.ssh': folder({authorized_keys: 571}), 'onstart.sh': 84}),
		tmp: folder({}),
		usr: folder({lib: folder({'libcuda.so.1': 29_867_944})}),
		workspace: folder({
			'README.md': 1204,
			data: folder({'train.parquet': 734_003_200, 'valid.parquet': 73_400_320}),
			models: folder({'base.safetensors': 4_294_967_296}),
			'train.py': 5320,
		}),
	});
	for (const path of mountPaths) addFolder(root, partsOf(path));
	return root;
}

/** Runs a command line on the files, and returns its output. */
export function runCommand(root: Folder, line: string): string {
	const [name = '', ...words] = wordsOf(line);
	const flags = words.filter(word => word.startsWith('-')).join('');
	const paths = words.filter(word => !word.startsWith('-'));
	const command = commands.get(name);
	if (command === undefined) return `${name}: command not found\n`;
	const {run, alone} = command;
	const said = (paths.length === 0 ? alone : paths).map(path => run(root, path, flags));
	return said
		.filter(text => text !== '')
		.map(text => `${text}\n`)
		.join('');
}

type Command = {
	/** Runs the command on one path. */
	readonly run: (root: Folder, path: string, flags: string) => string;
	/** Default paths of the command. */
	readonly alone: readonly string[];
};

const commands: ReadonlyMap<string, Command> = new Map([
	['ls', {run: list, alone: ['/root']}],
	['du', {run: measure, alone: ['/root']}],
	['rm', {run: remove, alone: []}],
]);

function folder(entries: Readonly<Record<string, Folder | number>>): Folder {
	return new Map(Object.entries(entries));
}

function addFolder(root: Folder, parts: readonly string[]): void {
	let at = root;
	for (const part of parts) {
		const next = at.get(part);
		const inner: Folder = next instanceof Map ? next : new Map();
		at.set(part, inner);
		at = inner;
	}
}

/** Splits a line at blanks outside quotes. */
function wordsOf(line: string): readonly string[] {
	const found = line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
	return [...found].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

/** The names on the way to a file. A relative path begins in the home folder. */
function partsOf(path: string): readonly string[] {
	const parts: string[] = [];
	for (const part of (path.startsWith('/') ? path : `/root/${path}`).split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return parts;
}

function find(root: Folder, parts: readonly string[]): Folder | number | undefined {
	return parts.reduce<Folder | number | undefined>(
		(at, part) => (at instanceof Map ? at.get(part) : undefined),
		root,
	);
}

function list(root: Folder, path: string, flags: string): string {
	const found = find(root, partsOf(path));
	if (found === undefined) return `ls: cannot access '${path}': No such file or directory`;
	const shown: ReadonlyArray<[string, Folder | number]> =
		found instanceof Map ? [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)) : [[path, found]];
	const visible = shown.filter(([name]) => flags.includes('a') || !name.startsWith('.'));
	const rows = visible.map(([name, entry]) => (flags.includes('l') ? longRow(name, entry) : name));
	return rows.join('\n');
}

function longRow(name: string, entry: Folder | number): string {
	const size = String(entry instanceof Map ? 4096 : entry).padStart(11);
	return `${entry instanceof Map ? 'drwxr-xr-x' : '-rw-r--r--'} 1 root root ${size} ${name}`;
}

function measure(root: Folder, path: string, flags: string): string {
	const found = find(root, partsOf(path));
	if (found === undefined) return `du: cannot access '${path}': No such file or directory`;
	const kilobytes = Math.ceil(bytesOf(found) / 1024);
	return `${flags.includes('h') ? sizeOf(kilobytes) : kilobytes}\t${path}`;
}

function bytesOf(entry: Folder | number): number {
	if (!(entry instanceof Map)) return entry;
	return [...entry.values()].reduce<number>((sum, inner) => sum + bytesOf(inner), 4096);
}

function sizeOf(kilobytes: number): string {
	if (kilobytes < 1024) return `${kilobytes}K`;
	const megabytes = kilobytes / 1024;
	return megabytes < 1024 ? `${megabytes.toFixed(1)}M` : `${(megabytes / 1024).toFixed(1)}G`;
}

function remove(root: Folder, path: string, flags: string): string {
	const parts = partsOf(path);
	const parent = find(root, parts.slice(0, -1));
	const found = find(root, parts);
	const name = parts.at(-1);
	if (name === undefined) return "rm: it is dangerous to operate recursively on '/'";
	if (found === undefined || !(parent instanceof Map)) {
		return flags.includes('f') ? '' : `rm: cannot remove '${path}': No such file or directory`;
	}
	if (found instanceof Map && !flags.includes('r')) {
		return `rm: cannot remove '${path}': Is a directory`;
	}
	parent.delete(name);
	return '';
}

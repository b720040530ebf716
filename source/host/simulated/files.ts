/** The made-up files of a simulated instance that cannot be entered. */
import {FOLDER_BYTES, type TreeEntry, type Tree} from '../inside/tree-commands.ts';
import {NotOwn} from '../inside/walk.ts';

/** Folder by names; a file is its size in bytes. */
type Folder = Map<string, Folder | number>;

export function makeFiles(mountPaths: readonly string[] = []): Tree {
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
	return {
		find: async path => entryOf(find(root, path)),
		async list(path) {
			const found = find(root, path);
			return found instanceof Map ? [...found].map(([name, one]) => [name, entryOf(one)]) : [];
		},
		async remove(path) {
			const parts = partsOf(path);
			const parent = find(root, `/${parts.slice(0, -1).join('/')}`);
			const name = parts.at(-1);
			if (name === undefined || !(parent instanceof Map)) throw new NotOwn(path);
			parent.delete(name);
		},
	};
}

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

/** The names on the way to a file. A relative path begins in the home folder. */
function partsOf(path: string): readonly string[] {
	const parts: string[] = [];
	for (const part of (path.startsWith('/') ? path : `/root/${path}`).split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return parts;
}

/** @throws Error with the code ENOENT */
function find(root: Folder, path: string): Folder | number {
	let at: Folder | number | undefined = root;
	for (const part of partsOf(path)) at = at instanceof Map ? at.get(part) : undefined;
	if (at === undefined) throw Object.assign(new Error(`${path} is missing`), {code: 'ENOENT'});
	return at;
}

function entryOf(found: Folder | number): TreeEntry {
	return found instanceof Map
		? {isFolder: true, bytes: FOLDER_BYTES}
		: {isFolder: false, bytes: found};
}

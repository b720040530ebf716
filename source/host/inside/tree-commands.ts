/**
 * `ls`, `rm` and `du` in this program itself: for made-up files, and if no sandbox can run the real
 * ones.
 */
import {codeOf} from '../../contract/rules/thrown.ts';
import type {OwnFiles} from './own-files.ts';
import {NotOwn} from './walk.ts';

export type TreeEntry = {readonly isFolder: boolean; readonly bytes: number};

/** Files of an instance. A relative path begins in its home. */
export type Tree = {
	/** @throws Error with the code ENOENT for a missing file, and NotOwn for one outside. */
	readonly find: (path: string, followsLink: boolean) => Promise<TreeEntry>;
	/** Names in a folder, in any order. */
	readonly list: (
		path: string,
	) => Promise<ReadonlyArray<readonly [name: string, entry: TreeEntry]>>;
	/** Removes a file, or a folder without entries. */
	readonly remove: (path: string, entry: TreeEntry) => Promise<void>;
};

export const FOLDER_BYTES = 4096;

const MOST_FILES = 100_000;
const NAMES_AT_ONCE = 500;

export function treeOf(files: OwnFiles): Tree {
	return {
		find: async (path, followsLink) =>
			entryOf(followsLink ? await files.stat(path) : await files.lstat(path)),
		async list(path) {
			const all: Array<readonly [string, TreeEntry]> = [];
			const folder = await files.list(path);
			try {
				for (;;) {
					const some = await folder.next(NAMES_AT_ONCE);
					if (some.length === 0) return all;
					for (const [name, about] of some) all.push([name, entryOf(about)]);
					if (all.length > MOST_FILES) throw new TooMany();
				}
			} finally {
				await folder.close();
			}
		},
		remove: async (path, {isFolder}) => (isFolder ? files.removeFolder(path) : files.remove(path)),
	};
}

function entryOf(about: {readonly isDirectory: () => boolean; readonly size: number}): TreeEntry {
	const isFolder = about.isDirectory();
	return {isFolder, bytes: isFolder ? FOLDER_BYTES : about.size};
}

class TooMany extends Error {
	override readonly name = 'TooMany';
}

export async function runTreeCommand(tree: Tree, line: string): Promise<string> {
	const [name = '', ...words] = splitLine(line);
	const command = commands.get(name);
	if (command === undefined) return `${name}: command not found\n`;
	const flags = words.filter(word => word.startsWith('-')).join('');
	const paths = words.filter(word => !word.startsWith('-'));
	const {run, doing, alone} = command;
	let output = '';
	for (const path of paths.length === 0 ? alone : paths) {
		const part = await run(tree, path, flags).catch(
			(error: unknown) => `${name}: ${doing} '${path}': ${reasonOf(error)}`,
		);
		if (part !== '') output += `${part}\n`;
	}
	return output;
}

type Command = {
	readonly run: (tree: Tree, path: string, flags: string) => Promise<string>;
	/** Beginning of an error message. */
	readonly doing: string;
	/** Paths of the command if it names none. */
	readonly alone: readonly string[];
};

const commands: ReadonlyMap<string, Command> = new Map([
	['ls', {run: list, doing: 'cannot access', alone: ['.']}],
	['du', {run: measure, doing: 'cannot access', alone: ['.']}],
	['rm', {run: remove, doing: 'cannot remove', alone: []}],
]);

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'No such file or directory',
	ENOTDIR: 'No such file or directory',
	EACCES: 'Permission denied',
	EPERM: 'Permission denied',
	EISDIR: 'Is a directory',
	ENOTEMPTY: 'Directory not empty',
};

/** A reason without the paths of this machine that errors of the system name. */
function reasonOf(error: unknown): string {
	if (error instanceof NotOwn) return 'It is not a file of this instance';
	if (error instanceof TooMany) return 'Too many files';
	const code = codeOf(error) ?? '';
	return reasons[code] ?? `It cannot be done ${code}`.trim();
}

/** Splits a line at blanks outside quotes. */
function splitLine(line: string): readonly string[] {
	const found = line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
	return [...found].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

async function list(tree: Tree, path: string, flags: string): Promise<string> {
	const found = await tree.find(path, true);
	const all = found.isFolder ? await tree.list(path) : [[path, found] as const];
	const shown = all.toSorted(([a], [b]) => (a < b ? -1 : 1));
	const visible = found.isFolder
		? shown.filter(([name]) => flags.includes('a') || !name.startsWith('.'))
		: shown;
	const rows = visible.map(([name, entry]) => (flags.includes('l') ? longRow(name, entry) : name));
	return rows.join('\n');
}

function longRow(name: string, {isFolder, bytes}: TreeEntry): string {
	const size = String(bytes).padStart(11);
	return `${isFolder ? 'drwxr-xr-x' : '-rw-r--r--'} 1 root root ${size} ${name}`;
}

async function measure(tree: Tree, path: string, flags: string): Promise<string> {
	let bytes = 0;
	await visit(tree, path, async (_, entry) => void (bytes += entry.bytes));
	const kilobytes = Math.ceil(bytes / 1024);
	return `${flags.includes('h') ? sizeOf(kilobytes) : kilobytes}\t${path}`;
}

function sizeOf(kilobytes: number): string {
	if (kilobytes < 1024) return `${kilobytes}K`;
	const megabytes = kilobytes / 1024;
	return megabytes < 1024 ? `${megabytes.toFixed(1)}M` : `${(megabytes / 1024).toFixed(1)}G`;
}

async function remove(tree: Tree, path: string, flags: string): Promise<string> {
	if (/^[/.]*\/$/.test(path)) return "rm: it is dangerous to operate recursively on '/'";
	if (/(?:^|\/)\.\.?\/*$/.test(path)) return `rm: refusing to remove '.' or '..': '${path}'`;
	const found = await tree.find(path, false).catch((error: unknown) => {
		if (flags.includes('f') && codeOf(error) === 'ENOENT') return undefined;
		throw error;
	});
	if (found === undefined) return '';
	if (found.isFolder && !/[rR]/.test(flags)) return `rm: cannot remove '${path}': Is a directory`;
	await visit(tree, path, async (one, entry) => tree.remove(one, entry));
	return '';
}

/** Visits a file, or a folder after everything in it; links are not followed. */
async function visit(
	tree: Tree,
	path: string,
	take: (path: string, entry: TreeEntry) => Promise<void>,
): Promise<void> {
	let entries = 0;
	const walk = async (here: string, entry: TreeEntry): Promise<void> => {
		entries += 1;
		if (entries > MOST_FILES) throw new TooMany();
		const inner = entry.isFolder ? await tree.list(here) : [];
		for (const [name, one] of inner) await walk(`${here}/${name}`, one);
		await take(here, entry);
	};
	await walk(path, await tree.find(path, false));
}

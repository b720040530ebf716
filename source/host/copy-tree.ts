/**
 * Copies files into an instance or a volume of this machine. What is there with the same size and
 * time is not copied again, and a part of a file goes on where it ends.
 */
import {constants} from 'node:fs';
import {posix} from 'node:path';
import {RIGHTS, type OwnFiles} from './ssh/own-files.ts';
import type {RemoteFile, RemoteFiles} from './ssh/remote-files.ts';

export type CopyCount = {readonly done: number; readonly total: number; readonly files: number};

type Entry = RemoteFile & {
	/** Path there and here. */
	readonly from: string;
	readonly to: string;
};

const MOST_ENTRIES = 1_000_000;

/** @param source a slash at its end is for what is in it */
export async function copyTree(
	from: RemoteFiles,
	to: OwnFiles,
	{
		source,
		target,
		mostBytes,
		tell,
	}: {
		readonly source: string;
		readonly target: string;
		/** Room of the target. */
		readonly mostBytes: number;
		readonly tell: (count: CopyCount) => void;
	},
): Promise<CopyCount> {
	const about = await from.stat(source);
	const isFolderHere = await kindHere(to, target);
	const isContents = source.endsWith('/');
	const isInside = !isContents && (about.kind === 'folder' || isFolderHere === 'folder');
	const root = isInside ? posix.join(target, posix.basename(source)) : target;
	await makeFolders(to, isInside ? target : posix.dirname(root));
	const entries = await listTree(from, {...about, from: source, to: root});
	const total = entries.reduce((sum, {kind, size}) => sum + (kind === 'file' ? size : 0), 0);
	if (total > mostBytes) throw new Error('there is more than the target has room for');
	let done = 0;
	let files = 0;
	for (const entry of entries) {
		if (entry.kind === 'folder') await makeFolders(to, entry.to);
		if (entry.kind === 'link') await copyLink(from, to, entry);
		if (entry.kind !== 'file') continue;
		files++;
		await copyFile(from, to, entry, bytes => {
			done += bytes;
			tell({done, total, files});
		});
	}
	return {done, total, files};
}

async function listTree(from: RemoteFiles, root: Entry): Promise<readonly Entry[]> {
	const entries: Entry[] = [root];
	for (const entry of entries) {
		if (entry.kind !== 'folder') continue;
		for (const file of await from.list(entry.from)) {
			const {name} = file;
			// What a host of somebody else's names leads nowhere but into its folder.
			if (name === '.' || name === '..' || name === '' || name.includes('/')) continue;
			entries.push({
				...file,
				from: posix.join(entry.from, name),
				to: posix.join(entry.to, name),
			});
			if (entries.length > MOST_ENTRIES) throw new Error('there are more than a million files');
		}
	}
	return entries;
}

async function kindHere(to: OwnFiles, path: string): Promise<'folder' | 'other' | undefined> {
	try {
		return (await to.stat(path)).isDirectory() ? 'folder' : 'other';
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** Makes a folder and those that it lies in, where they are not there. */
async function makeFolders(to: OwnFiles, path: string): Promise<void> {
	if ((await kindHere(to, path)) === 'folder') return;
	await makeFolders(to, posix.dirname(path));
	await to.makeFolder(path, 0o755);
}

async function copyLink(from: RemoteFiles, to: OwnFiles, entry: Entry): Promise<void> {
	const there = await to.lstat(entry.to).catch(() => undefined);
	if (there?.isSymbolicLink() === true) await to.remove(entry.to);
	await to.link(await from.readLink(entry.from), entry.to);
}

async function copyFile(
	from: RemoteFiles,
	to: OwnFiles,
	{from: source, to: target, size, mtime, mode}: Entry,
	count: (bytes: number) => void,
): Promise<void> {
	const there = await to.lstat(target).catch(() => undefined);
	const isSame =
		there?.isFile() === true && there.size === size && Math.floor(there.mtimeMs / 1000) === mtime;
	if (isSame) return count(size);
	// It is a part of this file as it is at present, and of no other.
	const name = posix.basename(target).slice(0, 180);
	const part = posix.join(posix.dirname(target), `.${name}.${size}-${mtime}.part`);
	const file = await to.open(part, constants.O_CREAT | constants.O_WRONLY, 0o600);
	try {
		const begun = Math.min(size, (await file.stat()).size);
		count(begun);
		await from.read(source, {from: begun, to: size}, async (bytes, at) => {
			await file.write(bytes, 0, bytes.length, at);
			count(bytes.length);
		});
		if ((await file.stat()).size !== size) throw new Error(`${source} has changed meanwhile`);
	} finally {
		await file.close();
	}
	await to.change(part, {mode: mode & RIGHTS, atime: mtime, mtime});
	await to.rename(part, target);
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Copies files into an instance or a volume of this machine. A file with the same size and time is
 * not copied again, and a partial file is continued at its end.
 */
import {createHash} from 'node:crypto';
import {posix} from 'node:path';
import {constants} from 'node:fs';
import {type OwnFiles, PERMITTED_MODE_BITS} from '../inside/own-files.ts';
import {Endless, type CopyNames} from './names.ts';
import {pause, type Scheduler} from '../base/scheduler.ts';
import type {RemoteFile, RemoteFiles} from '../ssh/remote-files.ts';

/**
 * Space that a copy uses in its target, over all its tries: complete files, and parts of others.
 */
export type CopySpace = {
	/** @throws if the target has no more space */
	readonly take: (bytes: number) => void;
	/** Frees the bytes of an overwritten file. */
	readonly giveBack: (bytes: number) => void;
	/** Records a part with its size, unless it is already known. */
	readonly start: (part: string, bytes: number) => void;
	readonly finish: (part: string) => void;
	/** True for a part that was begun and not finished. */
	readonly isStarted: (part: string) => boolean;
	readonly clear: (to: OwnFiles, kept?: ReadonlySet<string>) => Promise<void>;
};

export function createCopySpace(mostBytes: number): CopySpace {
	let used = 0;
	const parts = new Set<string>();

	function take(bytes: number): void {
		if (used + bytes > mostBytes) throw new NoSpace();
		used += bytes;
	}

	return {
		take,
		giveBack(bytes) {
			used = Math.max(0, used - bytes);
		},
		start(part, bytes) {
			if (parts.has(part)) return;
			parts.add(part);
			take(bytes);
		},
		finish: part => void parts.delete(part),
		isStarted: part => parts.has(part),
		async clear(to, kept = new Set()) {
			for (const part of parts) {
				if (kept.has(part)) continue;
				const there = await to.lstat(part).catch(() => undefined);
				if (there !== undefined) {
					await to.remove(part);
					used = Math.max(0, used - there.size);
				}
				parts.delete(part);
			}
		},
	};
}

class NoSpace extends Error {
	override readonly name = 'NoSpace';
	constructor() {
		super('there is more than the target has room for');
	}
}

type Copied = {readonly size: number; readonly mtime: number; readonly to: string};

/** Path of a file's part, by size and time: a changed file has another. */
function partOf({to, size, mtime}: Copied): string {
	return posix.join(posix.dirname(to), `.${nameIn(to)}.${size}-${mtime}.part`);
}

/** Bytes of a name in the name of a part, which has to be one of a file, too. */
const MOST_NAME_BYTES = 180;

/** Name of a file in its part's; of a long name, the digest in place of its end. */
function nameIn(path: string): string {
	const name = posix.basename(path);
	if (Buffer.byteLength(name) <= MOST_NAME_BYTES) return name;
	const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
	return `${name.slice(0, 40).toWellFormed()}.${digest}`;
}

const PART = /^\.(.+)\.\d{1,20}-{1,2}\d{1,16}\.part$/s;

/** Finds parts that an earlier agent has left in the target. */
async function findParts(
	to: OwnFiles,
	files: readonly Copied[],
	note: (part: string, bytes: number) => void,
): Promise<void> {
	const names = new Set(files.map(file => posix.join(posix.dirname(file.to), nameIn(file.to))));
	for (const folder of new Set(files.map(file => posix.dirname(file.to)))) {
		const open = await to.list(folder).catch(() => undefined);
		if (open === undefined) continue;
		try {
			for (let some = await open.next(256); some.length > 0; some = await open.next(256)) {
				for (const [name, about] of some) {
					const [, of = ''] = PART.exec(name) ?? [];
					const isPart = of !== '' && names.has(posix.join(folder, of));
					if (isPart) note(posix.join(folder, name), about.size);
				}
			}
		} finally {
			await open.close();
		}
	}
}

export type CopyCount = {readonly done: number; readonly total: number; readonly files: number};

type Entry = RemoteFile & {
	readonly from: string;
	readonly to: string;
};

/** Limit on a source's entries: a hostile host could list files without end. */
const MOST_ENTRIES = 1_000_000;
const LONGEST_LISTING_SECONDS = 15 * 60;

/** Bytes of memory per file beside its paths, which are held twice. */
const ENTRY_BYTES = 256;

/** @param source a slash at its end copies the contents of the folder */
export async function copyTree(
	from: RemoteFiles,
	to: OwnFiles,
	{
		source,
		target,
		mostBytes,
		space,
		names,
		scheduler,
		report,
	}: {
		readonly source: string;
		readonly target: string;
		readonly mostBytes: number;
		/** Space shared by all tries of a copy. */
		readonly space: CopySpace;
		readonly names: CopyNames;
		readonly scheduler: Scheduler;
		readonly report: (count: CopyCount) => void;
	},
): Promise<CopyCount> {
	const about = await from.stat(source);
	const isFolderHere = await kindHere(to, target);
	const isContents = source.endsWith('/');
	const isInside = !isContents && (about.kind === 'folder' || isFolderHere === 'folder');
	const root = isInside ? posix.join(target, posix.basename(source)) : target;
	await makeFolders(to, isInside ? target : posix.dirname(root));
	const top = {...about, from: source, to: root};
	const entries = await inTime(listTree(from, top, names), scheduler);
	const total = entries.reduce((sum, {kind, size}) => sum + (kind === 'file' ? size : 0), 0);
	if (total > mostBytes) throw new NoSpace();
	// Parts of files that have changed since the parts were begun are removed.
	const listed = entries.filter(({kind}) => kind === 'file');
	await findParts(to, listed, (part, bytes) => {
		names.take(part.length + ENTRY_BYTES);
		space.start(part, bytes);
	});
	await space.clear(to, new Set(listed.map(partOf).filter(space.isStarted)));
	let done = 0;
	let files = 0;
	for (const entry of entries) {
		if (entry.kind === 'folder') await makeFolders(to, entry.to);
		if (entry.kind === 'link') await copyLink(from, to, entry);
		if (entry.kind !== 'file') continue;
		files++;
		const count = (bytes: number) => {
			done += bytes;
			report({done, total, files});
		};
		await copyFile({from, to, space}, entry, count);
	}
	return {done, total, files};
}

async function inTime<Found>(listing: Promise<Found>, scheduler: Scheduler): Promise<Found> {
	const ending = new AbortController();
	const late = pause(scheduler, LONGEST_LISTING_SECONDS, ending.signal).then(() => {
		throw new Endless('the source takes longer than a quarter of an hour to say what is in it');
	});
	late.catch(() => undefined);
	listing.catch(() => undefined);
	try {
		return await Promise.race([listing, late]);
	} finally {
		ending.abort();
	}
}

async function listTree(
	from: RemoteFiles,
	root: Entry,
	names: CopyNames,
): Promise<readonly Entry[]> {
	const entries: Entry[] = [root];
	const add = (entry: Entry) => {
		entries.push(entry);
		names.take(2 * (entry.from.length + entry.to.length) + ENTRY_BYTES);
		if (entries.length > MOST_ENTRIES) throw new Endless('there are more than a million files');
	};
	for (const entry of entries) {
		if (entry.kind !== 'folder') continue;
		for await (const some of from.list(entry.from)) {
			for (const file of some) {
				const {name} = file;
				// Names come from another provider's host, and must not lead out of the folder.
				if (name === '.' || name === '..' || name === '' || name.includes('/')) continue;
				add({...file, from: posix.join(entry.from, name), to: posix.join(entry.to, name)});
			}
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

/**
 * Makes a folder and its parents. @throws if the root is missing, as after its instance was
 * destroyed
 */
async function makeFolders(to: OwnFiles, path: string): Promise<void> {
	const above = posix.dirname(path);
	if (above === path) return void (await to.stat(path));
	if ((await kindHere(to, path)) === 'folder') return;
	await makeFolders(to, above);
	await to.makeFolder(path, 0o755);
}

async function copyLink(from: RemoteFiles, to: OwnFiles, entry: Entry): Promise<void> {
	const there = await to.lstat(entry.to).catch(() => undefined);
	if (there?.isSymbolicLink() === true) await to.remove(entry.to);
	await to.link(await from.readLink(entry.from), entry.to);
}

type Copying = {readonly from: RemoteFiles; readonly to: OwnFiles; readonly space: CopySpace};

async function copyFile(
	{from, to, space}: Copying,
	entry: Entry,
	count: (bytes: number) => void,
): Promise<void> {
	const {from: source, to: target, size, mtime, mode} = entry;
	const there = await to.lstat(target).catch(() => undefined);
	const isSame =
		there?.isFile() === true && there.size === size && Math.floor(there.mtimeMs / 1000) === mtime;
	if (isSame) return count(size);
	const part = partOf(entry);
	const file = await to.open(part, constants.O_CREAT | constants.O_WRONLY, 0o600);
	try {
		const present = Math.min(size, (await file.stat()).size);
		space.start(part, present);
		count(present);
		await from.read(source, {from: present, to: size}, async (bytes, at) => {
			space.take(bytes.length);
			await file.write(bytes, 0, bytes.length, at);
			count(bytes.length);
		});
		if ((await file.stat()).size !== size) throw new Error(`${source} has changed meanwhile`);
	} finally {
		await file.close();
	}
	await to.change(part, {mode: mode & PERMITTED_MODE_BITS, atime: mtime, mtime});
	await to.rename(part, target);
	space.finish(part);
	space.giveBack(there?.size ?? 0);
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * The folders of a sandbox on this machine, and disks of a fixed size, each a mounted image file,
 * so that an instance can only fill up its own disk.
 */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {
	mkdir,
	mkdtemp,
	open,
	readFile,
	realpath,
	rm,
	statfs,
	type FileHandle,
	lstat,
	symlink,
} from 'node:fs/promises';
import {join, basename, dirname} from 'node:path';
import {promisify} from 'node:util';
import {CannotStart} from '../base/retry.ts';
import type {Site} from '../instance/site.ts';
import type {InsidePlan} from '../inside/inside.ts';

const run = promisify(execFile);

const LONGEST_MS = 60_000;

/** Image file of a disk, and the folder where it is mounted. */
export type Disk = {readonly image: string; readonly folder: string};

/** Overhead of a file system on its disk. */
const OVERHEAD_PART = 1.04;
const OVERHEAD_BYTES = 64 * 1024 * 1024;

const GB = 1e9;

/** Disks that are being opened, by their images. */
const opening = new Map<string, Promise<void>>();

/**
 * Mounts a disk, made if missing. Its sparse image grows with use. Two who open the same one at once
 * wait for the same.
 */
export async function openDisk(disk: Disk, bytes: number): Promise<void> {
	const {image} = disk;
	const opened = opening.get(image) ?? openNow(disk, bytes).finally(() => opening.delete(image));
	opening.set(image, opened);
	await opened;
}

async function openNow(disk: Disk, bytes: number): Promise<void> {
	const {image, folder} = disk;
	if (await isMounted(folder)) return;
	await mkdir(dirname(folder), {recursive: true, mode: 0o700});
	// An agent that is killed meanwhile leaves no folder that looks like a volume without a disk.
	if (!existsSync(image)) await makeImage(image, bytes);
	await mkdir(folder, {recursive: true, mode: 0o700});
	try {
		await mount(disk);
	} catch (error) {
		// Renters read this: the tools' own words have paths of the machine.
		throw new Error(
			'Its disk cannot be mounted on this machine. What is on it is kept, and no computing is charged. The provider has to start the agent where disks can be mounted: as root, with mount, losetup and a free loop device',
			{cause: error},
		);
	}
}

async function mount({image, folder}: Disk): Promise<void> {
	const [loop = ''] = (await tool('losetup', '-n', '-O', 'NAME', '-j', image)).split('\n');
	// Two loop devices of a file would not see each other's writes.
	const what = loop === '' ? ['-o', 'loop,nosuid,nodev', image] : ['-o', 'nosuid,nodev', loop];
	await tool('mount', ...what, folder);
}

/** File of an image that is being made. */
function draftOf(image: string): string {
	return `${image}.new`;
}

export async function removeImage(image: string): Promise<void> {
	for (const file of [draftOf(image), image]) await rm(file, {force: true});
}

async function makeImage(image: string, bytes: number): Promise<void> {
	const made = draftOf(image);
	await rm(made, {force: true});
	{
		await using file = await open(made, 'wx', 0o600);
		if (!(await reaches(file, bytes))) {
			throw new CannotStart(
				`This machine has no disk of ${Math.round(bytes / GB)} GB for one instance or volume: none of its files can be so large. Nothing runs, and its disk costs until you destroy it: rent a smaller one.`,
			);
		}
	}
	const later = 'lazy_itable_init=1,lazy_journal_init=1,nodiscard';
	await tool('mkfs.ext4', '-q', '-F', '-m', '0', '-E', later, made);
	await tool('mv', made, image);
}

/** Extends a file to a disk's size; false if the file system allows no such file. */
async function reaches(file: FileHandle, bytes: number): Promise<boolean> {
	try {
		await file.truncate(Math.ceil(bytes * OVERHEAD_PART) + OVERHEAD_BYTES);
		return true;
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EFBIG' || code === 'EINVAL' || code === 'ERR_OUT_OF_RANGE') return false;
		throw error;
	}
}

/** Bytes of the largest disk that a file in a folder can hold, up to a size. */
export async function largestDisk(folder: string, bytes: number): Promise<number> {
	const own = await mkdtemp(join(folder, 'trial-'));
	try {
		await using file = await open(join(own, 'image'), 'wx', 0o600);
		if (await reaches(file, bytes)) return bytes;
		let [least, most] = [0, bytes];
		while (most - least > GB) {
			const middle = (least + most) / 2;
			if (await reaches(file, middle)) least = middle;
			else most = middle;
		}
		return least;
	} finally {
		await rm(own, {recursive: true, force: true});
	}
}

/** Unmounts a disk, lazily if processes still have it open, and keeps its image. */
export async function closeDisk({folder}: Pick<Disk, 'folder'>): Promise<void> {
	if (await isMounted(folder)) await tool('umount', '-l', folder);
}

export async function isMounted(folder: string): Promise<boolean> {
	const [mounts, path] = await Promise.all([
		readFile('/proc/self/mountinfo', 'utf8').catch(() => ''),
		realpath(folder).catch(() => folder),
	]);
	return mounts.split('\n').some(line => unescaped(line.split(' ')[4] ?? '') === path);
}

/** Used bytes of a disk; undefined if not mounted. */
export async function usedBytes(folder: string): Promise<number | undefined> {
	if (!(await isMounted(folder))) return undefined;
	const {blocks, bfree, bsize} = await statfs(folder);
	return (blocks - bfree) * bsize;
}

/** Path from the list of mounts, where blanks are octal escapes. */
function unescaped(path: string): string {
	return path.replaceAll(/\\(\d{3})/g, (_, digits: string) =>
		String.fromCodePoint(Number.parseInt(digits, 8)),
	);
}

/** True if disks can be made in a folder: only the superuser may, and not everywhere. */
export async function canMakeDisks(folder: string): Promise<boolean> {
	const own = await mkdtemp(join(folder, 'trial-')).catch(() => undefined);
	if (own === undefined) return false;
	const disk = {image: join(own, 'image'), folder: join(own, 'disk')};
	try {
		await openDisk(disk, 1024 * 1024);
		await tool('umount', disk.folder);
		return true;
	} catch {
		return false;
	} finally {
		await rm(own, {recursive: true, force: true});
	}
}

async function tool(name: string, ...args: readonly string[]): Promise<string> {
	return (await run(name, args, {timeout: LONGEST_MS})).stdout;
}

type Folders = {
	/** Folders shown inside as home, workspace and `/tmp`. */
	readonly home: string;
	readonly workspace: string;
	readonly temporary: string;
};

/** Paths of the folders, existing or not. */
function foldersOf({own}: Site): Folders {
	return {home: join(own, 'home'), workspace: join(own, 'workspace'), temporary: join(own, 'tmp')};
}

/** The instance's own disk, which holds everything written inside. */
export function instanceDiskOf({own}: Pick<Site, 'own'>): Disk {
	return {image: join(own, 'disk.image'), folder: join(own, 'disk')};
}

/**
 * Makes missing folders.
 *
 * @param diskBytes Size of the instance's own disk; undefined for none.
 */
export async function makeFolders(site: Site, diskBytes: number | undefined): Promise<void> {
	const {own, log} = site;
	const folders = Object.values(foldersOf(site));
	const disk = instanceDiskOf(site);
	await mkdir(own, {recursive: true, mode: 0o700});
	if (diskBytes === undefined && !existsSync(disk.image)) {
		for (const folder of folders) await makeFolder(folder);
		return;
	}
	await openDisk(disk, diskBytes ?? 0);
	for (const folder of folders) {
		await makeFolder(join(disk.folder, basename(folder)));
		await makeLink(folder);
	}
	await makeLink(log);
}

async function makeFolder(path: string): Promise<void> {
	await mkdir(path, {recursive: true, mode: 0o700});
}

/** Makes a link, unless an earlier agent has made one. */
async function makeLink(path: string): Promise<void> {
	const isThere = await lstat(path).then(
		() => true,
		() => false,
	);
	if (!isThere) await symlink(join('disk', basename(path)), path);
}

type FoldersShownInside = Required<Pick<InsidePlan, 'folder' | 'writable'>> & {
	/** Path inside of the workspace. */
	readonly dataFolder: string;
};

/**
 * Real paths of the folders, and their paths inside.
 *
 * @param isApart True for a sandbox; otherwise the home holds everything.
 */
export async function foldersShownInside(
	site: Site,
	isApart: boolean,
): Promise<FoldersShownInside> {
	const {home, workspace, temporary} = foldersOf(site);
	const folder = await realpath(home);
	if (!isApart) {
		const dataFolder = join(folder, basename(workspace));
		await makeFolder(dataFolder);
		return {folder, writable: [], dataFolder};
	}
	const dataFolder = '/workspace';
	const writable = [
		{folder: await realpath(temporary), path: '/tmp'},
		{folder: await realpath(workspace), path: dataFolder},
	];
	return {folder, writable, dataFolder};
}

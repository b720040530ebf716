/** The folders of a sandbox on this machine. */
import {existsSync} from 'node:fs';
import {lstat, mkdir, realpath, symlink} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {Site} from '../instance/site.ts';
import {openDisk, type Disk} from './disk-images.ts';
import type {InsidePlan} from '../inside/inside.ts';

type Folders = {
	/** Folders seen inside as its home, as the place for its data, and as temporary files. */
	readonly home: string;
	readonly workspace: string;
	readonly temporary: string;
};

/** Paths of the folders, existing or not. */
function placesOf({own}: Site): Folders {
	return {home: join(own, 'home'), workspace: join(own, 'workspace'), temporary: join(own, 'tmp')};
}

/** The disk that it may have for itself: what is written to inside lies there. */
export function diskOf({own}: Pick<Site, 'own'>): Disk {
	return {image: join(own, 'disk.image'), folder: join(own, 'disk')};
}

/**
 * Makes the folders that are not there.
 *
 * @param diskBytes The size of the disk that it has for itself; undefined where it has none.
 */
export async function makeFolders(site: Site, diskBytes: number | undefined): Promise<void> {
	const {own, log} = site;
	const folders = Object.values(placesOf(site));
	const disk = diskOf(site);
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

export type SeenFolders = Required<Pick<InsidePlan, 'folder' | 'writable'>> & {
	/** Path inside of the folder for its data. */
	readonly dataFolder: string;
};

/**
 * Its folders, without links on the way, and where they are seen inside.
 *
 * @param isApart Whether it is a sandbox: otherwise, all that it has is in its home.
 */
export async function seenFolders(site: Site, isApart: boolean): Promise<SeenFolders> {
	const {home, workspace, temporary} = placesOf(site);
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

/** Where all that there is of an instance lies. */
import {existsSync} from 'node:fs';
import {lstat, mkdir, readdir, realpath, symlink} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {openDisk} from '../sandbox/disk-images.ts';
import type {Disk} from '../sandbox/disk-images.ts';
import {removeTree} from '../machine/trees.ts';

export type Site = {
	/** All of it lies in here. */
	readonly own: string;
	/** What it sees as its home, as the place for its data, and as what is not kept for long. */
	readonly home: string;
	readonly workspace: string;
	readonly temporary: string;
	readonly record: string;
	/** What its workload writes, and what the host notes about it. */
	readonly log: string;
	readonly hostLog: string;
	/** The code with which its workload ended. */
	readonly code: string;
	/** A disk of its own, where it has one: what is written to inside lies there. */
	readonly disk: Disk;
};

export function siteOf(folder: string, instanceId: number): Site {
	const own = join(folder, 'instances', String(instanceId));
	return {
		own,
		home: join(own, 'home'),
		workspace: join(own, 'workspace'),
		temporary: join(own, 'tmp'),
		record: join(own, 'instance.json'),
		log: join(own, 'out.log'),
		hostLog: join(own, 'host.log'),
		code: join(own, 'code'),
		disk: {image: join(own, 'disk.image'), folder: join(own, 'disk')},
	};
}

/**
 * Makes the folders that are not there.
 *
 * @param diskBytes The size of the disk that it has for itself; undefined where it has none.
 */
export async function makeSite(site: Site, diskBytes: number | undefined): Promise<void> {
	const {own, home, workspace, temporary, log, disk} = site;
	await mkdir(own, {recursive: true, mode: 0o700});
	if (diskBytes === undefined && !existsSync(disk.image)) {
		for (const folder of [home, workspace, temporary]) await makeFolder(folder);
		return;
	}
	await openDisk(disk, diskBytes ?? 0);
	for (const folder of [home, workspace, temporary]) {
		await makeFolder(join(disk.folder, basename(folder)));
		await makeLink(folder);
	}
	await makeLink(log);
}

async function makeFolder(path: string): Promise<void> {
	await mkdir(path, {recursive: true, mode: 0o700});
}

/** What an earlier agent has made stays, wherever it is. */
async function makeLink(path: string): Promise<void> {
	const isThere = await lstat(path).then(
		() => true,
		() => false,
	);
	if (!isThere) await symlink(join('disk', basename(path)), path);
}

/** Its folders, without links on the way. */
export async function foldersOf(site: Site) {
	const [home, workspace, temporary] = await Promise.all([
		realpath(site.home),
		realpath(site.workspace),
		realpath(site.temporary),
	]);
	return {home, workspace, temporary};
}

/**
 * Removes the files of an instance.
 *
 * @param keepsRecord Whether the record stays, with the API key of the instance.
 */
export async function removeFiles({own, record}: Site, keepsRecord: boolean): Promise<void> {
	if (!keepsRecord) {
		await removeTree(own);
		if (existsSync(own)) throw new Error(`${own} is still there`);
		return;
	}
	for (const file of await filesIn(own)) if (file !== record) await removeTree(file);
}

/** Whether nothing is left of an instance but its record. */
export async function hasRecordAlone({own, record}: Site): Promise<boolean> {
	return (await filesIn(own)).every(file => file === record);
}

async function filesIn(folder: string): Promise<readonly string[]> {
	const names = await readdir(folder).catch(() => []);
	return names.map(name => join(folder, name));
}

/** Volumes, which are folders beside the instances, and outlive these. */
import {existsSync} from 'node:fs';
import {
	constants,
	lstat,
	mkdir,
	open,
	readdir,
	readlink,
	realpath,
	rmdir,
	symlink,
} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {Work} from '../../contract/nouns/host-work.ts';
import {closeDisk, openDisk, removeImage, type Disk} from './folders.ts';
import type {MountLink} from './bubblewrap.ts';
import type {InsidePlan} from '../inside/inside.ts';
import type {InstanceLimits} from './control-groups.ts';
import {removeTree} from '../machine/trees.ts';
import {idsIn} from '../instance/site.ts';

type Mounts = InsidePlan['mounts'];

/** Folder of volumes, with the limits of their size. */
type VolumeFolders = {readonly folder: string; readonly limits: InstanceLimits | undefined};

const GB = 1e9;

/**
 * Makes a volume if missing, with a disk of its own if the machine supports disks. One that has a
 * disk is that disk, also for an agent that makes none: it is never a bare folder.
 */
export async function makeVolume(
	{folder, limits}: VolumeFolders,
	volumeId: number,
	gigabytes: number,
): Promise<string> {
	const disk = diskOf(folder, volumeId);
	const getsDisk = limits?.hasDisks === true && !existsSync(disk.folder);
	if (getsDisk || existsSync(disk.image)) await openDisk(disk, gigabytes * GB);
	await mkdir(disk.folder, {recursive: true, mode: 0o700});
	return realpath(disk.folder);
}

export async function removeVolumeDisk(folder: string, volumeId: number): Promise<void> {
	const disk = diskOf(folder, volumeId);
	await closeDisk(disk);
	await removeTree(disk.folder);
	await removeImage(disk.image);
}

/** Volumes with a folder, or a disk, also a half-made one. */
export async function listVolumes(folder: string): Promise<readonly number[]> {
	const names = await readdir(join(folder, 'volumes')).catch(() => []);
	return idsIn([...new Set(names.map(name => name.replace(/\.image(?:\.new)?$/, '')))]);
}

/** Unmounts the disks of all volumes, and keeps them. */
export async function closeVolumes(folder: string): Promise<void> {
	const names = await readdir(join(folder, 'volumes')).catch(() => []);
	for (const name of names) await closeDisk({folder: join(folder, 'volumes', name)});
}

function diskOf(folder: string, volumeId: number): Disk {
	const path = join(folder, 'volumes', String(volumeId));
	return {image: `${path}.image`, folder: path};
}

export async function mountsOf(folders: VolumeFolders, {mounts = []}: Work): Promise<Mounts> {
	return Promise.all(
		mounts.map(async ({volume_id: id, mount_path: path, size}) => ({
			folder: await makeVolume(folders, id, size),
			path,
		})),
	);
}

/**
 * Links volumes into the home, each by the last name of its path, for insides without mounts.
 */
export async function linkVolumes(home: string, mounts: Mounts): Promise<void> {
	for (const {folder, path} of mounts) {
		const link = join(home, basename(path));
		const isFree = await lstat(link).then(
			() => false,
			() => true,
		);
		if (isFree) await symlink(folder, link);
	}
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Makes the link to a volume inside, and returns whether it exists. Each folder on the way is
 * opened through its parent, so that links of the renter lead nowhere else.
 */
export async function linkInside({folder, path, target}: MountLink): Promise<boolean> {
	const names = path.split('/').filter(name => name !== '');
	const last = names.pop() ?? '';
	let handle = await open(folder, FOLDER);
	try {
		for (const name of names) {
			const inner = `/proc/self/fd/${handle.fd}/${name}`;
			await mkdir(inner, {mode: 0o755}).catch(() => undefined);
			const next = await open(inner, FOLDER);
			await handle.close();
			handle = next;
		}
		const link = `/proc/self/fd/${handle.fd}/${last}`;
		// An empty folder may be left over from an earlier mount.
		await rmdir(link).catch(() => undefined);
		await symlink(target, link).catch(() => undefined);
		return (await readlink(link)) === target;
	} catch {
		return false;
	} finally {
		await handle.close();
	}
}

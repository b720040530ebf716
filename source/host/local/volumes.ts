/** Volumes are folders beside the instances, which they outlive. */
import {lstat, mkdir, symlink} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {Work} from '../../contract/host-work.ts';
import type {RoomPlan} from '../rooms/room.ts';
import {removeTree} from './trees.ts';

export type Mounts = RoomPlan['mounts'];

export async function makeVolume(folder: string, volumeId: number): Promise<string> {
	const path = join(folder, 'volumes', String(volumeId));
	await mkdir(path, {recursive: true, mode: 0o700});
	return path;
}

export async function removeVolume(folder: string, volumeId: number): Promise<void> {
	await removeTree(join(folder, 'volumes', String(volumeId)));
}

/** What of an instance is on volumes, and where it finds that. */
export async function mountsOf(folder: string, {mounts = []}: Work): Promise<Mounts> {
	return Promise.all(
		mounts.map(async ({volume_id: id, mount_path: path}) => ({
			folder: await makeVolume(folder, id),
			path,
		})),
	);
}

/** Where nothing can be mounted, a volume is a link at home that has the last name of its path. */
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

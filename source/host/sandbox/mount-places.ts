/** Mount points of volumes inside a sandbox, so that nobody inside can move them. */
import {basename, isAbsolute, join, posix, relative} from 'node:path';
import type {RoomPlan} from '../inside/inside.ts';

type Mount = RoomPlan['mounts'][number];

/** A volume that is mounted elsewhere than it was asked for, and the link that leads to it. */
export type MountLink = {
	/** The folder of this machine that the link is in, and its path in there. */
	readonly folder: string;
	readonly path: string;
	readonly target: string;
};

export type MountPlaces = {
	readonly mounts: readonly Mount[];
	readonly links: readonly MountLink[];
};

/** Each sandbox has a file system of its own here. */
const APART = '/run/volumes';

/** Folders of the machine or of the kernel. */
const RESERVED = /^\/(?:$|(?:bin|dev|etc|lib\w*|opt\/rocm|proc|run|sbin|sys|usr)(?:\/|$))/;

/**
 * Mounts what is asked for where nobody inside can have replaced the mount point: bubblewrap follows
 * links to it on the machine. What is asked for within a folder that is written to inside is mounted
 * apart, and a link leads there.
 *
 * @param written What is written to inside: its folders on this machine, by their paths inside.
 */
export function mountPlaces(written: readonly Mount[], asked: readonly Mount[]): MountPlaces {
	const mounts: Mount[] = [];
	const links: MountLink[] = [];
	for (const {folder, path: given} of asked) {
		const path = posix.resolve('/', given);
		const around = containing([...written, ...asked], path);
		if (around === undefined && !RESERVED.test(path)) {
			mounts.push({folder, path});
			continue;
		}
		const target = join(APART, basename(folder));
		mounts.push({folder, path: target});
		if (around === undefined) continue;
		links.push({folder: around.folder, path: relative(around.path, path), target});
	}
	return {mounts, links};
}

/** The deepest of some folders in which a path lies. */
function containing(all: readonly Mount[], path: string): Mount | undefined {
	return all
		.filter(one => path !== one.path && isWithin(one.path, path))
		.toSorted((one, other) => other.path.length - one.path.length)[0];
}

export function isWithin(folder: string, path: string): boolean {
	const inside = relative(folder, path);
	return !inside.startsWith('..') && !isAbsolute(inside);
}

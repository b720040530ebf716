/** Resolves a path of an instance, part by part, without leaving the instance's folders. */
import {constants, existsSync, type Stats} from 'node:fs';
import {lstat, open, statfs, readlink} from 'node:fs/promises';
import {join, posix, relative, sep} from 'node:path';
import {isInFolder, type Inside} from './inside.ts';

/** Target of a path: an open folder, and the name of its entry, existing or not. */
export type Spot = {
	/** Path inside, without links. */
	readonly shown: string;
	readonly folder: Handle;
	/** Undefined for the folder itself. */
	readonly name: string | undefined;
	readonly isReadOnly: boolean;
};

/** Error for a path outside the instance's folders. */
export class NotOwn extends Error {
	override readonly name = 'NotOwn';
}

/** The most links that are followed, as in the kernel. */
const MOST_LINKS = 40;
const LONGEST_PATH = 4096;

type Root = {readonly folder: string; readonly path: string; readonly isReadOnly: boolean};

/**
 * Runs an action at a path's target, with its folder held open.
 *
 * @param followsLast True to follow a link at its end.
 */
export async function withPathTarget<Found>(
	inside: Inside,
	{path, followsLast}: {readonly path: string; readonly followsLast: boolean},
	action: (spot: Spot) => Promise<Found>,
): Promise<Found> {
	if (path.length > LONGEST_PATH || path.includes('\0')) throw new NotOwn('this path');
	let shown = posix.resolve(inside.home, path);
	for (let links = 0; links <= MOST_LINKS; links++) {
		if (shown.length > LONGEST_PATH) throw new NotOwn(shown.slice(0, LONGEST_PATH));
		const found = await walk(inside, shown, followsLast);
		if ('next' in found) {
			shown = found.next;
			continue;
		}
		try {
			return await action(found);
		} finally {
			await found.folder.close();
		}
	}
	throw Object.assign(new Error('too many links'), {code: 'ELOOP'});
}

/** Walks to the first link, and returns the link's target. */
async function walk(
	inside: Inside,
	shown: string,
	followsLast: boolean,
): Promise<Spot | {readonly next: string}> {
	const {folder: rootFolder, path, isReadOnly} = rootOf(inside, shown);
	const parts = posix
		.relative(path, shown)
		.split('/')
		.filter(part => part !== '');
	const name = parts.pop();
	let here = path;
	let folder = await holdRoot(rootFolder);
	try {
		if (inside.isStillOwn?.(rootFolder, folder.about) === false) throw new NotOwn(shown);
		for (const [index, part] of parts.entries()) {
			const next = await enter(folder, part);
			if (typeof next === 'string') {
				await folder.close();
				return {next: posix.resolve(here, next, ...parts.slice(index + 1), name ?? '')};
			}
			await folder.close();
			folder = next;
			here = posix.join(here, part);
		}
		const target = followsLast && name !== undefined ? await linkIn(folder, name) : undefined;
		if (target === undefined) return {shown, folder, name, isReadOnly};
		await folder.close();
		return {next: posix.resolve(here, target)};
	} catch (error) {
		await folder.close().catch(() => undefined);
		throw error;
	}
}

/** A folder in another one, or the target of a link there. */
async function enter(folder: Handle, name: string): Promise<Handle | string> {
	try {
		return await holdIn(folder, name, true);
	} catch (error) {
		const target = await linkIn(folder, name);
		if (target === undefined) throw error;
		return target;
	}
}

/** Target of a link; undefined for other files, and for missing ones. */
async function linkIn(folder: Handle, name: string): Promise<string | undefined> {
	return readlink(entryOf(folder, name)).catch(() => undefined);
}

/** The folder of this machine that contains a path, as the instance sees it. */
function rootOf(
	{folders, outside, readOnly = [], isReadOnly = false}: Inside,
	shown: string,
): Root {
	const shared = readOnly.find(path => isInFolder(path, shown));
	if (shared !== undefined) return {folder: shared, path: shared, isReadOnly: true};
	const named = outside(shown);
	if (named === undefined) throw new NotOwn(shown);
	const [folder] = folders
		.filter(one => isInFolder(one, named))
		.toSorted((one, other) => other.length - one.length);
	if (folder === undefined) throw new NotOwn(shown);
	const rest = relative(folder, named).split(sep).join('/');
	const depth = rest === '' ? 0 : rest.split('/').length;
	const path = posix.resolve(shown, ...Array.from({length: depth}, () => '..'));
	return {folder, path, isReadOnly};
}

/**
 * A folder or file that is held open, so that a renter who swaps it for a link changes nothing: calls
 * name entries through the open folder, and a file through its own descriptor.
 */
export type Handle = {
	/** A path that leads to exactly this file, even after renames. */
	readonly path: string;
	readonly about: Stats;
	readonly close: () => Promise<void>;
};

/**
 * O_PATH: refers to a file without opening it: opening a pipe would block, and a device might act.
 */
const NAMING = 0o10_000_000;

const {O_NOFOLLOW, O_DIRECTORY} = constants;

/** True on Linux. Other systems have neither such paths nor sandboxes. */
const hasNames = existsSync('/proc/self/fd');

/** File systems that hold users' files. Others, such as /proc, act when they are read. */
const fileSystems = new Set([
	0xef53, 0x01_02_19_94, 0x79_4c_76_30, 0x58_46_53_42, 0x91_23_68_3e, 0x2f_c1_2f_c1, 0xf2_f5_20_10,
	0x69_69, 0x65_73_55_46, 0x01_02_19_97, 0x6a_65_6a_63, 0x85_84_58_f6, 0xca_45_1a_4e, 0x73_71_73_68,
	0xe0_f5_e1_e2, 0x00_c3_64_00,
]);

/** Opens a folder of the provider; links on the way are allowed. */
export async function holdRoot(path: string): Promise<Handle> {
	return holdBy(path, NAMING);
}

/**
 * Holds a folder's entry.
 *
 * @throws Error for an entry on another kind of file system, such as one of the kernel's.
 */
export async function holdIn(folder: Handle, name: string, onlyFolders = false): Promise<Handle> {
	const held = await holdBy(
		entryOf(folder, name),
		NAMING | O_NOFOLLOW | (onlyFolders ? O_DIRECTORY : 0),
	);
	try {
		if (held.about.dev !== folder.about.dev && hasNames && !held.about.isSymbolicLink()) {
			const {type} = await statfs(held.path);
			if (!fileSystems.has(type)) throw new NotFiles();
		}
		return held;
	} catch (error) {
		await held.close();
		throw error;
	}
}

export class NotFiles extends Error {
	override readonly name = 'NotFiles';
}

/** Path of a folder's entry, existing or not, for calls that do not follow links. */
export function entryOf(folder: Handle, name: string): string {
	return join(folder.path, name);
}

async function holdBy(path: string, flags: number): Promise<Handle> {
	if (!hasNames) return {path, about: await lstat(path), close: async () => undefined};
	const handle = await open(path, flags);
	try {
		const about = await handle.stat();
		// An O_PATH descriptor has no data to lose: a failed close must not hide the action's own error.
		const close = async () => handle.close().catch(() => undefined);
		return {path: `/proc/self/fd/${handle.fd}`, about, close};
	} catch (error) {
		await handle.close();
		throw error;
	}
}

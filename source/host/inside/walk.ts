/** Finds where a path of an instance leads, part by part, without leaving what the instance sees. */
import {readlink} from 'node:fs/promises';
import {posix, relative, sep} from 'node:path';
import type {Inside} from './inside.ts';
import {holdIn, holdRoot, inside, type Held} from './open-folders.ts';

/** Target of a path: an open folder, and the name of its entry, existing or not. */
export type Spot = {
	/** Its path inside, without links. */
	readonly shown: string;
	readonly folder: Held;
	/** Undefined for the folder itself. */
	readonly name: string | undefined;
	readonly isReadOnly: boolean;
};

/** A path that leads nowhere that is the instance's own. */
export class NotOwn extends Error {
	override readonly name = 'NotOwn';
}

/** Links of a path that are followed, as the kernel has it. */
const MOST_LINKS = 40;
const LONGEST_PATH = 4096;

type Root = {readonly folder: string; readonly path: string; readonly isReadOnly: boolean};

/**
 * Has something done where a path leads, with its folder held open.
 *
 * @param followsLast Whether a link at its end is followed.
 */
export async function at<Found>(
	room: Inside,
	{path, followsLast}: {readonly path: string; readonly followsLast: boolean},
	action: (spot: Spot) => Promise<Found>,
): Promise<Found> {
	if (path.length > LONGEST_PATH || path.includes('\0')) throw new NotOwn('this path');
	let shown = posix.resolve(room.home, path);
	for (let links = 0; links <= MOST_LINKS; links++) {
		if (shown.length > LONGEST_PATH) throw new NotOwn(shown.slice(0, LONGEST_PATH));
		const found = await walk(room, shown, followsLast);
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

/** Goes as far as the first link, and answers where that leads. */
async function walk(
	room: Inside,
	shown: string,
	followsLast: boolean,
): Promise<Spot | {readonly next: string}> {
	const {folder: rootFolder, path, isReadOnly} = rootOf(room, shown);
	const parts = posix
		.relative(path, shown)
		.split('/')
		.filter(part => part !== '');
	const name = parts.pop();
	let here = path;
	let folder = await holdRoot(rootFolder);
	try {
		if (room.isStillOwn?.(rootFolder, folder.about) === false) throw new NotOwn(shown);
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

/** A folder in another one; where it is a link, its target. */
async function enter(folder: Held, name: string): Promise<Held | string> {
	try {
		return await holdIn(folder, name, true);
	} catch (error) {
		const target = await linkIn(folder, name);
		if (target === undefined) throw error;
		return target;
	}
}

/** Target of a link; undefined for other files, and for missing ones. */
async function linkIn(folder: Held, name: string): Promise<string | undefined> {
	return readlink(inside(folder, name)).catch(() => undefined);
}

/** The folder of this machine that a path lies in, as the instance sees it. */
function rootOf(
	{folders, outside, readOnly = [], isReadOnly = false}: Inside,
	shown: string,
): Root {
	const shared = readOnly.find(path => isWithin(path, shown));
	if (shared !== undefined) return {folder: shared, path: shared, isReadOnly: true};
	const named = outside(shown);
	if (named === undefined) throw new NotOwn(shown);
	const [folder] = folders
		.filter(one => isWithin(one, named))
		.toSorted((one, other) => other.length - one.length);
	if (folder === undefined) throw new NotOwn(shown);
	const rest = relative(folder, named).split(sep).join('/');
	const depth = rest === '' ? 0 : rest.split('/').length;
	const path = posix.resolve(shown, ...Array.from({length: depth}, () => '..'));
	return {folder, path, isReadOnly};
}

function isWithin(folder: string, path: string): boolean {
	const rest = relative(folder, path);
	return rest !== '..' && !rest.startsWith(`..${sep}`);
}

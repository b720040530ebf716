/** The files of an instance, for who is inside: what lies elsewhere on the machine is not reached. */
import {constants} from 'node:fs';
import {
	chmod,
	lchown,
	lstat,
	mkdir,
	open,
	readdir,
	readlink,
	realpath,
	rename,
	rm,
	rmdir,
	stat,
	symlink,
	truncate,
	utimes,
} from 'node:fs/promises';
import type {FileHandle} from 'node:fs/promises';
import {basename, dirname, isAbsolute, join, posix, relative} from 'node:path';
import type {Stats} from 'node:fs';
import type {Inside} from '../rooms/room.ts';

/** What is changed of a file; what is left out stays. Times are seconds since 1970. */
export type FileChange = {
	readonly mode?: number | undefined;
	readonly size?: number | undefined;
	readonly uid?: number | undefined;
	readonly gid?: number | undefined;
	readonly atime?: number | undefined;
	readonly mtime?: number | undefined;
};

/** A path that is not the instance's own. */
export class NotOwn extends Error {
	override readonly name = 'NotOwn';
}

export type OwnFiles = ReturnType<typeof ownFiles>;

export function ownFiles({home, folders, outside}: Pick<Inside, 'home' | 'folders' | 'outside'>) {
	/** Where something lies on this machine, however many links lead there. Its last part need not exist. */
	async function place(path: string, followsLast: boolean): Promise<string> {
		const named = outside(path);
		if (named === undefined) throw new NotOwn(path);
		if (folders.includes(named)) return named;
		const folder = await realpath(dirname(named));
		const real = join(folder, basename(named));
		const found = followsLast ? await resolved(real) : real;
		if (!(await isOwn(found))) throw new NotOwn(path);
		return found;
	}

	/** Whether a real path is below one of the folders that the room shows. */
	async function isOwn(found: string): Promise<boolean> {
		const roots = await Promise.all(folders.map(async folder => realpath(folder)));
		return roots.some(root => {
			const inside = relative(root, found);
			return !inside.startsWith('..') && !isAbsolute(inside);
		});
	}

	const shown = (path: string) => posix.resolve(home, path);
	return {
		/** A path as it is called inside, without dots. */
		shown,
		stat: async (path: string): Promise<Stats> => stat(await place(path, true)),
		lstat: async (path: string): Promise<Stats> => lstat(await place(path, false)),
		/** Opens a file; a link that appears in its place meanwhile is not followed. */
		open: async (path: string, flags: number, mode: number): Promise<FileHandle> =>
			open(await place(path, true), flags | constants.O_NOFOLLOW, mode),
		list: async (path: string): Promise<ReadonlyArray<readonly [name: string, about: Stats]>> => {
			const folder = await place(path, true);
			const names = await readdir(folder);
			const all = await Promise.all(
				names.map(async name =>
					lstat(join(folder, name)).then(
						stats => [name, stats] as const,
						// It went away meanwhile.
						() => undefined,
					),
				),
			);
			return all.filter(one => one !== undefined);
		},
		remove: async (path: string) => rm(await place(path, false)),
		removeFolder: async (path: string) => rmdir(await place(path, false)),
		makeFolder: async (path: string, mode: number) => mkdir(await place(path, false), {mode}),
		rename: async (from: string, to: string) =>
			rename(await place(from, false), await place(to, false)),
		readLink: async (path: string) => readlink(await place(path, false)),
		link: async (target: string, path: string) => symlink(target, await place(path, false)),
		change: async (path: string, change: FileChange) => changeFile(await place(path, true), change),
	};
}

/** Where links lead; a path at which nothing is, itself. */
async function resolved(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return path;
		throw error;
	}
}

async function changeFile(file: string, change: FileChange): Promise<void> {
	const {mode, size, uid, gid, atime, mtime} = change;
	if (size !== undefined) await truncate(file, size);
	if (uid !== undefined && gid !== undefined) await lchown(file, uid, gid).catch(() => undefined);
	if (mode !== undefined) await chmod(file, mode & 0o7777);
	if (atime !== undefined && mtime !== undefined) await utimes(file, atime, mtime);
}

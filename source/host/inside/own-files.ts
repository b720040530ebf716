/** The files of an instance, for SSH and copies: no path leads out of the instance's folders. */
import {constants, type Stats} from 'node:fs';
import {
	chmod,
	lchown,
	lstat,
	mkdir,
	open,
	opendir,
	readlink,
	rename,
	rmdir,
	symlink,
	truncate,
	unlink,
	utimes,
	type FileHandle,
} from 'node:fs/promises';
import {once} from 'node:events';
import type {Server} from 'node:net';
import {posix} from 'node:path';
import process from 'node:process';
import type {Inside} from './inside.ts';
import {holdIn, holdRoot, entryOf, type Handle, withPathTarget, NotOwn, type Spot} from './walk.ts';

/** Changes of a file's attributes; missing ones stay. Times are seconds since 1970. */
type FileChange = {
	readonly mode?: number | undefined;
	readonly size?: number | undefined;
	readonly atime?: number | undefined;
	readonly mtime?: number | undefined;
};

export type OwnFiles = ReturnType<typeof ownFiles>;

type Listed = readonly [name: string, about: Stats];

const {O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_WRONLY, O_RDWR, O_TRUNC} = constants;
const WRITING = O_WRONLY | O_RDWR | O_TRUNC | O_CREAT;

/** Permitted mode bits of a file, without setuid and setgid. */
export const PERMITTED_MODE_BITS = 0o1777;

export function ownFiles(inside: Inside) {
	/** Runs an action on the file at a path, which is held open meanwhile. */
	const held = async <Found>(path: string, followsLast: boolean, action: Action<Found>) =>
		withPathTarget(inside, {path, followsLast}, async spot => withHeld(spot, action));
	/** Runs an action on the name at a path, existing or not. */
	const named = async <Found>(path: string, action: (name: string, spot: Spot) => Promise<Found>) =>
		withPathTarget(inside, {path, followsLast: false}, async spot => action(nameIn(spot), spot));

	return {
		/** Absolute path inside, without dots. */
		shown: (path: string) => posix.resolve(inside.home, path),
		stat: async (path: string): Promise<Stats> => held(path, true, async ({about}) => about),
		lstat: async (path: string): Promise<Stats> => held(path, false, async ({about}) => about),
		open: async (path: string, flags: number, mode: number): Promise<FileHandle> =>
			withPathTarget(inside, {path, followsLast: true}, async spot =>
				openFile(spot, flags, mode & PERMITTED_MODE_BITS),
			),
		/** Opens a folder, to read its names a few at a time. */
		list: async (path: string): Promise<OpenFolder> =>
			held(path, true, async folder => openFolder(folder)),
		remove: async (path: string) => named(path, unlink),
		removeFolder: async (path: string) => named(path, rmdir),
		makeFolder: async (path: string, mode: number) =>
			named(path, async (name, spot) => {
				await mkdir(name, {mode: mode & PERMITTED_MODE_BITS});
				await giveToOwner(name, spot);
			}),
		/** Opens a connection to the socket at a path, by a name that can lead nowhere else. */
		connectAt: async <Opened>(path: string, connect: (name: string) => Promise<Opened>) =>
			held(path, true, async ({about, path: name}, {shown, isReadOnly}) => {
				if (!about.isSocket() || isReadOnly) throw new NotOwn(shown);
				return connect(name);
			}),
		/** Makes a server listen at a path during an action; the name is removed afterwards. */
		listenAt: async (path: string, server: Server, action: () => Promise<void>) =>
			named(path, async (name, spot) => {
				server.listen(name);
				await once(server, 'listening');
				try {
					await giveToOwner(name, spot);
					await action();
				} finally {
					// Only while the folder is held open: the path goes through its descriptor.
					server.close();
				}
			}),
		rename: async (from: string, to: string) =>
			named(from, async source => named(to, async target => rename(source, target))),
		readLink: async (path: string) =>
			withPathTarget(inside, {path, followsLast: false}, async ({folder, name}) =>
				readlink(name === undefined ? folder.path : entryOf(folder, name)),
			),
		link: async (target: string, path: string) =>
			named(path, async (name, spot) => {
				await symlink(target, name);
				await giveToOwner(name, spot);
			}),
		change: async (path: string, change: FileChange) =>
			held(path, true, async (file, spot) => changeFile(file, spot, change)),
	};
}

type Action<Found> = (held: Handle, spot: Spot) => Promise<Found>;

async function withHeld<Found>(spot: Spot, action: Action<Found>): Promise<Found> {
	const {folder, name} = spot;
	if (name === undefined) return action(folder, spot);
	const held = await holdIn(folder, name);
	try {
		return await action(held, spot);
	} finally {
		await held.close();
	}
}

/** Name of an entry to make or remove. Shown folders themselves cannot be removed. */
function nameIn({folder, name, shown, isReadOnly}: Spot): string {
	if (name === undefined || isReadOnly) throw new NotOwn(shown);
	return entryOf(folder, name);
}

async function openFile(spot: Spot, flags: number, mode: number): Promise<FileHandle> {
	const {shown, isReadOnly} = spot;
	if (isReadOnly && (flags & WRITING) !== 0) throw new NotOwn(shown);
	if ((flags & O_CREAT) !== 0) {
		const made = await makeFile(spot, flags, mode);
		const owner = ownerOf(spot);
		if (made !== undefined) return ownedBy(made, owner);
	}
	return withHeld(spot, async ({about, path}) => {
		// Opening a pipe would block, and a device might act.
		if (!about.isFile()) throw new NotOwn(shown);
		return open(path, (flags & ~(O_CREAT | O_EXCL)) | O_NONBLOCK);
	});
}

/**
 * Changes the owner of a new file, and closes the file if that fails, because no caller has it yet.
 */
async function ownedBy(file: FileHandle, owner: Stats | undefined): Promise<FileHandle> {
	try {
		if (owner !== undefined) await file.chown(owner.uid, owner.gid);
		return file;
	} catch (error) {
		await file.close();
		throw error;
	}
}

/** Makes a file; undefined if one exists and may be used. */
async function makeFile(spot: Spot, flags: number, mode: number): Promise<FileHandle | undefined> {
	const name = nameIn(spot);
	try {
		return await open(name, flags | O_EXCL | O_NOFOLLOW, mode);
	} catch (error) {
		const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
		if (!isThere || (flags & O_EXCL) !== 0) throw error;
		return undefined;
	}
}

/** Owner of new files, unless it is the agent's user: some sandboxes run as others. */
function ownerOf({folder: {about}}: Spot): Stats | undefined {
	return process.getuid?.() === 0 && about.uid !== 0 ? about : undefined;
}

async function giveToOwner(name: string, spot: Spot): Promise<void> {
	const owner = ownerOf(spot);
	if (owner !== undefined) await lchown(name, owner.uid, owner.gid);
}

export type OpenFolder = {
	/** The next names; none at the end. */
	readonly next: (most: number) => Promise<readonly Listed[]>;
	readonly close: () => Promise<void>;
};

async function openFolder({path}: Handle): Promise<OpenFolder> {
	const folder = await holdRoot(path);
	const names = await opendir(path).catch(async (error: unknown) => {
		await folder.close();
		throw error;
	});
	return {
		async next(most) {
			const all: Listed[] = [];
			while (all.length < most) {
				const entry = await names.read();
				if (entry === null) break;
				// Skip an entry that was removed meanwhile.
				const about = await lstat(entryOf(folder, entry.name)).catch(() => undefined);
				if (about !== undefined) all.push([entry.name, about]);
			}
			return all;
		},
		async close() {
			try {
				await names.close();
			} finally {
				await folder.close();
			}
		},
	};
}

async function changeFile(file: Handle, spot: Spot, change: FileChange): Promise<void> {
	const {mode, size, atime, mtime} = change;
	if (spot.isReadOnly || file.about.isSymbolicLink()) throw new NotOwn(spot.shown);
	if (size !== undefined) {
		if (!file.about.isFile()) throw new NotOwn(spot.shown);
		await truncate(file.path, size);
	}
	if (mode !== undefined) await chmod(file.path, mode & PERMITTED_MODE_BITS);
	if (atime !== undefined && mtime !== undefined) await utimes(file.path, atime, mtime);
}

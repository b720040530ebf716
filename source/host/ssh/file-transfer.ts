/**
 * Transfer of files, as scp, sftp and editors do it. Requests are answered one after the other: a
 * client that gets answers in another order writes files that are cut short, and does not notice.
 */
import type {Stats} from 'node:fs';
import {constants} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import ssh2 from 'ssh2';
import type {Attributes, SFTPWrapper} from 'ssh2';
import type {Inside} from '../rooms/room.ts';
import {NotOwn, ownFiles} from './own-files.ts';
import type {OwnFiles} from './own-files.ts';
import {readPieces, writePieces} from './file-pieces.ts';
import {createRequestQueue} from './request-queue.ts';
import type {RequestQueue} from './request-queue.ts';

const {OPEN_MODE, STATUS_CODE} = ssh2.utils.sftp;

/** What a client has open: a file, or what is left to be told of a folder. */
type Opened = FileHandle | Array<readonly [name: string, about: Stats]>;

type Transfer = {
	readonly sftp: SFTPWrapper;
	readonly files: OwnFiles;
	readonly opened: Map<number, Opened>;
} & Pick<RequestQueue, 'next' | 'piece'>;

const MOST_OPEN = 256;
const LONGEST_READ = 256 * 1024;
const NAMES_AT_ONCE = 100;

export function serveFiles(sftp: SFTPWrapper, room: Inside): void {
	const opened = new Map<number, Opened>();
	const {next, piece, idle} = createRequestQueue((request, error) =>
		sftp.status(request, statusOf(error)),
	);
	const transfer: Transfer = {sftp, files: ownFiles(room), opened, next, piece};
	serveHandles(transfer);
	serveFolders(transfer);
	servePaths(transfer);
	sftp.on('error', () => undefined);
	sftp.on('end', () => void idle().then(() => finish(sftp)));
	sftp.on('close', () => {
		for (const one of opened.values()) if (!Array.isArray(one)) void one.close();
	});
}

function serveHandles({sftp, files, opened, next, piece}: Transfer): void {
	let count = 0;
	sftp.on('OPEN', (request, path, flags, {mode}) =>
		next(request, async () => {
			if (opened.size >= MOST_OPEN) throw new Error('too many files are open');
			const file = await files.open(path, flagsOf(flags), permissionsOf(mode, 0o644));
			count += 1;
			opened.set(count, file);
			sftp.handle(request, writeHandle(count));
		}),
	);
	sftp.on('READ', (request, handle, offset, asked) => {
		const length = Math.min(asked, LONGEST_READ);
		piece({request, handle, offset, length}, async pieces => {
			for (const [{request: one}, bytes] of await readPieces(fileOf(opened, handle), pieces)) {
				if (bytes.length === 0) sftp.status(one, STATUS_CODE.EOF);
				else sftp.data(one, bytes);
			}
		});
	});
	sftp.on('WRITE', (request, handle, offset, data) =>
		piece({request, handle, offset, data, length: data.length}, async pieces => {
			await writePieces(fileOf(opened, handle), pieces);
			for (const {request: one} of pieces) sftp.status(one, STATUS_CODE.OK);
		}),
	);
	sftp.on('FSTAT', (request, handle) =>
		next(request, async () => sftp.attrs(request, about(await fileOf(opened, handle).stat()))),
	);
	sftp.on('FSETSTAT', (request, handle, {mode, size, atime, mtime}) =>
		next(request, async () => {
			const file = fileOf(opened, handle);
			if (isGiven(size)) await file.truncate(size);
			if (isGiven(mode)) await file.chmod(mode & 0o7777);
			if (isGiven(atime) && isGiven(mtime)) await file.utimes(atime, mtime);
			sftp.status(request, STATUS_CODE.OK);
		}),
	);
	sftp.on('CLOSE', (request, handle) =>
		next(request, async () => {
			const one = openedBy(opened, handle);
			opened.delete(handle.readUInt32BE(0));
			if (!Array.isArray(one)) await one.close();
			sftp.status(request, STATUS_CODE.OK);
		}),
	);
	sftp.on('OPENDIR', (request, path) =>
		next(request, async () => {
			const list = [...(await files.list(path))];
			count += 1;
			opened.set(count, list);
			sftp.handle(request, writeHandle(count));
		}),
	);
}

function serveFolders({sftp, files, opened, next}: Transfer): void {
	sftp.on('READDIR', (request, handle) =>
		next(request, async () => {
			const list = openedBy(opened, handle);
			if (!Array.isArray(list)) throw new Error('it is a file');
			const some = list.splice(0, NAMES_AT_ONCE);
			if (some.length === 0) {
				sftp.status(request, STATUS_CODE.EOF);
				return;
			}
			const names = some.map(([filename, stats]) => ({
				filename,
				longname: lineOf(filename, stats),
				attrs: about(stats),
			}));
			sftp.name(request, names);
		}),
	);
	sftp.on('REALPATH', (request, path) =>
		next(request, async () => {
			const filename = files.shown(path);
			sftp.name(request, [{filename, longname: filename, attrs: nothing}]);
		}),
	);
	sftp.on('READLINK', (request, path) =>
		next(request, async () => {
			const filename = await files.readLink(path);
			sftp.name(request, [{filename, longname: filename, attrs: nothing}]);
		}),
	);
}

function servePaths({sftp, files, next}: Transfer): void {
	const done = (request: number, deed: () => Promise<unknown>) =>
		next(request, async () => {
			await deed();
			sftp.status(request, STATUS_CODE.OK);
		});
	sftp.on('STAT', (request, path) =>
		next(request, async () => sftp.attrs(request, about(await files.stat(path)))),
	);
	sftp.on('LSTAT', (request, path) =>
		next(request, async () => sftp.attrs(request, about(await files.lstat(path)))),
	);
	sftp.on('SETSTAT', (request, path, {mode, size, uid, gid, atime, mtime}) =>
		done(request, async () => files.change(path, {mode, size, uid, gid, atime, mtime})),
	);
	sftp.on('REMOVE', (request, path) => done(request, async () => files.remove(path)));
	sftp.on('RMDIR', (request, path) => done(request, async () => files.removeFolder(path)));
	sftp.on('MKDIR', (request, path, {mode}) =>
		done(request, async () => files.makeFolder(path, permissionsOf(mode, 0o755))),
	);
	sftp.on('RENAME', (request, from, to) => done(request, async () => files.rename(from, to)));
	sftp.on('SYMLINK', (request, path, target) =>
		done(request, async () => files.link(target, path)),
	);
}

/** Ends a transfer that went well: a client that hears of no code takes it for one that failed. */
function finish(sftp: SFTPWrapper): void {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library has a way to say it for all channels but this kind
	const {outgoing, _protocol: protocol} = sftp as SFTPWrapper & Told;
	if (outgoing.state === 'open') protocol.exitStatus(outgoing.id, 0);
	sftp.end();
}

type Told = {
	readonly outgoing: {readonly id: number; readonly state: string};
	readonly _protocol: {readonly exitStatus: (channel: number, code: number) => void};
};

function openedBy(opened: ReadonlyMap<number, Opened>, handle: Buffer): Opened {
	const one = handle.length === 4 ? opened.get(handle.readUInt32BE(0)) : undefined;
	if (one === undefined) throw new Error('it is not open');
	return one;
}

function fileOf(opened: ReadonlyMap<number, Opened>, handle: Buffer): FileHandle {
	const one = openedBy(opened, handle);
	if (Array.isArray(one)) throw new Error('it is a folder');
	return one;
}

function writeHandle(number: number): Buffer {
	const handle = Buffer.alloc(4);
	handle.writeUInt32BE(number);
	return handle;
}

/** The protocol's ways to open a file, as the system has them. */
function flagsOf(flags: number): number {
	const has = (flag: number) => (flags & flag) !== 0;
	const both = has(OPEN_MODE.READ) && has(OPEN_MODE.WRITE);
	return (
		(both ? constants.O_RDWR : has(OPEN_MODE.WRITE) ? constants.O_WRONLY : constants.O_RDONLY) |
		(has(OPEN_MODE.APPEND) ? constants.O_APPEND : 0) |
		(has(OPEN_MODE.CREAT) ? constants.O_CREAT : 0) |
		(has(OPEN_MODE.TRUNC) ? constants.O_TRUNC : 0) |
		(has(OPEN_MODE.EXCL) ? constants.O_EXCL : 0)
	);
}

/** Types call these numbers always there; clients leave them out. */
function isGiven(value: number | undefined): value is number {
	return value !== undefined;
}

function permissionsOf(mode: number | undefined, usual: number): number {
	return isGiven(mode) ? mode & 0o7777 : usual;
}

const nothing: Attributes = {mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0};

function about({mode, uid, gid, size, atimeMs, mtimeMs}: Stats): Attributes {
	return {
		mode,
		uid,
		gid,
		size,
		atime: Math.floor(atimeMs / 1000),
		mtime: Math.floor(mtimeMs / 1000),
	};
}

/** A line as `ls -l` writes it, for clients that show it as it is. */
function lineOf(name: string, stats: Stats): string {
	const kind = stats.isDirectory() ? 'd' : stats.isSymbolicLink() ? 'l' : '-';
	const rights = Array.from('rwxrwxrwx').map((letter, index) =>
		(stats.mode & (1 << (8 - index))) === 0 ? '-' : letter,
	);
	const when = stats.mtime.toISOString().slice(0, 16).replace('T', ' ');
	return `${kind}${rights.join('')} ${stats.nlink} root root ${stats.size} ${when} ${name}`;
}

function statusOf(error: unknown): number {
	if (error instanceof NotOwn) return STATUS_CODE.PERMISSION_DENIED;
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'ENOENT' || code === 'ENOTDIR') return STATUS_CODE.NO_SUCH_FILE;
	if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') {
		return STATUS_CODE.PERMISSION_DENIED;
	}
	return STATUS_CODE.FAILURE;
}

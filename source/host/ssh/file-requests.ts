import {constants} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {
	attributesPacket,
	dataPacket,
	handlePacket,
	limitsPacket,
	namePacket,
	REQUEST,
	STATUS,
	statusPacket,
	versionPacket,
	type Reader,
} from './file-packets.ts';
import {readPieces, writePieces, type Piece} from './request-queue.ts';
import {PERMITTED_MODE_BITS, type OpenFolder, type OwnFiles} from '../inside/own-files.ts';
import type {Semaphore} from './connection-limits.ts';

export class Unsupported extends Error {
	override readonly name = 'Unsupported';
}

type Answering = {
	/** Replies to the oldest open request. */
	readonly answer: (packet: Buffer) => void;
	/** Fulfils when the client accepts more. */
	readonly ready: () => Promise<void>;
	/** The pieces that may be read now, whose bytes are then counted. */
	readonly readable: (pieces: readonly Piece[]) => readonly Piece[];
	/** Slots for open files and folders, shared by all transfers of the instance. */
	readonly slots: Semaphore;
};

type Action = (id: number, reader: Reader) => Promise<Buffer>;

const MOST_OPEN = 256;
const NAMES_AT_ONCE = 100;

export function createFileRequests(files: OwnFiles, {answer, ready, readable, slots}: Answering) {
	const opened = createOpened(slots);
	const actions: ReadonlyMap<number, Action> = new Map([
		...openings(files, opened),
		...attributeActions(files),
		...changes(files),
	]);
	return {
		/** Reads or writes consecutive pieces of a file, and returns the number done. */
		async move(pieces: readonly Piece[]): Promise<number> {
			await ready();
			const [first] = pieces;
			if (first === undefined) return 0;
			const file = opened.file(first.handle);
			if (first.data !== undefined) {
				await writePieces(file, pieces);
				for (const {request} of pieces) answer(statusPacket(request, STATUS.ok));
				return pieces.length;
			}
			const parts = await readPieces(file, readable(pieces));
			for (const [{request}, bytes] of parts) {
				if (bytes.length === 0) answer(statusPacket(request, STATUS.end));
				else answer(dataPacket(request, bytes));
			}
			return parts.length;
		},
		async handle(kind: number, id: number, reader: Reader): Promise<void> {
			await ready();
			const action = actions.get(kind);
			if (action === undefined) throw new Unsupported();
			answer(await action(id, reader));
		},
		close: async () => opened.close(),
	};
}

type Opened = ReturnType<typeof createOpened>;

type Open = {readonly what: FileHandle | OpenFolder; readonly giveBack: () => void};

async function close({what, giveBack}: Open): Promise<void> {
	try {
		await what.close();
	} finally {
		giveBack();
	}
}

/** Open files and folders of a client, by their handles. */
function createOpened(slots: Semaphore) {
	const all = new Map<number, Open>();
	let count = 0;
	const find = (handle: Buffer) => {
		const found = handle.length === 4 ? all.get(handle.readUInt32BE(0)) : undefined;
		if (found === undefined) throw new Error('this handle is not open');
		return found;
	};
	return {
		async open(begin: () => Promise<FileHandle | OpenFolder>): Promise<number> {
			const giveBack = all.size < MOST_OPEN ? slots.take() : undefined;
			if (giveBack === undefined) throw new Error('too many files are open');
			try {
				const what = await begin();
				count += 1;
				all.set(count, {what, giveBack});
				return count;
			} catch (error) {
				giveBack();
				throw error;
			}
		},
		file(handle: Buffer): FileHandle {
			const {what} = find(handle);
			if ('next' in what) throw new Error('it is a folder');
			return what;
		},
		folder(handle: Buffer): OpenFolder {
			const {what} = find(handle);
			if (!('next' in what)) throw new Error('it is a file');
			return what;
		},
		async remove(handle: Buffer): Promise<void> {
			const found = find(handle);
			all.delete(handle.readUInt32BE(0));
			await close(found);
		},
		/** Closes all, even if one fails. */
		async close(): Promise<void> {
			await Promise.allSettled([...all.values()].map(close));
		},
	};
}

type Actions = ReadonlyArray<readonly [kind: number, action: Action]>;

function openings(files: OwnFiles, opened: Opened): Actions {
	const open = async (id: number, begin: () => Promise<FileHandle | OpenFolder>) =>
		handlePacket(id, await opened.open(begin));
	return [
		[REQUEST.init, async () => versionPacket()],
		[
			REQUEST.open,
			async (id, reader) => {
				const [path, flags, {mode = 0o644}] = [reader.text(), reader.number(), reader.attributes()];
				return open(id, async () => files.open(path, flagsOf(flags), mode));
			},
		],
		[REQUEST.opendir, async (id, reader) => open(id, async () => files.list(reader.text()))],
		[
			REQUEST.readdir,
			async (id, reader) => {
				const names = await opened.folder(reader.bytes()).next(NAMES_AT_ONCE);
				return names.length === 0 ? statusPacket(id, STATUS.end) : namePacket(id, names);
			},
		],
		[
			REQUEST.fstat,
			async (id, reader) => attributesPacket(id, await opened.file(reader.bytes()).stat()),
		],
		[
			REQUEST.fsetstat,
			async (id, reader) => {
				const file = opened.file(reader.bytes());
				const {mode, size, atime, mtime} = reader.attributes();
				if (size !== undefined) await file.truncate(size);
				if (mode !== undefined) await file.chmod(mode & PERMITTED_MODE_BITS);
				if (atime !== undefined && mtime !== undefined) await file.utimes(atime, mtime);
				return statusPacket(id, STATUS.ok);
			},
		],
		[
			REQUEST.close,
			async (id, reader) => {
				await opened.remove(reader.bytes());
				return statusPacket(id, STATUS.ok);
			},
		],
	];
}

function attributeActions(files: OwnFiles): Actions {
	return [
		[REQUEST.stat, async (id, reader) => attributesPacket(id, await files.stat(reader.text()))],
		[REQUEST.lstat, async (id, reader) => attributesPacket(id, await files.lstat(reader.text()))],
		[
			REQUEST.realpath,
			async (id, reader) => namePacket(id, [[files.shown(reader.text()), undefined]]),
		],
		[
			REQUEST.readlink,
			async (id, reader) => namePacket(id, [[await files.readLink(reader.text()), undefined]]),
		],
	];
}

function done(action: (reader: Reader) => Promise<unknown>): Action {
	return async (id, reader) => {
		await action(reader);
		return statusPacket(id, STATUS.ok);
	};
}

function changes(files: OwnFiles): Actions {
	const rename = async (reader: Reader) => files.rename(reader.text(), reader.text());
	return [
		[REQUEST.setstat, done(async reader => files.change(reader.text(), reader.attributes()))],
		[REQUEST.remove, done(async reader => files.remove(reader.text()))],
		[REQUEST.rmdir, done(async reader => files.removeFolder(reader.text()))],
		[
			REQUEST.mkdir,
			done(async reader => {
				const [path, {mode = 0o755}] = [reader.text(), reader.attributes()];
				return files.makeFolder(path, mode);
			}),
		],
		[REQUEST.rename, done(rename)],
		// OpenSSH sends the target first, contrary to the draft, and other clients copy that.
		[REQUEST.symlink, done(async reader => files.link(reader.text(), reader.text()))],
		[
			REQUEST.extended,
			async (id, reader) => {
				const name = reader.text();
				if (name === 'limits@openssh.com') return limitsPacket(id, MOST_OPEN);
				if (name !== 'posix-rename@openssh.com') throw new Unsupported();
				await rename(reader);
				return statusPacket(id, STATUS.ok);
			},
		],
	];
}

const OPEN = {read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32} as const;

function flagsOf(flags: number): number {
	const has = (flag: number) => (flags & flag) !== 0;
	const both = has(OPEN.read) && has(OPEN.write);
	return (
		(both ? constants.O_RDWR : has(OPEN.write) ? constants.O_WRONLY : constants.O_RDONLY) |
		(has(OPEN.append) ? constants.O_APPEND : 0) |
		(has(OPEN.create) ? constants.O_CREAT : 0) |
		(has(OPEN.truncate) ? constants.O_TRUNC : 0) |
		(has(OPEN.exclusive) ? constants.O_EXCL : 0)
	);
}

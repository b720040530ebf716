/** Files of another instance, read by SFTP. The module is slow to load: import it when needed. */
import {once} from 'node:events';
import {promisify} from 'node:util';
import ssh2 from 'ssh2';
import type {ConnectConfig, FileEntryWithStats, SFTPWrapper, Stats} from 'ssh2';

export type RemoteFile = {
	readonly name: string;
	readonly kind: 'file' | 'folder' | 'link' | 'other';
	readonly size: number;
	/** Seconds since 1970. */
	readonly mtime: number;
	readonly mode: number;
};

export type RemoteFiles = {
	/** The file at a path; for a link, its target. */
	readonly stat: (path: string) => Promise<RemoteFile>;
	/** Files of a folder, some at a time: there may be very many. */
	readonly list: (path: string) => AsyncIterable<readonly RemoteFile[]>;
	readonly readLink: (path: string) => Promise<string>;
	/** Passes on a file's bytes from an offset, in order. */
	readonly read: (
		path: string,
		range: {readonly from: number; readonly to: number},
		take: (bytes: Buffer, at: number) => Promise<unknown>,
	) => Promise<void>;
	readonly close: () => void;
};

/** Keepalives, by which a connection silent for half a minute counts as broken. */
const alive = {
	algorithms: {serverHostKey: ['ssh-ed25519'], compress: ['none']},
	readyTimeout: 15_000,
	keepaliveInterval: 10_000,
	keepaliveCountMax: 3,
} satisfies ConnectConfig;

/** Reads at once, enough to fill a fast connection over any distance. */
const READS_AT_ONCE = 64;
const BYTES_AT_ONCE = 32 * 1024;

export function makeCopyKey(): {readonly privateKey: string; readonly publicKey: string} {
	for (;;) {
		const {private: privateKey, public: line} = ssh2.utils.generateKeyPairSync('ed25519');
		const [type = '', data = ''] = line.trim().split(' ');
		// About one in some hundred keys that the library makes is unreadable.
		if (!(ssh2.utils.parseKey(privateKey) instanceof Error)) {
			return {privateKey, publicKey: `${type} ${data}`};
		}
	}
}

type RemoteServer = {
	readonly host: string;
	readonly port: number;
	/** Expected public host key. */
	readonly hostKey: string;
	readonly privateKey: string;
};

export class WrongHost extends Error {
	override readonly name = 'WrongHost';
	constructor() {
		super("another host answers than the source's");
	}
}

export async function openRemoteFiles(
	{host, port, hostKey, privateKey}: RemoteServer,
	signal: AbortSignal,
): Promise<RemoteFiles> {
	const client = new ssh2.Client();
	// Later errors reject the pending calls.
	client.on('error', () => undefined);
	const expected = Buffer.from(hostKey.split(' ')[1] ?? '', 'base64');
	let isExpected = true;
	const quit = (): void => void client.destroy();
	signal.addEventListener('abort', quit, {once: true});
	try {
		const ready = once(client, 'ready');
		const closed = once(client, 'close').then(() => {
			throw new ConnectionBroken();
		});
		closed.catch(() => undefined);
		client.connect({
			host,
			port,
			username: 'root',
			privateKey,
			hostVerifier(key: Buffer) {
				isExpected = key.equals(expected);
				return isExpected;
			},
			...alive,
		});
		await Promise.race([ready, closed]).catch((error: unknown) => {
			throw isExpected ? error : new WrongHost();
		});
		const files = await Promise.race([promisify(client.sftp.bind(client))(), closed]);
		return remoteFiles(files, closed, () => {
			signal.removeEventListener('abort', quit);
			client.destroy();
		});
	} catch (error) {
		signal.removeEventListener('abort', quit);
		client.destroy();
		throw error;
	}
}

/** Error of a broken connection; a retry may succeed. */
export class ConnectionBroken extends Error {
	override readonly name = 'ConnectionBroken';
	constructor() {
		super('the line is broken');
	}
}

function remoteFiles(sftp: SFTPWrapper, closed: Promise<never>, close: () => void): RemoteFiles {
	/** Rejects when the connection breaks: the library leaves some calls pending then. */
	const whileOpen = async <Found>(found: Promise<Found>): Promise<Found> =>
		Promise.race([found, closed]);
	const stat = promisify(sftp.stat.bind(sftp));
	const opendir = promisify(sftp.opendir.bind(sftp));
	const readlink = promisify(sftp.readlink.bind(sftp));
	const open = promisify<string, 'r', Buffer>(sftp.open.bind(sftp));

	/** Reads all bytes of a piece: a server may send fewer at a time. */
	async function piece(handle: Buffer, at: number, length: number): Promise<Buffer> {
		const parts: Buffer[] = [];
		for (let got = 0; got < length;) {
			// oxlint-disable-next-line no-await-in-loop -- the rest is asked for when some are missing
			const part = await some(handle, at + got, length - got);
			if (part.length === 0) throw new Error('a file has changed meanwhile');
			parts.push(part);
			got += part.length;
		}
		return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
	}

	async function some(handle: Buffer, at: number, length: number): Promise<Buffer> {
		return new Promise((resolve, reject) => {
			const bytes = Buffer.alloc(length);
			sftp.read(handle, bytes, 0, length, at, (error, count) => {
				if (error === undefined || error === null) resolve(bytes.subarray(0, count));
				else if (isEnd(error)) resolve(bytes.subarray(0, 0));
				else reject(error);
			});
		});
	}

	return {
		stat: async path => fileOf('', await whileOpen(stat(path))),
		async *list(path) {
			const handle = await whileOpen(opendir(path));
			for (;;) {
				// oxlint-disable-next-line no-await-in-loop -- a folder lists its names in order
				const found = await whileOpen(namesIn(sftp, handle));
				if (found === undefined) break;
				yield found.map(({filename, attrs}) => fileOf(filename, attrs));
			}
			sftp.close(handle, () => undefined);
		},
		readLink: async path => whileOpen(readlink(path)),
		async read(path, {from, to}, take) {
			const handle = await whileOpen(open(path, 'r'));
			const waiting: Array<{readonly at: number; readonly bytes: Promise<Buffer>}> = [];
			let next = from;
			const ask = (): void => {
				if (next >= to) return;
				const bytes = piece(handle, next, Math.min(BYTES_AT_ONCE, to - next));
				bytes.catch(() => undefined);
				waiting.push({at: next, bytes});
				next = Math.min(to, next + BYTES_AT_ONCE);
			};
			for (let count = 0; count < READS_AT_ONCE; count++) ask();
			for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
				// oxlint-disable-next-line no-await-in-loop -- the first one is written first
				await take(await whileOpen(first.bytes), first.at);
				ask();
			}
			sftp.close(handle, () => undefined);
		},
		close,
	};
}

/** The next names of an open folder; undefined at its end. */
async function namesIn(
	sftp: SFTPWrapper,
	handle: Buffer,
): Promise<readonly FileEntryWithStats[] | undefined> {
	return new Promise((resolve, reject) => {
		sftp.readdir(handle, (error, list) => {
			if (error === undefined || error === null) resolve(list);
			else if (isEnd(error)) resolve(undefined);
			else reject(error);
		});
	});
}

function isEnd(error: Error): boolean {
	return 'code' in error && error.code === ssh2.utils.sftp.STATUS_CODE.EOF;
}

function fileOf(name: string, about: Stats): RemoteFile {
	const {size, mtime, mode} = about;
	return {name, kind: kindOf(about), size, mtime, mode};
}

function kindOf(about: Stats): RemoteFile['kind'] {
	if (about.isFile()) return 'file';
	if (about.isDirectory()) return 'folder';
	return about.isSymbolicLink() ? 'link' : 'other';
}

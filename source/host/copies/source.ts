/** Sources of copies: files of this machine, and SSH addresses of other machines' files. */
import {constants, type Stats} from 'node:fs';
import {lookup} from 'node:dns/promises';
import {isIP} from 'node:net';
import type {CopyWork} from '../../contract/nouns/copies.ts';
import {isPublicAddress} from '../../contract/rules/public-address.ts';
import type {OwnFiles} from '../inside/own-files.ts';
import type {RemoteFile, RemoteFiles} from '../ssh/remote-files.ts';

/** Names of a folder, and bytes of a file, that are read at once. */
const NAMES_AT_ONCE = 256;
const BYTES_AT_ONCE = 1024 * 1024;

export function sourceHere(files: OwnFiles): RemoteFiles {
	return {
		stat: async path => fileOf('', await files.stat(path)),
		async *list(path) {
			const folder = await files.list(path);
			try {
				for (;;) {
					const next = await folder.next(NAMES_AT_ONCE);
					if (next.length === 0) return;
					yield next.map(([name, about]) => fileOf(name, about));
				}
			} finally {
				await folder.close();
			}
		},
		readLink: files.readLink,
		async read(path, {from, to}, take) {
			const file = await files.open(path, constants.O_RDONLY, 0);
			try {
				const bytes = Buffer.alloc(Math.min(BYTES_AT_ONCE, to - from));
				for (let at = from; at < to;) {
					const {bytesRead} = await file.read(bytes, 0, Math.min(bytes.length, to - at), at);
					if (bytesRead === 0) return;
					await take(bytes.subarray(0, bytesRead), at);
					at += bytesRead;
				}
			} finally {
				await file.close();
			}
		},
		close: () => undefined,
	};
}

function fileOf(name: string, about: Stats): RemoteFile {
	const {size, mode, mtimeMs} = about;
	return {name, kind: kindOf(about), size, mtime: Math.floor(mtimeMs / 1000), mode};
}

type Addresses = (host: string) => Promise<readonly string[]>;

const lookUp: Addresses = async host =>
	(await lookup(host, {all: true})).map(({address}) => address);

/** Error for an address that copies must not connect to. */
class NotReached extends Error {
	override readonly name = 'NotReached';
}

type SourceEndpoint = NonNullable<CopyWork['door']>;

/**
 * The address of an SSH listener, resolved once. Another provider names it, so a private address is
 * refused unless the market allows it.
 *
 * @throws NotReached for a private address.
 */
export async function addressOf(
	{host, may_be_private: mayBePrivate}: Pick<SourceEndpoint, 'host' | 'may_be_private'>,
	resolve: Addresses = lookUp,
): Promise<string | undefined> {
	const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
	if (!mayBePrivate && !addresses.every(isPublicAddress)) {
		throw new NotReached(
			"the source's host is at a private address, where this one connects to nobody",
		);
	}
	return addresses[0];
}

function kindOf(about: Stats): RemoteFile['kind'] {
	if (about.isFile()) return 'file';
	if (about.isDirectory()) return 'folder';
	return about.isSymbolicLink() ? 'link' : 'other';
}

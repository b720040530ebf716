/** Packets of SFTP version 3 as in OpenSSH: reading requests and writing replies. */
import type {Stats} from 'node:fs';

export const STATUS = {
	ok: 0,
	end: 1,
	missing: 2,
	forbidden: 3,
	failure: 4,
	malformed: 5,
	unsupported: 8,
} as const;

export type Status = (typeof STATUS)[keyof typeof STATUS];

export const REQUEST = {
	init: 1,
	open: 3,
	close: 4,
	read: 5,
	write: 6,
	lstat: 7,
	fstat: 8,
	setstat: 9,
	fsetstat: 10,
	opendir: 11,
	readdir: 12,
	remove: 13,
	mkdir: 14,
	rmdir: 15,
	realpath: 16,
	stat: 17,
	rename: 18,
	readlink: 19,
	symlink: 20,
	extended: 200,
} as const;

const ANSWER = {version: 2, status: 101, handle: 102, data: 103, name: 104, attrs: 105} as const;
const EXTENDED_ANSWER = 201;

/** Flags of a file's attributes. */
const HAS = {size: 1, owner: 2, mode: 4, times: 8, extended: 0x80_00_00_00} as const;

const VERSION = 3;

/** Longest packet that OpenSSH sends, announced in the limits. */
const LONGEST_PACKET = 256 * 1024;
export const LONGEST_DATA = LONGEST_PACKET - 1024;

const MOST_PARTS = 64;

/** Takes chunks of any size, and returns the complete packets one by one. */
export function createPackets() {
	let parts: Buffer[] = [];
	let held = 0;

	/** Buffered bytes, in one piece. */
	function whole(): Buffer {
		const [first] = parts;
		if (parts.length === 1 && first !== undefined) return first;
		const all = Buffer.concat(parts);
		parts = [all];
		return all;
	}

	/** Length of the next packet; undefined until it is known. */
	function nextLength(): number | undefined {
		const [first] = parts;
		if (first === undefined || held < 4) return undefined;
		const length = (first.length < 4 || parts.length > MOST_PARTS ? whole() : first).readUInt32BE();
		if (length === 0 || length > LONGEST_PACKET) throw new RangeError('a packet is too long');
		return length;
	}

	return {
		add(bytes: Buffer): void {
			parts.push(bytes);
			held += bytes.length;
		},
		/** @throws RangeError for a packet that is too long */
		next(): Buffer | undefined {
			const length = nextLength();
			if (length === undefined || held < 4 + length) return undefined;
			const all = whole();
			held -= 4 + length;
			parts = held === 0 ? [] : [all.subarray(4 + length)];
			return all.subarray(4, 4 + length);
		},
	};
}

type Attributes = {
	readonly size?: number;
	readonly mode?: number;
	readonly atime?: number;
	readonly mtime?: number;
};

/** Reads the fields of a packet in their order. A missing field throws a RangeError. */
export function readerOf(packet: Buffer) {
	let from = 0;
	const take = (length: number) => {
		if (from + length > packet.length) throw new RangeError('a packet is too short');
		from += length;
		return packet.subarray(from - length, from);
	};
	const number = () => take(4).readUInt32BE(0);
	const long = () => Number(take(8).readBigUInt64BE(0));
	const bytes = () => take(number());
	return {
		byte: () => take(1).readUInt8(0),
		number,
		long,
		bytes,
		text: () => bytes().toString('utf8'),
		attributes(): Attributes {
			const flags = number();
			const size = (flags & HAS.size) === 0 ? {} : {size: long()};
			if ((flags & HAS.owner) !== 0) take(8);
			const mode = (flags & HAS.mode) === 0 ? {} : {mode: number()};
			const times = (flags & HAS.times) === 0 ? {} : {atime: number(), mtime: number()};
			return {...size, ...mode, ...times};
		},
	};
}

export type Reader = ReturnType<typeof readerOf>;

export function versionPacket(): Buffer {
	const pairs = ['posix-rename@openssh.com', '1', 'limits@openssh.com', '1'];
	return packetOf(ANSWER.version, [numberOf(VERSION), ...pairs.map(stringBytes)]);
}

export function statusPacket(id: number, status: Status): Buffer {
	return packetOf(ANSWER.status, [
		numberOf(id),
		numberOf(status),
		stringBytes(''),
		stringBytes(''),
	]);
}

export function handlePacket(id: number, handle: number): Buffer {
	return packetOf(ANSWER.handle, [numberOf(id), numberOf(4), numberOf(handle)]);
}

export function dataPacket(id: number, data: Buffer): Buffer {
	return packetOf(ANSWER.data, [numberOf(id), numberOf(data.length), data]);
}

export function attributesPacket(id: number, about: Stats): Buffer {
	return packetOf(ANSWER.attrs, [numberOf(id), attributesOf(about)]);
}

/** @param names Names with their attributes; undefined for a name alone. */
export function namePacket(
	id: number,
	names: ReadonlyArray<readonly [name: string, about: Stats | undefined]>,
): Buffer {
	const fields = names.flatMap(([name, about]) => [
		stringBytes(name),
		stringBytes(about === undefined ? name : lineOf(name, about)),
		about === undefined ? numberOf(0) : attributesOf(about),
	]);
	return packetOf(ANSWER.name, [numberOf(id), numberOf(names.length), ...fields]);
}

export function limitsPacket(id: number, mostOpen: number): Buffer {
	const limits = [LONGEST_PACKET, LONGEST_DATA, LONGEST_DATA, mostOpen];
	return packetOf(EXTENDED_ANSWER, [numberOf(id), ...limits.map(longOf)]);
}

function packetOf(kind: number, fields: readonly Buffer[]): Buffer {
	const length = fields.reduce((sum, field) => sum + field.length, 1);
	return Buffer.concat([numberOf(length), Buffer.from([kind]), ...fields], 4 + length);
}

function attributesOf({mode, uid, gid, size, atimeMs, mtimeMs}: Stats): Buffer {
	const flags = HAS.size | HAS.owner | HAS.mode | HAS.times;
	const seconds = [atimeMs, mtimeMs].map(ms => Math.floor(ms / 1000));
	const numbers = [uid, gid, mode, ...seconds].map(numberOf);
	return Buffer.concat([numberOf(flags), longOf(size), ...numbers]);
}

function numberOf(value: number): Buffer {
	const bytes = Buffer.allocUnsafe(4);
	bytes.writeUInt32BE(value >>> 0);
	return bytes;
}

function longOf(value: number): Buffer {
	const bytes = Buffer.allocUnsafe(8);
	bytes.writeBigUInt64BE(BigInt(value));
	return bytes;
}

function stringBytes(text: string): Buffer {
	const bytes = Buffer.from(text);
	return Buffer.concat([numberOf(bytes.length), bytes]);
}

/** A line in the format of `ls -l`, for clients that show it unchanged. */
function lineOf(name: string, stats: Stats): string {
	const kind = stats.isDirectory() ? 'd' : stats.isSymbolicLink() ? 'l' : '-';
	const rights = Array.from('rwxrwxrwx').map((letter, index) =>
		(stats.mode & (1 << (8 - index))) === 0 ? '-' : letter,
	);
	const when = stats.mtime.toISOString().slice(0, 16).replace('T', ' ');
	return `${kind}${rights.join('')} ${stats.nlink} root root ${stats.size} ${when} ${name}`;
}

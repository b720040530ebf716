/**
 * Signs programs for macOS with nobody's name. On its arm64 machines nothing runs without a
 * signature, and adding the bundle to Node takes away the one it had.
 */
import {createHash} from 'node:crypto';

const MAGIC = 0xfeedfacf;
const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;
const HEADER_BYTES = 32;
const COMMAND_BYTES = 16;

const PAGE_BYTES = 4096;
const PAGE_BITS = 12;
const SHA256 = 2;
const SHA256_BYTES = 32;

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
/** The version of the directory that tells where code to run is. */
const DIRECTORY_VERSION = 0x20400;
const DIRECTORY_BYTES = 88;
const INDEX_BYTES = 20;
/** Signed by no certificate, and by whoever put the program together. */
const AD_HOC = 0x20002;
const MAIN_BINARY = 1n;

const aligned = (size: number, to: number) => Math.ceil(size / to) * to;

type Commands = {
	/** Where in the file each of them is, and where the next one would be. */
	readonly text: number;
	readonly linkEdit: number;
	readonly end: number;
};

/**
 * The same program with a signature of its own. It must have none, as Node's has none once the bundle
 * has been added.
 */
export function signMachO(program: Buffer, name: string): Buffer {
	const commands = findCommands(program);
	const end = aligned(program.length, 16);
	const size = signatureSize(end, name);
	const signed = Buffer.concat([program, Buffer.alloc(end - program.length + size)]);
	addCommand(signed, commands.end, [CODE_SIGNATURE, COMMAND_BYTES, end, size]);
	const start = Number(signed.readBigUInt64LE(commands.linkEdit + 40));
	const edited = end + size - start;
	signed.writeBigUInt64LE(BigInt(aligned(edited, 0x4000)), commands.linkEdit + 32);
	signed.writeBigUInt64LE(BigInt(edited), commands.linkEdit + 48);
	writeSignature(signed, end, {name, text: commands.text});
	return signed;
}

/** Adds a command after the others, where the file has room for it before its first section. */
function addCommand(signed: Buffer, at: number, words: readonly number[]): void {
	if (signed.subarray(at, at + COMMAND_BYTES).some(byte => byte !== 0)) {
		throw new Error('this program for macOS has no room for a signature');
	}
	words.forEach((word, place) => signed.writeUInt32LE(word, at + place * 4));
	signed.writeUInt32LE(signed.readUInt32LE(16) + 1, 16);
	signed.writeUInt32LE(signed.readUInt32LE(20) + COMMAND_BYTES, 20);
}

function findCommands(program: Buffer): Commands {
	if (program.readUInt32LE(0) !== MAGIC) throw new Error('this is no program for macOS');
	const found = new Map<string, number>();
	let at = HEADER_BYTES;
	for (let left = program.readUInt32LE(16); left > 0; left--) {
		const kind = program.readUInt32LE(at);
		if (kind === CODE_SIGNATURE) throw new Error('this program for macOS is signed already');
		if (kind === SEGMENT) found.set(textAt(program, at + 8, 16), at);
		at += program.readUInt32LE(at + 4);
	}
	const command = (key: string) => {
		const place = found.get(key);
		if (place === undefined) throw new Error(`this program for macOS has no ${key}`);
		return place;
	};
	return {
		text: command('__TEXT'),
		linkEdit: command('__LINKEDIT'),
		end: at,
	};
}

function textAt(program: Buffer, at: number, length: number): string {
	return program.toString('latin1', at, at + length).replace(/\0.*$/, '');
}

function pagesOf(end: number): number {
	return Math.ceil(end / PAGE_BYTES);
}

function signatureSize(end: number, name: string): number {
	const hashes = pagesOf(end) * SHA256_BYTES;
	return aligned(INDEX_BYTES + DIRECTORY_BYTES + name.length + 1 + hashes, 16);
}

/** Writes the hash of each page before the signature, and all that says how they are to be read. */
function writeSignature(
	signed: Buffer,
	end: number,
	{name, text}: {readonly name: string; readonly text: number},
): void {
	const pages = pagesOf(end);
	const hashes = DIRECTORY_BYTES + name.length + 1;
	const length = hashes + pages * SHA256_BYTES;
	const blob = signed.subarray(end);
	[SUPER_BLOB, INDEX_BYTES + length, 1, 0, INDEX_BYTES].forEach((word, at) =>
		blob.writeUInt32BE(word, at * 4),
	);
	const directory = blob.subarray(INDEX_BYTES);
	const words = [CODE_DIRECTORY, length, DIRECTORY_VERSION, AD_HOC, hashes, DIRECTORY_BYTES];
	[...words, 0, pages, end].forEach((word, at) => directory.writeUInt32BE(word, at * 4));
	directory.set([SHA256_BYTES, SHA256, 0, PAGE_BITS], 36);
	directory.writeBigUInt64BE(signed.readBigUInt64LE(text + 40), 64);
	directory.writeBigUInt64BE(signed.readBigUInt64LE(text + 48), 72);
	directory.writeBigUInt64BE(MAIN_BINARY, 80);
	directory.write(`${name}\0`, DIRECTORY_BYTES, 'latin1');
	for (let page = 0; page < pages; page++) {
		const bytes = signed.subarray(page * PAGE_BYTES, Math.min(end, (page + 1) * PAGE_BYTES));
		directory.set(createHash('sha256').update(bytes).digest(), hashes + page * SHA256_BYTES);
	}
}

/** The client's X server inside an instance: `ssh -X`. */
import {constants} from 'node:fs';
import type {X11Info} from 'ssh2';
import {ownFiles, type OwnFiles} from '../inside/own-files.ts';
import type {Inside} from '../inside/inside.ts';
import type {SshConnection} from './connection.ts';
import {listenAtSocket} from './forwards.ts';

const FOLDER = '/tmp/.X11-unix';
const AUTHORITY = '.Xauthority';

/** Displays of SSH begin at 10, so that those of X servers inside stay free. */
const FIRST_DISPLAY = 10;
const MOST_DISPLAYS = 32;

/** Family of an entry that counts for any host. */
const ANY_HOST = 0xffff;

/** Larger files are left as they are. */
const LONGEST_AUTHORITY = 64 * 1024;

/** Updates of an instance's authority file, one after the other. */
const updating = new WeakMap<Inside, Promise<unknown>>();

/**
 * Opens a display inside that leads to the client's, at the first call. Answers its name; undefined where
 * there can be none. It lasts as long as the connection.
 */
export function serveX11(
	connection: SshConnection,
	inside: Inside,
): (asked: X11Info) => Promise<string | undefined> {
	let opened: Promise<string | undefined> | undefined;
	return async asked => (opened ??= openDisplay(connection, inside, asked));
}

/** The library hands over the bytes of the cookie's text, whatever its types say. */
type DisplayRequest = Omit<X11Info, 'cookie'> & {readonly cookie: string | Buffer};

async function openDisplay(
	connection: SshConnection,
	inside: Inside,
	{protocol, cookie: hex, screen, single}: DisplayRequest,
): Promise<string | undefined> {
	const cookie = Buffer.from(hex.toString(), 'hex');
	if (!/^[A-Z\d-]{1,40}$/.test(protocol) || cookie.length === 0 || single) return undefined;
	const files = ownFiles(inside);
	await files.makeFolder(FOLDER, 0o1777).catch(() => undefined);
	const display = await listenAtDisplay(connection, inside);
	if (display === undefined) return undefined;
	const entry = entryOf(String(display), protocol, cookie);
	const update = async () => addEntry(files, display, entry);
	const updated = (updating.get(inside) ?? Promise.resolve()).then(update, update);
	updating.set(inside, updated);
	await updated.catch(() => undefined);
	return `:${display}.${Math.trunc(screen)}`;
}

/** Listens at the first display that is free, and answers its number. */
async function listenAtDisplay(
	connection: SshConnection,
	inside: Inside,
): Promise<number | undefined> {
	for (let display = FIRST_DISPLAY; display < FIRST_DISPLAY + MOST_DISPLAYS; display++) {
		const path = `${FOLDER}/X${display}`;
		// oxlint-disable-next-line no-await-in-loop -- the first that is free is taken
		const end = await listenAtSocket(connection, {inside, path}, (client, answered) =>
			client.x11('127.0.0.1', 0, answered),
		);
		if (end !== undefined) return display;
	}
	return undefined;
}

function entryOf(display: string, protocol: string, cookie: Buffer): Buffer {
	const fields = ['', display, protocol, cookie].map(value => {
		const bytes = Buffer.from(value);
		const length = Buffer.alloc(2);
		length.writeUInt16BE(bytes.length);
		return Buffer.concat([length, bytes]);
	});
	const family = Buffer.alloc(2);
	family.writeUInt16BE(ANY_HOST);
	return Buffer.concat([family, ...fields]);
}

/** Puts an entry before all others, in place of those of the same display. */
async function addEntry(files: OwnFiles, display: number, entry: Buffer): Promise<void> {
	const file = await files.open(AUTHORITY, constants.O_RDWR | constants.O_CREAT, 0o600);
	try {
		const {size} = await file.stat();
		if (size > LONGEST_AUTHORITY) return;
		const before = Buffer.alloc(size);
		const {bytesRead} = await file.read(before, 0, size, 0);
		const kept = entriesIn(before.subarray(0, bytesRead)).filter(
			one => !one.subarray(0, 4).equals(entry.subarray(0, 4)) || displayOf(one) !== display,
		);
		const all = Buffer.concat([entry, ...kept]);
		await file.write(all, 0, all.length, 0);
		await file.truncate(all.length);
	} finally {
		await file.close();
	}
}

/** Whole entries of an authority file; what is cut off at its end is dropped. */
function entriesIn(bytes: Buffer): readonly Buffer[] {
	const entries: Buffer[] = [];
	for (let from = 0; ;) {
		const end = fieldEndsOf(bytes, from).at(-1);
		if (end === undefined) return entries;
		entries.push(bytes.subarray(from, end));
		from = end;
	}
}

/** Ends of the address, the display, the protocol and the cookie of an entry; none where it is cut off. */
function fieldEndsOf(bytes: Buffer, from: number): readonly number[] {
	const ends: number[] = [];
	let at = from + 2;
	while (ends.length < 4) {
		if (at + 2 > bytes.length) return [];
		at += 2 + bytes.readUInt16BE(at);
		if (at > bytes.length) return [];
		ends.push(at);
	}
	return ends;
}

function displayOf(entry: Buffer): number {
	const [address = 0, display = 0] = fieldEndsOf(entry, 0);
	return Number(entry.subarray(address + 2, display).toString());
}

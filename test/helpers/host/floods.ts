/** Floods of each request of SSH and of file transfer, which are cut at any byte. */
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {connect} from 'node:net';
import * as fc from 'fast-check';
import ssh2 from 'ssh2';
import {REQUEST} from '../../../source/host/ssh/file-packets.ts';
import {COPYING_USER} from '../../../source/host/ssh/rsync-daemon.ts';
import {runs} from '../property.ts';

/** What a client can say; channels are named by the numbers that the server gives them in their order. */
export type Protocol = {
	readonly session: (channel: number, window: number, packet: number) => void;
	readonly directTcpip: (channel: number, window: number, packet: number, to: object) => void;
	readonly openssh_directStreamLocal: (
		channel: number,
		window: number,
		packet: number,
		to: object,
	) => void;
	readonly openssh_streamLocalForward: (path: string, wantsReply: boolean) => void;
	readonly openssh_cancelStreamLocalForward: (path: string, wantsReply: boolean) => void;
	readonly tcpipForward: (address: string, port: number, wantsReply: boolean) => void;
	readonly cancelTcpipForward: (address: string, port: number, wantsReply: boolean) => void;
	readonly pty: (
		channel: number,
		...size: ReadonlyArray<number | string | object | boolean>
	) => void;
	readonly windowChange: (channel: number, ...size: readonly number[]) => void;
	readonly env: (channel: number, name: string, value: string, wantsReply: boolean) => void;
	readonly signal: (channel: number, name: string) => void;
	readonly openssh_agentForward: (channel: number, wantsReply: boolean) => void;
	readonly x11Forward: (channel: number, asked: object, wantsReply: boolean) => void;
	readonly shell: (channel: number, wantsReply: boolean) => void;
	readonly exec: (channel: number, command: string, wantsReply: boolean) => void;
	readonly subsystem: (channel: number, name: string, wantsReply: boolean) => void;
	readonly channelData: (channel: number, bytes: Buffer) => void;
};

const WINDOW = 2 * 1024 * 1024;
const PACKET = 32 * 1024;
const source = {srcIP: '127.0.0.1', srcPort: 0};

/** Requests of connections and their channels, by the names that the server hears them by. */
export const said: Readonly<Record<string, (protocol: Protocol, channel: number) => void>> = {
	session: (protocol, channel) => protocol.session(channel + 128, WINDOW, PACKET),
	tcpip: (protocol, channel) =>
		protocol.directTcpip(channel, WINDOW, PACKET, {...source, dstIP: '127.0.0.1', dstPort: 1}),
	'openssh.streamlocal': (protocol, channel) =>
		protocol.openssh_directStreamLocal(channel, WINDOW, PACKET, {socketPath: 'none'}),
	'tcpip-forward': protocol => protocol.tcpipForward('127.0.0.1', 0, true),
	'cancel-tcpip-forward': protocol => protocol.cancelTcpipForward('127.0.0.1', 0, true),
	'streamlocal-forward@openssh.com': protocol =>
		protocol.openssh_streamLocalForward('socket', true),
	'cancel-streamlocal-forward@openssh.com': protocol =>
		protocol.openssh_cancelStreamLocalForward('socket', true),
	pty: (protocol, channel) => protocol.pty(channel, 24, 80, 0, 0, 'xterm', {}, true),
	'window-change': (protocol, channel) => protocol.windowChange(channel, 50, 100, 0, 0),
	env: (protocol, channel) => protocol.env(channel, 'LANG', 'C', true),
	signal: (protocol, channel) => protocol.signal(channel, 'TERM'),
	'auth-agent': (protocol, channel) => protocol.openssh_agentForward(channel, true),
	x11: (protocol, channel) =>
		protocol.x11Forward(
			channel,
			{single: false, protocol: 'MIT-MAGIC-COOKIE-1', cookie: '00'.repeat(16), screen: 0},
			true,
		),
	shell: (protocol, channel) => protocol.shell(channel, true),
	exec: (protocol, channel) => protocol.exec(channel, 'sleep 1000', true),
	subsystem: (protocol, channel) => protocol.subsystem(channel, 'sftp', true),
	sftp: (protocol, channel) => protocol.subsystem(channel, 'sftp', true),
};

const rsync = '@RSYNCD: 31.0 md5\nC.7\n--server\0--sender\0-r\0.\0C.7/\0\0';

/** Requests of the user who copies, by the commands that the server hears them by. */
export const copied: typeof said = {
	'rsync --server --daemon .': (protocol, channel) => {
		protocol.exec(channel, 'rsync --server --daemon .', true);
		protocol.channelData(channel, Buffer.from(rsync));
	},
};

export const number = (value: number) => {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
};
export const text = (value: string) => Buffer.concat([number(value.length), Buffer.from(value)]);
const start = Buffer.alloc(8);
const unchanged = number(0);
const handle = Buffer.concat([number(4), number(1)]);

/** What follows the number of each request of file transfer. */
const bodies: Readonly<Record<Exclude<keyof typeof REQUEST, 'extended'>, readonly Buffer[]>> = {
	init: [],
	open: [text('file'), number(0x1f), unchanged],
	close: [handle],
	read: [handle, start, number(100_000)],
	write: [handle, start, text('written')],
	lstat: [text('file')],
	fstat: [handle],
	setstat: [text('file'), unchanged],
	fsetstat: [handle, unchanged],
	opendir: [text('.')],
	readdir: [handle],
	remove: [text('other')],
	mkdir: [text('folder'), unchanged],
	rmdir: [text('folder')],
	realpath: [text('.')],
	stat: [text('file')],
	rename: [text('file'), text('file')],
	readlink: [text('link')],
	symlink: [text('file'), text('link')],
};

/** What follows the names of requests that were added to the protocol. */
export const extensions: Readonly<Record<string, readonly Buffer[]>> = {
	'limits@openssh.com': [],
	'posix-rename@openssh.com': [text('file'), text('file')],
};

export function packetOf(code: number, id: number, body: readonly Buffer[]): Buffer {
	const packet = Buffer.concat([Buffer.from([code]), number(id), ...body]);
	return Buffer.concat([number(packet.length), packet]);
}

type Flood = {
	readonly opens: number;
	readonly count: number;
	/** Thousandths of the bytes that are sent. */
	readonly cut: number;
	/** Whether the server is told of the end. */
	readonly isEnded: boolean;
};

type Say = (protocol: Protocol, flood: Flood) => void;

/** One that comes whole, and with which the server is done when it ends. */
const whole: Flood = {opens: 20, count: 50, cut: 1000, isEnded: true};

const ids = (length: number) => Array.from({length}, (_, id) => id);

/** Asks for something on many channels of a connection. */
function sayAll(ask: (protocol: Protocol, channel: number) => void): Say {
	return (protocol, {opens, count}) => {
		const channels = Math.min(opens, 16);
		for (const id of ids(channels)) protocol.session(id, WINDOW, PACKET);
		for (const id of ids(count)) ask(protocol, id % channels);
	};
}

/** Asks for something again and again in one transfer of files. */
function transferAll(code: number, body: readonly Buffer[]): Say {
	return (protocol, {opens, count}) => {
		protocol.session(0, WINDOW, PACKET);
		protocol.subsystem(0, 'sftp', true);
		const packets = [
			packetOf(REQUEST.init, 3, []),
			...ids(opens).map(id =>
				id % 2 === 0
					? packetOf(REQUEST.open, id, bodies.open)
					: packetOf(REQUEST.opendir, id, bodies.opendir),
			),
			...ids(count).map(id => packetOf(code, id, body)),
		];
		const bytes = Buffer.concat(packets);
		for (let from = 0; from < bytes.length; from += 1000) {
			protocol.channelData(0, bytes.subarray(from, from + 1000));
		}
	};
}

const codes: Readonly<Record<string, number>> = REQUEST;
const floods: ReadonlyArray<readonly [name: string, say: Say, user?: string]> = [
	...Object.entries(copied).map(([name, ask]) => [name, sayAll(ask), COPYING_USER] as const),
	...Object.entries(said).map(([name, ask]) => [name, sayAll(ask)] as const),
	...Object.entries(bodies).map(
		([name, body]) => [`file ${name}`, transferAll(codes[name] ?? 0, body)] as const,
	),
	...Object.entries(extensions).map(
		([name, body]) => [name, transferAll(REQUEST.extended, [text(name), ...body])] as const,
	),
];

type Door = {readonly port: number; readonly keyFile: string};

/** Logs in, says it all at once, and is cut before it is all sent. */
async function send(
	{port, keyFile, user = 'root'}: Door & {readonly user?: string | undefined},
	say: Say,
	flood: Flood,
): Promise<void> {
	const sock = connect(port, '127.0.0.1').on('error', () => undefined);
	const client = new ssh2.Client().on('error', () => undefined);
	client.connect({sock, username: user, privateKey: readFileSync(keyFile)});
	await once(client, 'ready');
	const closed = once(sock, 'close');
	const write = sock.write.bind(sock);
	const parts: Buffer[] = [];
	Object.assign(sock, {write: (bytes: Buffer) => parts.push(bytes) > 0});
	say(protocolOf(client), flood);
	Object.assign(sock, {write: () => true});
	const bytes = Buffer.concat(parts);
	write(bytes.subarray(0, Math.ceil((bytes.length * flood.cut) / 1000)), () =>
		flood.isEnded ? sock.end() : sock.destroy(),
	);
	await closed;
}

export function protocolOf(client: ssh2.Client): Protocol {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion, no-underscore-dangle -- the library lets nobody say only a part
	return (client as ssh2.Client & {readonly _protocol: Protocol})._protocol;
}

/**
 * Has each flood come whole, and so many times as chance has it; after each, something holds again.
 *
 * @param times Of those by chance; 0 for none.
 */
export async function floodDoor(
	door: Door,
	times: number,
	holds: () => Promise<void>,
): Promise<void> {
	const drawing = fc.record({
		opens: fc.integer({min: 1, max: 50}),
		count: fc.integer({min: 1, max: 200}),
		cut: fc.integer({min: 0, max: 1000}),
		isEnded: fc.boolean(),
	});
	for (const [name, say, user] of floods) {
		const property = fc.asyncProperty(fc.constant(name), drawing, async (_name, drawn) => {
			await send({...door, user}, say, drawn);
			await holds();
		});
		const examples: Array<[string, Flood]> = [[name, whole]];
		const drawn = times === 0 ? 0 : runs(times);
		await fc.assert(property, {numRuns: 1 + drawn, examples, endOnFailure: true});
	}
}

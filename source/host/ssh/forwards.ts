/** Forwards of a connection: `-L` and `-D` to ports and sockets of the instance, `-R` from there. */
import {once} from 'node:events';
import {connect, createServer, type Socket} from 'node:net';
import type {Duplex, Readable, Writable} from 'node:stream';
import type {Connection, ServerChannel, SocketBindInfo} from 'ssh2';
import type {Inside, Listen} from '../inside/inside.ts';
import {ownFiles} from '../inside/own-files.ts';
import type {SshConnection} from './connection.ts';
import {controlFlow} from './channel-flow.ts';

/** Buffer of each stream: a channel's own would hold two megabytes. */
const MOST_HELD = 256 * 1024;
/** Buffer of each stream once an instance's streams hold too much. */
const LEAST_HELD = 64 * 1024;

/** Pipes a stream into another, and discards data once the other is closed. */
export function lead(
	source: Readable,
	sink: Writable,
	{guard, holdings}: Pick<SshConnection, 'guard' | 'holdings'>,
): void {
	const {bytes: waiting} = holdings;
	if (!sink.closed) {
		waiting.watch(sink);
		sink.once('close', () => waiting.forget(sink));
	}
	const isFull = () =>
		sink.writableLength >= MOST_HELD || (sink.writableLength >= LEAST_HELD && waiting.isFull());
	const goOn = guard.action(() => {
		if (source.isPaused() && !isFull()) source.resume();
	});
	const take = guard.action((bytes: Buffer) => {
		if (!sink.writable) return;
		sink.write(bytes, goOn);
		if (isFull()) source.pause();
	});
	source.on('data', take);
	source.resume();
}

/** Names of the instance's own loopback address. */
const LOCAL = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '']);

/** Connect timeout of a port that neither accepts nor refuses a connection. */
export const LONGEST_REACH_MS = 30_000;

/** First port that needs no privileges. */
const FIRST_PORT = 1024;

/** Serves forwards, and returns a function that waits until all requested listeners are open. */
export function serveForwards(connection: SshConnection, inside: Inside): () => Promise<unknown> {
	const {client} = connection;
	const {connect: reach, listen} = inside;
	const open = reach ?? connectHere;
	client.on('tcpip', (accept, reject, {destIP, destPort}) => {
		const host = LOCAL.has(destIP) ? '127.0.0.1' : destIP;
		leadIn(connection, {accept, reject}, async limit => open(host, destPort, limit));
	});
	const files = ownFiles(inside);
	client.on('openssh.streamlocal', (accept, reject, {socketPath: path}) =>
		leadIn(connection, {accept, reject}, async limit =>
			files.connectAt(path, async name => connected(connect(name), limit)),
		),
	);
	const sockets = serveSocketListeners(connection, inside);
	// A listener on the machine's network would be useless to an instance with its own.
	const begin = reach === undefined ? listenHere : listen;
	const ports = serveListeners(connection, begin ?? refuseListening);
	return async () => Promise.all([sockets(), ports()]);
}

const refuseListening: Listen = async () => {
	throw new Error('the network of the instance cannot be listened on');
};

type Asked = {readonly accept: () => ServerChannel; readonly reject: () => void};

function leadIn(
	connection: SshConnection,
	{accept, reject}: Asked,
	open: (limit: AbortSignal) => Promise<Duplex>,
): void {
	const giveBack = connection.takeChannel('forwards');
	if (giveBack === undefined) return reject();
	const limit = AbortSignal.any([connection.signal, AbortSignal.timeout(LONGEST_REACH_MS)]);
	connection.guard.action(async () => {
		const socket = await open(limit).catch(() => undefined);
		if (connection.isOver()) socket?.destroy();
		else if (socket !== undefined) return join(accept(), socket, {connection, giveBack});
		giveBack();
		if (!connection.isOver()) reject();
	})();
}

async function connectHere(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
	return connected(connect({host, port}), signal);
}

async function connected(socket: Socket, signal: AbortSignal): Promise<Duplex> {
	try {
		await once(socket, 'connect', {signal});
		return socket;
	} catch (error) {
		socket.on('error', () => undefined).destroy();
		throw error;
	}
}

const listenHere: Listen = async (port, take) => {
	if (port !== 0 && port < FIRST_PORT) throw new Error('this port is not to be had');
	const server = createServer(take).listen(port, '127.0.0.1');
	await once(server, 'listening');
	// Drop a connection that fails because there are too many open files.
	server.on('error', () => undefined);
	const address = server.address();
	return {
		port: typeof address === 'object' && address !== null ? address.port : 0,
		close: () => void server.close(),
	};
};

type Listening = Awaited<ReturnType<Listen>>;

/** Serves listeners inside that a client asks for; they end with its connection. */
function serveListeners(connection: SshConnection, listen: Listen): () => Promise<unknown> {
	const {client, guard, holdings} = connection;
	const listeners = new Map<string, Listening>();
	const beginning = new Set<Promise<void>>();
	client.on('request', (accept, reject, name: string, info) => {
		if (name === 'cancel-tcpip-forward') {
			const key = keyOf(info.bindAddr, info.bindPort);
			listeners.get(key)?.close();
			accept?.();
			return void listeners.delete(key);
		}
		if (name !== 'tcpip-forward') return;
		const giveBack = holdings.listeners.take();
		if (giveBack === undefined) {
			reject?.();
			return;
		}
		const {bindAddr, bindPort} = info;
		let port = bindPort;
		const take = guard.action((socket: Duplex) =>
			leadOut(connection, socket, (to, answered) =>
				// The origin address is left out: no client needs it.
				to.forwardOut(bindAddr, port, '127.0.0.1', 0, answered),
			),
		);
		const started = begin().catch(() => {
			giveBack?.();
			reject?.();
		});
		beginning.add(started);
		void started.finally(() => beginning.delete(started));

		async function begin(): Promise<void> {
			const opened = await listen(bindPort, take);
			({port} = opened);
			const close = () => {
				opened.close();
				giveBack?.();
			};
			if (connection.isOver()) return close();
			listeners.set(keyOf(bindAddr, port), {port, close});
			accept?.(port);
		}
	});
	connection.onEnd(() => {
		for (const listener of listeners.values()) listener.close();
	});
	return async () => Promise.all(beginning);
}

/** Serves sockets inside that a client asks to listen at; they end with its connection. */
function serveSocketListeners(connection: SshConnection, inside: Inside): () => Promise<unknown> {
	const ends = new Map<string, () => void>();
	const beginning = new Set<Promise<void>>();
	connection.client.on('request', (accept, reject, name: string, info: SocketBindInfo) => {
		const {socketPath: path} = info;
		if (name === 'cancel-streamlocal-forward@openssh.com') {
			ends.get(path)?.();
			return accept?.();
		}
		if (name !== 'streamlocal-forward@openssh.com') return undefined;
		const listening = listenAtSocket(connection, {inside, path}, (client, answered) =>
			client.openssh_forwardOutStreamLocal(path, answered),
		).then(end => {
			if (end === undefined) return reject?.();
			ends.set(path, end);
			return accept?.();
		});
		beginning.add(listening);
		return void listening.finally(() => beginning.delete(listening));
	});
	return async () => Promise.all(beginning);
}

type AtSocket = {readonly inside: Inside; readonly path: string};

/**
 * Listens at a socket inside, and forwards what connects there to the client. Answers how to end it;
 * undefined where it cannot be. It ends with the connection.
 */
export async function listenAtSocket(
	connection: SshConnection,
	{inside, path}: AtSocket,
	open: OpenChannel,
): Promise<(() => void) | undefined> {
	const giveBack = connection.holdings.listeners.take();
	if (giveBack === undefined) return undefined;
	const server = createServer(
		connection.guard.action((socket: Socket) => leadOut(connection, socket, open)),
	);
	// A connection that fails for want of open files is dropped.
	server.on('error', () => undefined);
	const {promise, resolve} = Promise.withResolvers<(() => void) | undefined>();
	const untilEnded = async () =>
		new Promise<void>(end => {
			connection.onEnd(end);
			resolve(end);
		});
	void ownFiles(inside)
		.listenAt(path, server, untilEnded)
		.catch(() => undefined)
		.finally(() => {
			resolve(undefined);
			giveBack();
		});
	return promise;
}

function keyOf(address: string, port: number): string {
	return `${address} ${port}`;
}

type OpenChannel = (
	client: Connection,
	answered: (error: Error | undefined, channel: ServerChannel) => void,
) => unknown;

/** Forwards a connection from inside to the client, by a channel of some kind. */
function leadOut(connection: SshConnection, socket: Duplex, open: OpenChannel): void {
	const giveBack = connection.takeChannel('forwards');
	socket.on('error', () => socket.destroy());
	if (giveBack === undefined) return void socket.destroy();
	const stay = connection.onEnd(() => {
		giveBack();
		socket.destroy();
	});
	const answered = connection.guard.action((error: Error | undefined, channel: ServerChannel) => {
		stay();
		if (error === undefined) return join(channel, socket, {connection, giveBack});
		giveBack();
		return void socket.destroy();
	});
	open(connection.client, answered);
}

type Joining = {readonly connection: SshConnection; readonly giveBack: () => void};

/** Joins both, and ends each with the other. */
function join(channel: ServerChannel, socket: Duplex, {connection, giveBack}: Joining): void {
	const {guard} = connection;
	controlFlow(channel, connection, () => {
		giveBack();
		socket.destroy();
	});
	socket.on('error', () => socket.destroy());
	socket.on(
		'close',
		guard.action(() => channel.end()),
	);
	socket.on(
		'end',
		guard.action(() => channel.end()),
	);
	channel.on(
		'end',
		guard.action(() => socket.end()),
	);
	lead(channel, socket, connection);
	lead(socket, channel, connection);
}

/** Ports that are led through a connection: `-L` and `-D` into the instance, `-R` out of it. */
import {once} from 'node:events';
import {connect, createServer} from 'node:net';
import type {Duplex} from 'node:stream';
import type {Connection, ServerChannel} from 'ssh2';
import type {Inside, Listen} from '../rooms/room.ts';

/** Names under which somebody inside reaches what runs inside. */
const LOCAL = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '']);

const MOST_LISTENERS = 32;

/** Answers what tells when everything listens that was asked for so far. */
export function serveForwards(
	client: Connection,
	{connect: reach, listen}: Inside,
): () => Promise<unknown> {
	const open = reach ?? connectHere;
	client.on('tcpip', (accept, reject, {destIP, destPort}) => {
		const host = LOCAL.has(destIP) ? '127.0.0.1' : destIP;
		open(host, destPort).then(
			socket => join(accept(), socket),
			() => reject?.(),
		);
	});
	// Nobody inside would reach what listens on another network.
	const begin = reach === undefined ? listenHere : listen;
	if (begin !== undefined) return serveListeners(client, begin);
	client.on('request', (_accept, reject) => reject?.());
	return async () => undefined;
}

async function connectHere(host: string, port: number): Promise<Duplex> {
	const socket = connect({host, port});
	await once(socket, 'connect');
	return socket;
}

const listenHere: Listen = async (port, take) => {
	const server = createServer(take).listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	return {
		port: typeof address === 'object' && address !== null ? address.port : 0,
		close: () => void server.close(),
	};
};

type Listening = Awaited<ReturnType<Listen>>;

/** What somebody has listen inside is told to them, and ends with their connection. */
function serveListeners(client: Connection, listen: Listen): () => Promise<unknown> {
	const listeners = new Map<string, Listening>();
	const beginning = new Set<Promise<void>>();
	let isClosed = false;
	client.on('request', (accept, reject, name, info) => {
		if (name === 'cancel-tcpip-forward') {
			const key = keyOf(info.bindAddr, info.bindPort);
			listeners.get(key)?.close();
			accept?.();
			return void listeners.delete(key);
		}
		if (name !== 'tcpip-forward' || listeners.size >= MOST_LISTENERS) {
			reject?.();
			return;
		}
		const {bindAddr, bindPort} = info;
		let port = bindPort;
		const take = (socket: Duplex) => lead(client, {address: bindAddr, port}, socket);
		const begun = listen(bindPort, take).then(keep, () => reject?.());
		beginning.add(begun);
		void begun.finally(() => beginning.delete(begun));

		function keep(listener: Listening): void {
			({port} = listener);
			if (isClosed) return listener.close();
			listeners.set(keyOf(bindAddr, port), listener);
			accept?.(port);
		}
	});
	client.on('close', () => {
		isClosed = true;
		for (const listener of listeners.values()) listener.close();
	});
	return async () => Promise.all(beginning);
}

function keyOf(address: string, port: number): string {
	return `${address} ${port}`;
}

type Bound = {readonly address: string; readonly port: number};

/** Whoever connects is on this machine or inside: their own port says nothing to anybody. */
function lead(client: Connection, {address, port}: Bound, socket: Duplex): void {
	client.forwardOut(address, port, '127.0.0.1', 0, (error, channel) => {
		if (error === undefined) join(channel, socket);
		else socket.destroy();
	});
}

/** Joins both, and ends each with the other. */
function join(channel: ServerChannel, socket: Duplex): void {
	socket.on('error', () => channel.close());
	channel.on('error', () => socket.destroy());
	channel.on('close', () => socket.destroy());
	socket.on('close', () => channel.close());
	channel.pipe(socket);
	socket.pipe(channel);
}

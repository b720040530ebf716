/** Ports that are led through a connection: `-L` and `-D` into the instance, `-R` out of it. */
import {once} from 'node:events';
import {connect, createServer} from 'node:net';
import type {Server as Listener, Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import type {Connection, ServerChannel} from 'ssh2';
import type {Inside} from '../rooms/room.ts';

/** Names under which somebody inside reaches what runs inside. */
const LOCAL = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '']);

const MOST_LISTENERS = 32;

export function serveForwards(client: Connection, {connect: reach}: Inside): void {
	const open = reach ?? connectHere;
	client.on('tcpip', (accept, reject, {destIP, destPort}) => {
		const host = LOCAL.has(destIP) ? '127.0.0.1' : destIP;
		open(host, destPort).then(
			socket => join(accept(), socket),
			() => reject?.(),
		);
	});
	// Nobody inside would reach what listens on another network.
	if (reach === undefined) serveListeners(client);
	else client.on('request', (_accept, reject) => reject?.());
}

async function connectHere(host: string, port: number): Promise<Duplex> {
	const socket = connect({host, port});
	await once(socket, 'connect');
	return socket;
}

/** What somebody has listen inside is told to them, and ends with their connection. */
function serveListeners(client: Connection): void {
	const listeners = new Map<string, Listener>();
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
		const {bindAddr} = info;
		const listener = createServer(socket => lead(client, bindAddr, socket));
		listener.once('error', () => reject?.());
		listener.listen(info.bindPort, '127.0.0.1', () => {
			const address = listener.address();
			const port = typeof address === 'object' && address !== null ? address.port : 0;
			listeners.set(keyOf(bindAddr, port), listener);
			accept?.(port);
		});
	});
	client.on('close', () => {
		for (const listener of listeners.values()) listener.close();
	});
}

function keyOf(address: string, port: number): string {
	return `${address} ${port}`;
}

function lead(client: Connection, address: string, socket: Socket): void {
	const {remoteAddress = '127.0.0.1', remotePort = 0, localPort = 0} = socket;
	client.forwardOut(address, localPort, remoteAddress, remotePort, (error, channel) => {
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

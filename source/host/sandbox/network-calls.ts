/** Connects into the network of an instance, listens there, and publishes ports of it on this machine. */
import {once} from 'node:events';
import {open} from 'node:fs/promises';
import {connect, type Socket, createServer, type Server} from 'node:net';
import {createInterface} from 'node:readline';
import type {InsideNetwork} from '../inside/inside.ts';
import type {Ports, WantedPort} from '../instance/ports.ts';
import {createPlaces, mostHeld} from '../ssh/connection-limits.ts';

type NetworkCalls = Pick<InsideNetwork, 'connect' | 'listen'>;

/** Socket file of the program that holds the network. */
export const SOCKET = 'network.socket';

/** @param folder Working folder of the program that holds the network. */
export function networkCalls(folder: string): NetworkCalls {
	return {
		async connect(host, port, signal) {
			const socket = await ask(folder, `connect ${hostName(host)} ${port}`);
			const stop = () => void socket.destroy();
			signal.addEventListener('abort', stop, {once: true});
			if (signal.aborted) stop();
			try {
				await answerOf(socket);
				return socket;
			} finally {
				signal.removeEventListener('abort', stop);
			}
		},
		async listen(port, take) {
			const socket = await ask(folder, `listen ${port}`);
			const answer = await answerOf(socket);
			const lines = createInterface({input: socket});
			lines.on('line', id => void ask(folder, `accept ${id}`).then(take, () => undefined));
			return {port: Number(answer), close: () => void socket.destroy()};
		},
	};
}

/** @throws Error for a name that would be read as several words. */
function hostName(host: string): string {
	if (/^[\w.:-]{1,253}$/.test(host)) return host;
	throw new Error('this is not the name of a host');
}

/** Connects through the open folder, for the path of a socket must be short. */
async function ask(folder: string, request: string): Promise<Socket> {
	await using handle = await open(folder);
	const socket = connect({path: `/proc/self/fd/${handle.fd}/${SOCKET}`, allowHalfOpen: true});
	socket.on('error', () => socket.destroy());
	await once(socket, 'connect');
	socket.write(`${request}\n`);
	return socket;
}

/** Rest of a reply's first line after its `ok`. */
async function answerOf(socket: Socket): Promise<string> {
	let text = Buffer.alloc(0);
	while (!text.includes('\n')) {
		const [part]: Array<Buffer | undefined> = await Promise.race([
			once(socket, 'data'),
			once(socket, 'close').then(() => []),
		]);
		if (part === undefined) throw new Error('the network of the instance is gone');
		text = Buffer.concat([text, part]);
	}
	socket.pause();
	const end = text.indexOf('\n');
	socket.unshift(text.subarray(end + 1));
	const [word, ...rest] = text.subarray(0, end).toString().split(' ');
	if (word === 'ok') return rest.join(' ');
	socket.destroy();
	throw new Error(rest.join(' '));
}

export type Published = {readonly ports: Ports; readonly close: () => void};

type Publishing = {
	/** Address to listen on. */
	readonly address: string;
	readonly connect: InsideNetwork['connect'];
};

/** Limit of an instance's connections, so that others stay reachable. */
const MOST_CONNECTIONS = 256;

/** Publishes each port at a port of the machine; 0 is any free one. */
export async function publishPorts(
	publishing: Publishing,
	wanted: readonly WantedPort[],
): Promise<Published> {
	const ports: Array<readonly [string, number]> = [];
	const servers: Server[] = [];
	const places = createPlaces(mostHeld.ports);
	for (const {inside, outside} of wanted) {
		const server = createServer({allowHalfOpen: true, pauseOnConnect: true});
		const port = await listenOn(server, publishing.address, outside).catch((error: unknown) => {
			for (const opened of servers) opened.close();
			throw error;
		});
		const target = inside === 'same' ? port : inside;
		server.maxConnections = MOST_CONNECTIONS;
		server.on('connection', socket => {
			const giveBack = places.take();
			if (giveBack === undefined) socket.destroy();
			else void lead(socket, publishing, target).finally(giveBack);
		});
		servers.push(server);
		ports.push([`${target}/tcp`, port]);
	}
	return {
		ports,
		close() {
			for (const server of servers) server.close();
		},
	};
}

async function listenOn(server: Server, host: string, port: number): Promise<number> {
	await once(server.listen({host, port}), 'listening');
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Fulfils when the connection is over. */
async function lead(socket: Socket, publishing: Publishing, port: number): Promise<void> {
	socket.on('error', () => socket.destroy());
	const gone = new AbortController();
	const {promise: closed, resolve: close} = Promise.withResolvers<void>();
	socket.once('close', () => {
		gone.abort();
		close();
	});
	try {
		const inside = await publishing.connect('127.0.0.1', port, gone.signal);
		inside.on('error', () => socket.destroy());
		inside.on('close', () => socket.destroy());
		socket.on('close', () => inside.destroy());
		socket.pipe(inside);
		inside.pipe(socket);
	} catch {
		socket.destroy();
	}
	await closed;
}

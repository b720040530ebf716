/**
 * Connects into the network of an instance, listens there, and publishes its ports on this machine.
 */
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {open} from 'node:fs/promises';
import {connect, type Socket, createServer, type Server} from 'node:net';
import {createInterface} from 'node:readline';
import type {InsideNetwork} from '../inside/inside.ts';
import type {Ports, WantedPort} from '../instance/ports.ts';
import {createNetworkSlots, mostHeld, type NetworkSlots} from '../ssh/connection-limits.ts';
import {publishDatagrams, type OpenDatagrams} from './datagram-ports.ts';

type NetworkCalls = Pick<InsideNetwork, 'connect' | 'listen'> & {
	readonly openDatagrams: OpenDatagrams;
};

/** Socket file of the program that holds the network. */
export const SOCKET = 'network.socket';

/** @param folder Working folder of the program that holds the network. */
export function networkCalls(folder: string): NetworkCalls {
	const held = holdConnections(folder);
	return {
		async connect(host, port, signal) {
			const socket = await held.ask(`connect ${hostName(host)} ${port}`);
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
		async openDatagrams(port) {
			const socket = await held.ask(`datagrams ${port}`);
			await answerOf(socket);
			return socket;
		},
		async listen(port, take) {
			const socket = await ask(folder, `listen ${port}`);
			const answer = await answerOf(socket);
			const lines = createInterface({input: socket});
			lines.on('line', id => void held.ask(`accept ${id}`).then(take, () => undefined));
			return {port: Number(answer), close: () => void socket.destroy()};
		},
	};
}

/** A connection that reports to the network program which others were cut. */
type Holding = {readonly holder: string; readonly cut: (id: string) => void};

/**
 * Reports cut connections to the network program: by itself it only sees the end of their input.
 */
function holdConnections(folder: string) {
	let holding: Promise<Holding> | undefined;

	async function hold(): Promise<Holding> {
		const control = await ask(folder, 'hold');
		const holder = await answerOf(control);
		control.on('end', () => control.destroy());
		control.on('close', () => (holding = undefined));
		control.resume().unref();
		return {holder, cut: id => void (control.writable && control.write(`${id}\n`))};
	}

	return {
		async ask(request: string): Promise<Socket> {
			holding ??= hold();
			// An older agent's network program does not support `hold`.
			const held = await holding.catch(() => undefined);
			if (held === undefined) {
				holding = undefined;
				return ask(folder, request);
			}
			const id = randomUUID();
			const socket = await ask(folder, `${request} ${held.holder} ${id}`);
			socket.once('close', () => held.cut(id));
			return socket;
		},
	};
}

/** @throws Error for a name that would be read as several words. */
function hostName(host: string): string {
	if (/^[\w.:-]{1,253}$/.test(host)) return host;
	throw new Error('this is not the name of a host');
}

/** Connects through the open folder, because a socket path must be short. */
async function ask(folder: string, request: string): Promise<Socket> {
	await using handle = await open(folder);
	const socket = connect({path: `/proc/self/fd/${handle.fd}/${SOCKET}`, allowHalfOpen: true});
	socket.on('error', () => socket.destroy());
	await once(socket, 'connect');
	socket.write(`${request}\n`);
	return socket;
}

/** Rest of a reply's first line after its `ok`; later bytes stay unread. */
async function answerOf(socket: Socket): Promise<string> {
	const line = await readLine(socket);
	const [word, ...rest] = line.split(' ');
	if (word === 'ok') return rest.join(' ');
	socket.destroy();
	throw new Error(rest.join(' '));
}

/** Reads in paused mode: in flowing mode the stream could end before unread bytes are put back. */
async function readLine(socket: Socket): Promise<string> {
	let text = Buffer.alloc(0);
	for (;;) {
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no encoding is set
		const part = socket.read() as Buffer | null;
		if (part !== null) {
			text = Buffer.concat([text, part]);
			const end = text.indexOf('\n');
			if (end < 0) continue;
			socket.unshift(text.subarray(end + 1));
			return text.subarray(0, end).toString();
		}
		if (socket.readableEnded || socket.destroyed) {
			throw new Error('the network of the instance is gone');
		}
		await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
	}
}

export type Published = {readonly ports: Ports; readonly close: () => void};

type Publishing = {
	/** Address to listen on. */
	readonly address: string;
	readonly connect: InsideNetwork['connect'];
	readonly openDatagrams: OpenDatagrams;
};

/** Limit of a port's connections, so that others stay reachable: half is what a relay leads here. */
const MOST_CONNECTIONS = 512;

/** Publishes each port at a port of the machine; 0 is any free one. */
export async function publishPorts(
	publishing: Publishing,
	wanted: readonly WantedPort[],
): Promise<Published> {
	const ports: Array<readonly [string, number]> = [];
	const opened: Array<{readonly close: () => void}> = [];
	// Datagrams from made-up addresses must not keep connections out.
	const slots = createNetworkSlots(mostHeld.ports);
	const datagramSlots = createNetworkSlots(mostHeld.ports);
	const close = () => {
		for (const one of opened) one.close();
	};
	try {
		for (const {inside, protocol, outside} of wanted) {
			const published =
				protocol === 'udp'
					? await publishDatagrams({...publishing, slots: datagramSlots}, inside, outside)
					: await publishPort({...publishing, slots}, inside, outside);
			opened.push(published);
			const target = inside === 'same' ? published.port : inside;
			ports.push([`${target}/${protocol}`, published.port]);
		}
	} catch (error) {
		close();
		throw error;
	}
	return {ports, close};
}

type PublishingOne = Publishing & {readonly slots: NetworkSlots};

async function publishPort(publishing: PublishingOne, inside: number | 'same', outside: number) {
	const server = createServer({allowHalfOpen: true, pauseOnConnect: true});
	const port = await listenOn(server, publishing.address, outside);
	const target = inside === 'same' ? port : inside;
	const ownSlots = createNetworkSlots(MOST_CONNECTIONS);
	server.on('connection', socket => {
		const {remoteAddress: from} = socket;
		const leave = ownSlots.take(from);
		const giveBack = leave && publishing.slots.take(from);
		if (giveBack === undefined) {
			leave?.();
			socket.destroy();
			return;
		}
		void lead(socket, publishing, target).finally(() => {
			leave?.();
			giveBack();
		});
	});
	return {port, close: () => void server.close()};
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

/**
 * Relay program that holds the network of an instance while it runs, and forwards connections in
 * and out through a socket file in its working folder.
 */
import {randomUUID} from 'node:crypto';
import {createSocket} from 'node:dgram';
import {Resolver} from 'node:dns/promises';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {connect, createServer, isIP, type Socket} from 'node:net';
import {createInterface} from 'node:readline';
import process from 'node:process';
import {createDatagramReader, writeDatagram} from './datagram-frames.ts';

const [, , FILE = '', RESOLVER = ''] = process.argv;

const LONGEST_REQUEST = 1024;
const MOST_WAITING = 64;
const WAITING_MS = 10_000;

/** Connections from inside, until the agent accepts them. */
const waiting = new Map<string, Socket>();

/** Connections of each agent by the ids that it chose, and ids of those cut before they arrived. */
const holders = new Map<string, Map<string, Socket | 'cut'>>();

async function serve(asker: Socket): Promise<void> {
	asker.on('error', () => asker.destroy());
	try {
		const [what, ...words] = (await readLine(asker)).split(' ');
		if (what === 'hold') hold(asker);
		else if (what === 'listen') await listen(asker, Number(words[0]));
		else if (what === 'accept') {
			note(asker, words.slice(1));
			join(asker, take(words[0] ?? ''));
		} else if (what === 'datagrams') {
			note(asker, words.slice(1));
			await exchange(asker, Number(words[0]));
		} else {
			note(asker, words.slice(2));
			join(asker, await reach(asker, words[0] ?? '', Number(words[1])));
		}
	} catch (error) {
		asker.end(`no ${error instanceof Error ? error.message : String(error)}\n`);
	}
}

/**
 * Reads ids of connections that an agent has cut, one per line, and cuts all of them when the agent
 * is gone: a cut connection shows only the end of its input, like one that still listens.
 */
function hold(asker: Socket): void {
	const [name, held] = [randomUUID(), new Map<string, Socket | 'cut'>()];
	holders.set(name, held);
	createInterface({input: asker}).on('line', id => {
		const socket = held.get(id);
		if (socket === undefined) held.set(id, 'cut');
		else held.delete(id);
		if (socket !== 'cut') socket?.destroy();
	});
	asker.on('end', () => asker.destroy());
	asker.on('close', () => {
		holders.delete(name);
		for (const socket of held.values()) if (socket !== 'cut') socket.destroy();
	});
	asker.write(`ok ${name}\n`);
}

/**
 * Registers a connection by its holder and id, if it has both, until its holder reports that it is
 * cut.
 */
function note(asker: Socket, [holder = '', id = '']: readonly string[]): void {
	const held = holders.get(holder);
	if (held === undefined || id === '') return;
	const isCut = held.delete(id);
	if (isCut) asker.destroy();
	else held.set(id, asker);
}

async function readLine(asker: Socket): Promise<string> {
	let text = Buffer.alloc(0);
	for (;;) {
		const part: Buffer = await nextPart(asker);
		text = Buffer.concat([text, part]);
		const end = text.indexOf('\n');
		if (end >= 0) {
			asker.pause();
			asker.unshift(text.subarray(end + 1));
			return text.subarray(0, end).toString();
		}
		if (text.length > LONGEST_REQUEST) throw new Error('the request is too long');
	}
}

async function nextPart(asker: Socket): Promise<Buffer> {
	const {promise, resolve, reject} = Promise.withResolvers<Buffer>();
	asker.once('data', resolve).once('close', () => reject(new Error('nobody asks any more')));
	return promise;
}

async function reach(asker: Socket, host: string, port: number): Promise<Socket> {
	const resolver = new Resolver({timeout: 3000, tries: 2});
	resolver.setServers([RESOLVER]);
	const [address = ''] = isIP(host) === 0 ? await resolver.resolve4(host) : [host];
	const socket = connect({host: address, port, allowHalfOpen: true});
	asker.on('close', () => socket.destroy());
	await once(socket, 'connect');
	asker.write('ok\n');
	return socket;
}

/** Forwards datagrams from an agent's connection to a port, and those from the port back. */
async function exchange(asker: Socket, port: number): Promise<void> {
	const socket = createSocket('udp4');
	asker.on('close', () => socket.close());
	socket.connect(port, '127.0.0.1');
	await once(socket, 'connect');
	// Connection refused: no listener yet.
	socket.on('error', () => undefined);
	const read = createDatagramReader();
	socket.on('message', datagram => writeDatagram(asker, datagram));
	asker.on('data', (bytes: Buffer) => {
		for (const datagram of read(bytes)) socket.send(datagram, () => undefined);
	});
	asker.on('end', () => asker.destroy());
	asker.write('ok\n');
	asker.resume();
}

async function listen(asker: Socket, port: number): Promise<void> {
	const server = createServer({allowHalfOpen: true}, socket => {
		const id = randomUUID();
		socket.on('error', () => socket.destroy());
		if (waiting.size >= MOST_WAITING) {
			socket.destroy();
			return;
		}
		waiting.set(id, socket);
		setTimeout(() => waiting.delete(id) && socket.destroy(), WAITING_MS).unref();
		asker.write(`${id}\n`);
	});
	asker.on('end', () => asker.destroy()).on('close', () => server.close());
	asker.resume();
	await once(server.listen(port, '127.0.0.1'), 'listening');
	const address = server.address();
	asker.write(`ok ${typeof address === 'object' && address !== null ? address.port : 0}\n`);
}

function take(id: string): Socket {
	const socket = waiting.get(id);
	if (socket === undefined || !waiting.delete(id)) throw new Error('nobody waits');
	return socket;
}

function join(one: Socket, other: Socket): void {
	one.on('close', () => other.destroy());
	other.on('close', () => one.destroy());
	other.on('error', () => other.destroy());
	one.pipe(other);
	other.pipe(one);
}

rmSync(FILE, {force: true});
const server = createServer({allowHalfOpen: true}, asker => void serve(asker)).listen(FILE);
await once(server, 'listening');
process.stdout.write('ready\n');

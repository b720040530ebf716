/**
 * The port at which this machine greets every connection, so that its market can check whether it
 * is reachable.
 */
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type Server} from 'node:net';
import type {Publication} from '../../contract/nouns/hosts.ts';
import type {PortAddresses} from './port-choice.ts';

export type ReachabilityPort = {
	/** Published address and port. */
	readonly reach: NonNullable<Publication['reach']>;
	readonly close: () => Promise<void>;
};

/** The most concurrent connections, and the time limit of each. */
const MOST_CALLERS = 32;
const PATIENCE_MS = 5000;

/** Listens at the last free port of a range; undefined for a machine that cannot be reached. */
export async function openReachabilityPort({
	address,
	listen = address,
	portRange: range,
	isDirect = true,
}: PortAddresses): Promise<ReachabilityPort | undefined> {
	if (!isDirect) return undefined;
	const word = randomBytes(16).toString('hex');
	const ports = range === undefined ? [0] : backwards(range.first, range.last);
	for (const wanted of ports) {
		const server = createPortServer(word);
		const port = await bind(server, wanted, listen);
		if (port === undefined) continue;
		return {
			reach: {port, word},
			async close() {
				const closed = once(server, 'close');
				server.close();
				await closed;
			},
		};
	}
	return undefined;
}

function* backwards(first: number, last: number): Generator<number, void> {
	for (let port = last; port >= first; port -= 1) yield port;
}

function createPortServer(word: string): Server {
	const server = createServer(socket => {
		socket.setTimeout(PATIENCE_MS, () => socket.destroy());
		socket.on('error', () => socket.destroy());
		socket.end(`${word}\n`, () => socket.destroySoon());
	});
	server.maxConnections = MOST_CALLERS;
	return server;
}

/** The bound port; undefined for one that is in use. */
async function bind(server: Server, port: number, listen: string): Promise<number | undefined> {
	try {
		await once(server.listen(port, listen), 'listening');
	} catch {
		return undefined;
	}
	server.on('error', () => undefined);
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : undefined;
}

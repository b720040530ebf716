/**
 * SSH server of an instance, with its own port, and its own host key for the instance's lifetime. The
 * module takes about 80 ms to load: import it when needed.
 */
import {once} from 'node:events';
import {createServer, type Server as Listener, type Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import ssh2 from 'ssh2';
import type {Algorithms, AuthContext, Connection, ParsedKey, PublicKeyAuthContext} from 'ssh2';
import type {Inside} from '../inside/inside.ts';
import {createHoldings, limitConnections, limitInput, type mostHeld} from './connection-limits.ts';
import {serveForwards} from './forwards.ts';
import {createErrorGuard, createSshConnection, type SshConnection} from './connection.ts';
import {COPYING_USER, rsyncInside} from './rsync-daemon.ts';
import {serveAgent} from './agent.ts';
import {serveX11} from './x11.ts';
import {serveSession} from './session.ts';
import {createTroubleLog} from './trouble.ts';
import {timingSafeEqual} from 'node:crypto';

type SshServerOptions = {
	/** The private key of the instance's host key. */
	readonly hostKey: string;
	readonly inside: Inside;
	/** Address to listen on. */
	readonly address: string;
	/** Port; 0 for any free one. */
	readonly port: number;
	readonly publicKeys: readonly string[];
	/** Id of the instance, to serve rsync copies too. */
	readonly instanceId?: number;
	/**
	 * Limits of resources that clients can use.
	 * @default mostHeld
	 */
	readonly most?: typeof mostHeld;
};

export type SshServer = {
	readonly port: number;
	/** Accepts a connection from a relay, with the renter's address. */
	readonly enter: (stream: Duplex, from: string) => void;
	/** Sets the authorised keys. Open connections stay. */
	readonly admit: (publicKeys: readonly string[]) => void;
	/** Ends all connections at once, with their programs. */
	readonly close: () => Promise<void>;
};

/** Buffered replies of a slow client at which its input is paused. */
const MOST_UNTAKEN = 2 * 1024 * 1024;

/** The most attempts with wrong keys: an SSH agent offers all its keys. */
const MOST_ATTEMPTS = 20;

/** Algorithms without SHA-1, and without compression, whose output is unbounded. */
const algorithms: Algorithms = {
	hmac: [
		'hmac-sha2-256-etm@openssh.com',
		'hmac-sha2-512-etm@openssh.com',
		'hmac-sha2-256',
		'hmac-sha2-512',
	],
	compress: ['none'],
};

export async function openSshServer(options: SshServerOptions): Promise<SshServer> {
	const {hostKey, inside, address, port, instanceId} = options;
	const insides = new Map([[USER, inside]]);
	if (instanceId !== undefined) insides.set(COPYING_USER, rsyncInside(inside, instanceId));
	let keys = readKeys(options.publicKeys);
	const inputLimits = limitInput();
	const holdings = createHoldings(options.most);
	const connections = limitConnections(holdings.connections);
	const logTrouble = createTroubleLog(() => portOf(listener));

	/** The inside that a user enters; undefined if refused. */
	function mayEnter(context: AuthContext): Inside | undefined {
		const isKnown = context.method === 'publickey' && isAuthorized(context, keys);
		return isKnown ? insides.get(context.username) : undefined;
	}

	/** Connections before their first line, by address and port. */
	const silent = new Map<string, (client: Connection) => void>();
	const server = new ssh2.Server(
		{hostKeys: [hostKey], ident: 'rentty', algorithms},
		(client, from) => silent.get(connectionName(from.ip, from.port))?.(client),
	);
	function meet(socket: Socket): void {
		if (!connections.admit(socket)) return;
		const guard = createErrorGuard(error => {
			logTrouble(error);
			socket.destroy();
		});
		guard.listeners(socket);
		const name = connectionName(socket.remoteAddress, socket.remotePort);
		silent.set(name, client => {
			const connection = createSshConnection({client, socket, inputLimits, guard, holdings});
			guard.listeners(client);
			let attempts = 0;
			let entered: Inside | undefined;
			client.on('authentication', context => {
				attempts += 1;
				if (attempts > MOST_ATTEMPTS) return void client.end();
				entered = mayEnter(context);
				if (entered === undefined) context.reject(['publickey']);
				else context.accept();
			});
			client.on('ready', () => {
				connections.knows(socket);
				if (entered !== undefined) welcome(connection, entered);
			});
			// Errors end only their own connection.
			client.on('error', connection.end);
			client.on('end', connection.end);
		});
		socket.on('error', () => socket.destroy());
		socket.once('close', () => silent.delete(name));
		server.injectSocket(together(socket));
	}

	// No delay, so that each key press is echoed at once.
	const listener = createServer({noDelay: true}, meet);
	await once(listener.listen(port, address), 'listening');
	// A connection that fails because there are too many open files must not end the host.
	listener.on('error', logTrouble);
	return {
		port: portOf(listener),
		enter: (stream, from) => meet(relayedSocket(stream, from)),
		admit(publicKeys) {
			keys = readKeys(publicKeys);
		},
		async close() {
			const closed = once(listener, 'close');
			listener.close();
			connections.sendAway();
			await closed;
		},
	};
}

function welcome(connection: SshConnection, inside: Inside): void {
	const listening = serveForwards(connection, inside);
	const agent = serveAgent(connection, inside);
	const display = serveX11(connection, inside);
	// Clients request forwards and a command in one go, and the command may need the ports.
	const start: Inside['start'] = async (command, beginning) => {
		await listening();
		return inside.start(command, beginning);
	};
	connection.client.on('session', (accept, reject) => {
		const giveBack = connection.takeChannel('sessions');
		if (giveBack === undefined) reject();
		else {
			const plan = {connection, inside: {...inside, start}, agent, display, giveBack};
			serveSession(accept(), plan);
		}
	});
}

/**
 * Sends the writes of a turn together, so that replies to many requests take a single system call and
 * wake the client once.
 */
function together(socket: Socket): Socket {
	const write = socket.write.bind(socket);
	const release = () => socket.uncork();
	const corking = (bytes: Uint8Array) => {
		if (socket.writableCorked === 0) {
			socket.cork();
			queueMicrotask(release);
		}
		if (socket.writableLength > MOST_UNTAKEN) socket.pause();
		return write(bytes);
	};
	socket.on('drain', () => socket.resume());
	return Object.assign(socket, {write: corking});
}

let relayed = 0;

/** A relay's stream with the interface of a socket, and the renter's address. */
function relayedSocket(stream: Duplex, remoteAddress: string): Socket {
	let bytesRead = 0;
	stream.on('data', (bytes: Buffer) => (bytesRead += bytes.length));
	stream.pause();
	relayed += 1;
	const about = {remoteAddress, remotePort: -relayed, remoteFamily: 'relay'};
	for (const [name, value] of Object.entries(about)) Object.defineProperty(stream, name, {value});
	Object.defineProperty(stream, 'bytesRead', {get: () => bytesRead});
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server uses nothing else of one
	return stream as Socket;
}

/** Name of a connection for both of its sides, while it lasts. */
function connectionName(address = '', port = 0): string {
	return `${address} ${port}`;
}

function portOf(listener: Listener): number {
	const address = listener.address();
	if (address === null || typeof address === 'string') throw new TypeError('it has no port');
	return address.port;
}

/** The only user inside of an instance, beside the one for rsync. */
const USER = 'root';

/** Reads public keys, one a line; invalid lines are ignored. */
function readKeys(lines: readonly string[]): readonly ParsedKey[] {
	return lines.flatMap(line => {
		const parsed = ssh2.utils.parseKey(line.trim());
		return parsed instanceof Error ? [] : [parsed];
	});
}

/** True if the client has one of the keys: it first asks, and then proves it with a signature. */
function isAuthorized(
	{key: {algo, data}, signature, blob, hashAlgo}: PublicKeyAuthContext,
	keys: readonly ParsedKey[],
): boolean {
	if (isOfSha1(algo, hashAlgo)) return false;
	const known = keys.find(key => areEqual(key.getPublicSSH(), data));
	if (known === undefined || (known.type !== algo && !algo.startsWith('rsa-sha2'))) return false;
	if (signature === undefined || blob === undefined) return true;
	return known.verify(blob, signature, hashAlgo);
}

/** True for SHA-1 signatures: the library names a hash algorithm only for newer RSA signatures. */
function isOfSha1(algo: string, hashAlgo: string | undefined): boolean {
	return algo === 'ssh-dss' || (algo === 'ssh-rsa' && hashAlgo === undefined);
}

function areEqual(one: Buffer, other: Buffer): boolean {
	return one.length === other.length && timingSafeEqual(one, other);
}

/** The public half of a host key, as in a `known_hosts` file. */
export function publicHalf(hostKey: string): string {
	const parsed = ssh2.utils.parseKey(hostKey);
	if (parsed instanceof Error) throw parsed;
	return `${parsed.type} ${parsed.getPublicSSH().toString('base64')}`;
}

/** Makes a private host key, which includes the public one. */
export function makeHostKey(): string {
	for (;;) {
		const key = ssh2.utils.generateKeyPairSync('ed25519').private;
		// The library drops trailing zeros of one key in some hundreds, which makes it unreadable.
		if (!(ssh2.utils.parseKey(key) instanceof Error)) return key;
	}
}

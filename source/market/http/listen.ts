/** The service on a port. */
import {once} from 'node:events';
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerOptions,
	type ServerResponse,
} from 'node:http';
import {createServer as createTlsServer, Server as TlsServer} from 'node:https';
import {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {getRequestListener, RequestError} from '@hono/node-server';
import {codeOf, messageOf} from '../../contract/rules/thrown.ts';
import {answerTo, refusalResponse} from './answers.ts';
import type {Log} from '../base/log.ts';
import {callerNetwork, plainAddress} from './caller-address.ts';
import type {MarketClock} from '../base/clock.ts';
import {keepCertificate, readCertificate, type TlsFiles} from './tls.ts';
import {createConcurrencyLimits} from './limits.ts';
import {Refusal} from '../base/refusal.ts';

/** Idle timeout, longer than the pauses of a console's polls. */
const KEEP_ALIVE_MS = 60_000;

type Call = Parameters<Parameters<typeof getRequestListener>[0]>;
type Fetch = (...call: Call) => Response | Promise<Response>;

export type ListenOptions = {
	readonly port?: number;
	readonly address?: string;
	readonly slowestRequestMs?: number;
	/** Proxies, whose connections are not counted. */
	readonly trustedProxies?: readonly string[];
	readonly mostConnections?: number;
	/** @default none: HTTP without TLS */
	readonly tls?: TlsFiles | undefined;
};

/** Takes over connections for upgrades to another protocol. */
export type TakeUpgrade = {
	readonly takes: (request: IncomingMessage) => boolean;
	/** @throws Refusal, which is answered */
	readonly take: (request: IncomingMessage, socket: Socket, head: Buffer) => Promise<void>;
};

type Listening = {
	readonly clock: Pick<MarketClock, 'now'>;
	readonly log: Log;
	/** @default none: the request is answered without an upgrade */
	readonly upgrade?: TakeUpgrade | undefined;
};

/** Serves on a port. Every response has the date of the market's clock. */
export async function listen(
	fetch: Fetch,
	{port = 0, address = '127.0.0.1', slowestRequestMs = 30_000, tls, ...bounds}: ListenOptions,
	{clock, log, upgrade}: Listening,
): Promise<Server> {
	const date = () => new Date(clock.now() * 1000).toUTCString();
	const dated = (response: Response) => {
		response.headers.set('date', date());
		return response;
	};
	const answer: Fetch = async (request, bindings) => {
		const isPlain = isNormal(bindings.incoming.url ?? '');
		const response = isPlain
			? await fetch(request, bindings)
			: refusalResponse(
					new Refusal(
						'badRequest',
						'The path is not in its plain form: it has steps, empty parts or hidden letters.',
					),
				);
		// Set on Node's own message: headers of a Response would need a copy of it.
		bindings.outgoing.setHeader('date', date());
		return response;
	};
	const listener = getRequestListener(answer, {
		// A console in the same process keeps its Request and Response.
		overrideGlobalObjects: false,
		hostname: address,
		errorHandler(error) {
			// The caller's mistake: a request that hono cannot parse.
			const fault = error instanceof RequestError ? unreadable(error) : error;
			return dated(answerTo(fault, 'outside of any call', log));
		},
	});
	const shouldUpgradeCallback = (request: IncomingMessage) => upgrade?.takes(request) === true;
	const server = open({...patience(slowestRequestMs), shouldUpgradeCallback}, tls, log);
	const serve = (request: IncomingMessage, response: ServerResponse) => {
		if (request.httpVersion === '1.1' && request.headers.host === undefined) {
			return answerBroken(dated(refusalResponse(unreadable())), request.socket);
		}
		response.once('close', () => {
			// Node ends idle connections when a server closes, but not those that become idle later.
			if (!server.listening) server.closeIdleConnections();
		});
		return listener(request, response);
	};
	server.on('request', (request, response) => void serve(request, response));
	// Any `Expect` header gets the final response at once.
	server.on('checkExpectation', (request, response) => void serve(request, response));
	server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
		if (error.code === 'ECONNRESET') socket.destroy();
		else void answerBroken(dated(refusalResponse(brokenReason(error))), socket);
	});
	server.on('upgrade', (request, socket, head) => {
		socket.on('error', () => socket.destroy());
		if (upgrade === undefined || !(socket instanceof Socket)) return void socket.destroy();
		upgrade.take(request, socket, head).catch((error: unknown) => {
			void answerBroken(dated(answerTo(error, 'an upgrade', log)), socket);
		});
	});
	server.on('connection', boundConnections(bounds));
	server.listen(port, address);
	await once(server, 'listening').catch((cause: unknown) => {
		const why = portReasons[codeOf(cause) ?? ''] ?? messageOf(cause);
		throw new Error(`Port ${port} of ${address} cannot be listened on: ${why}.`, {cause});
	});
	return server;
}

function open(options: ServerOptions, tls: TlsFiles | undefined, log: Log): Server {
	if (tls === undefined) return createServer(options);
	const certificate = readCertificate(tls);
	const {requestTimeout: handshakeTimeout} = options;
	const server = createTlsServer({...options, ...certificate, handshakeTimeout});
	keepCertificate(server, tls, certificate, log);
	return server;
}

/** Percent codes of letters, digits, `-`, `.`, `_` and the backslash, which no honest client uses. */
const HIDDEN = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5[cf])/i;

/**
 * True if proxies read the same path as the market does: no dot segments, no empty segments, and no
 * needless percent encoding, even repeated.
 */
function isNormal(target: string): boolean {
	const [written = ''] = target.split(/[?#]/, 1);
	const path = written.replace(/^https?:\/\/[^/\\]*/i, '').replaceAll(/%(?:25)+/g, '%');
	if (path.includes('\\') || path.includes('//') || HIDDEN.test(path)) return false;
	return !path.split(/\/|%2f/i).some(part => part === '.' || part === '..');
}

const portReasons: Readonly<Record<string, string>> = {
	EADDRINUSE: 'another program listens there',
	EADDRNOTAVAIL: 'this machine has no such address',
	ENOTFOUND: 'this machine has no such address',
	EACCES: 'you may not use that port',
};

/** Most connections of one address at once: more than its agents and consoles need. */
const MOST_CONNECTIONS = 2000;

/** Closes new connections of an address that has too many. */
function boundConnections({
	trustedProxies = [],
	mostConnections = MOST_CONNECTIONS,
}: Pick<ListenOptions, 'trustedProxies' | 'mostConnections'>): (socket: Socket) => void {
	const crowds = createConcurrencyLimits(mostConnections);
	const trusted = new Set(trustedProxies.map(plainAddress));
	return socket => {
		const {remoteAddress} = socket;
		if (trusted.has(plainAddress(remoteAddress ?? ''))) return;
		const leave = crowds.enter(callerNetwork({socket: remoteAddress, forwarded: undefined}, []));
		if (leave === undefined) socket.destroy();
		else socket.once('close', leave);
	};
}

/** Timeouts of the server's sockets. */
function patience(slowestRequestMs: number): ServerOptions {
	return {
		keepAliveTimeout: KEEP_ALIVE_MS,
		requestTimeout: slowestRequestMs,
		headersTimeout: slowestRequestMs / 2,
		connectionsCheckingInterval: Math.min(slowestRequestMs / 4, 10_000),
		// Node's own refusal of a missing Host would have the machine's date.
		requireHostHeader: false,
	};
}

/** Answers a malformed request, and ends the connection. */
async function answerBroken(response: Response, socket: Duplex): Promise<void> {
	if (!socket.writable) {
		socket.destroy();
		return;
	}
	const body = await response.text();
	const headers = [...response.headers, ['connection', 'close'], ['content-length', body.length]];
	const lines = headers.map(([name, value]) => `${name}: ${value}`);
	const status = `HTTP/1.1 ${response.status} ${response.statusText || 'Refused'}`;
	socket.end([status, ...lines, '', body].join('\r\n'), () => socket.destroy());
}

function brokenReason({code}: NodeJS.ErrnoException): Refusal {
	if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
		return new Refusal('tooSlow', 'The request took too long to arrive.');
	}
	if (code === 'HPE_HEADER_OVERFLOW') {
		return new Refusal('headersTooLarge', 'The headers are too large.');
	}
	return unreadable();
}

function unreadable(cause?: unknown): Refusal {
	return new Refusal('badRequest', 'The request cannot be read.', {cause});
}

export function serverUrlOf(server: Server): string {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');
	const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
	const scheme = server instanceof TlsServer ? 'https' : 'http';
	return `${scheme}://${host}:${address.port}`;
}

/** Ends idle connections at once, and calls in progress after a grace period. */
export async function stopServer(server: Server, graceMs = 2000): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	const timer = setTimeout(() => server.closeAllConnections(), graceMs);
	await closed;
	clearTimeout(timer);
}

/** A proxy in front of a market that does to requests and replies what bad networks do. */
import {Agent, createServer, request as requestOf} from 'node:http';
import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {passOn} from './faults.ts';
import type {Fault, Reply, SeenRequest} from './faults.ts';

/** Which requests a fault is for; what is left out fits all. A text fits a path that begins with it. */
export type Rule = {readonly method?: string; readonly path?: string | RegExp};

/** Opens a proxy that passes everything on, until faults are asked for. */
export async function openFaultProxy(target: string) {
	const agent = new Agent({keepAlive: true});
	const requests: SeenRequest[] = [];
	const rules: Array<{readonly rule: Rule; readonly fault: Fault; times: number}> = [];
	const sockets = new Set<Socket>();
	const waiting: Array<() => void> = [];

	function take(request: SeenRequest): Fault {
		const found = rules.find(({rule, times}) => times > 0 && isFor(rule, request));
		if (found === undefined) return passOn;
		found.times--;
		return found.fault;
	}

	async function otherReply(): Promise<void> {
		return new Promise(resolve => waiting.push(resolve));
	}

	async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await readAll(incoming);
		const {method = 'GET', url: path = '/'} = incoming;
		const hasKey = incoming.headers.authorization !== undefined;
		const request = {method, path, hasKey, body: body.toString('utf8')};
		requests.push(request);
		const forwarded = async () => forward({target, agent, incoming, body});
		await take(request)({request, response, forward: forwarded, otherReply});
		// Whoever waits does so for another reply: its own comes only afterwards.
		for (const resolve of waiting.splice(0)) resolve();
	}

	const server = createServer((incoming, response) => {
		// A service that is gone, or a caller who is: the connection ends, as it does in the world.
		serve(incoming, response).catch(() => response.destroy());
	});
	server.keepAliveTimeout = 0;
	server.on('connection', socket => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => undefined);
	});
	const url = await listen(server);

	async function close(): Promise<void> {
		server.closeAllConnections();
		agent.destroy();
		await new Promise(resolve => server.close(resolve));
	}

	return {
		url,
		/** What arrived, the oldest first. */
		requests,
		/** Does a fault to the next requests that fit, once or as many times as said. */
		next(rule: Rule, fault: Fault, times = 1): void {
			rules.push({rule, fault, times});
		},
		/** Forgets the faults that have not happened yet. */
		calm(): void {
			rules.length = 0;
		},
		/** Ends every connection, those that are kept alive among them. */
		closeSockets(): void {
			for (const socket of sockets) socket.destroy();
		},
		/** How many connections there are. */
		socketCount: () => sockets.size,
		close,
		[Symbol.asyncDispose]: close,
	};
}

export type FaultProxy = Awaited<ReturnType<typeof openFaultProxy>>;

async function listen(server: Server): Promise<string> {
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');
	return `http://127.0.0.1:${address.port}`;
}

function isFor({method, path}: Rule, request: SeenRequest): boolean {
	if (method !== undefined && method !== request.method) return false;
	if (path === undefined) return true;
	return typeof path === 'string' ? request.path.startsWith(path) : path.test(request.path);
}

type Forwarded = {
	readonly target: string;
	readonly agent: Agent;
	readonly incoming: IncomingMessage;
	readonly body: Buffer;
};

async function forward({target, agent, incoming, body}: Forwarded): Promise<Reply> {
	const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
	const {host: _, connection: __, ...headers} = incoming.headers;
	const {method} = incoming;
	const outgoing = requestOf(target + (incoming.url ?? '/'), {
		agent,
		headers,
		...(method !== undefined && {method}),
	});
	outgoing.on('response', resolve).on('error', reject).end(body);
	const reply = await promise;
	return {status: reply.statusCode ?? 0, headers: reply.headers, body: await readAll(reply)};
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return Buffer.concat(chunks);
}

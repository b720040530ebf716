/** A container engine, Docker or Podman, and calls to its socket. */
import {request as openRequest} from 'node:http';
import type {Socket} from 'node:net';
import {Readable} from 'node:stream';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {Pool} from 'undici';
import {textAt, parseJson} from '../../contract/grammar/json.ts';

export type Engine = {
	readonly name: string;
	readonly isPodman: boolean;
	/** Calls the engine and returns its JSON; undefined for an empty reply. */
	readonly ask: (question: EngineRequest) => Promise<unknown>;
	/** Calls the engine and returns the first bytes of its reply, up to a number. */
	readonly bytes: (question: EngineRequest, most: number) => Promise<Buffer>;
	/** Passes on each JSON value of a streamed reply. */
	readonly values: (question: EngineRequest, take: (value: unknown) => void) => Promise<void>;
	/** Sends the reply to one call as the body of another, and passes on that one's values. */
	readonly pipe: (
		from: EngineRequest,
		to: EngineRequest,
		take: (value: unknown) => void,
	) => Promise<void>;
	/** Upgrades a call to a connection that both sides write to. */
	readonly converse: (question: EngineRequest) => Promise<Socket>;
	readonly close: () => Promise<void>;
};

export type EngineRequest = {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly path: string;
	readonly query?: Readonly<Record<string, string | readonly string[]>>;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
	/**
	 * Longest silence; 0 for no limit.
	 * @default a minute
	 */
	readonly patienceMs?: number;
	/**
	 * The most bytes of a reply that is passed on.
	 * @default any number
	 */
	readonly mostBytes?: number;
};

/** Error of a refused call; without a status if the engine could not be reached. */
export class EngineError extends Error {
	override readonly name = 'EngineError';
	readonly status: number | undefined;

	constructor(message: string, status?: number, options?: ErrorOptions) {
		super(message, options);
		this.status = status;
	}
}

const PATIENCE_MS = 60_000;
const LONGEST_ANSWER = 16 * 1024 * 1024;
const LONGEST_LINE = 1024 * 1024;

/** Limit of connections: each running container needs one to wait for its end. */
const MOST_CONNECTIONS = 1024;

/**
 * Opens the engine behind a socket.
 *
 * @throws EngineError if no engine answers.
 */
export async function openEngine(socketPath: string): Promise<Engine> {
	const pool = new Pool('http://engine', {
		connections: MOST_CONNECTIONS,
		allowH2: false,
		socketPath,
	});
	const open = async (question: EngineRequest) => openAnswer(pool, question);
	const ask = async (question: EngineRequest) => {
		const bytes = await collect(await open(question), LONGEST_ANSWER);
		return parseJson(bytes.toString('utf8'));
	};
	try {
		const version = await ask({method: 'GET', path: '/version', patienceMs: 10_000});
		const isPodman = JSON.stringify(version ?? '').includes('Podman Engine');
		return {
			name: `${isPodman ? 'Podman' : 'Docker'} ${textAt(version, 'Version') ?? ''}`.trim(),
			isPodman,
			ask,
			bytes: async (question, most) => collect(await open(question), most),
			values: async (question, take) => readValues(await open(question), take),
			pipe: async (from, to, take) =>
				readValues(await openAnswer(pool, to, bounded(await open(from), from.mostBytes)), take),
			converse: async question => converse(socketPath, question),
			close: async () => pool.destroy(),
		};
	} catch (error) {
		await pool.destroy();
		throw error;
	}
}

type Bytes = AsyncIterable<Buffer>;

/** @throws EngineError for more bytes, which are not passed on */
async function* bounded(bytes: Bytes, most = Infinity): AsyncGenerator<Buffer> {
	let taken = 0;
	for await (const part of bytes) {
		taken += part.length;
		if (taken > most) throw new EngineError('what it sends is larger than there is room for');
		yield part;
	}
}

async function openAnswer(pool: Pool, question: EngineRequest, archive?: Bytes): Promise<Bytes> {
	const {method, body, headers = {}, signal, patienceMs = PATIENCE_MS} = question;
	try {
		const answer = await pool.request({
			method,
			path: pathOf(question),
			headers: {
				...headers,
				'content-type': archive === undefined ? 'application/json' : 'application/x-tar',
			},
			body: archive ? Readable.from(archive) : body === undefined ? null : JSON.stringify(body),
			...(signal !== undefined && {signal}),
			headersTimeout: patienceMs,
			bodyTimeout: patienceMs,
		});
		if (answer.statusCode < 400) return answer.body;
		const refusal = await collect(answer.body, LONGEST_LINE);
		throw new EngineError(messageIn(refusal.toString('utf8')), answer.statusCode);
	} catch (error) {
		signal?.throwIfAborted();
		throw error instanceof EngineError ? error : unreachable(error);
	}
}

function pathOf({path, query = {}}: EngineRequest): string {
	const pairs = Object.entries(query).flatMap(([name, value]) =>
		[value].flat().map((one): [string, string] => [name, one]),
	);
	const written = new URLSearchParams(pairs).toString();
	return written === '' ? path : `${path}?${written}`;
}

function unreachable(cause: unknown): EngineError {
	const why = cause instanceof Error ? cause.message : String(cause);
	return new EngineError(`The container engine does not answer: ${why}`, undefined, {cause});
}

async function collect(bytes: Bytes, most: number): Promise<Buffer> {
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of bytes) {
		parts.push(part.subarray(0, most - length));
		length += part.length;
		if (length >= most) break;
	}
	return Buffer.concat(parts);
}

/** Reads JSON values, one per line, from chunks of any size. */
async function readValues(bytes: Bytes, take: (value: unknown) => void): Promise<void> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const part of bytes) {
		const lines = (rest + decoder.decode(part, {stream: true})).split('\n');
		rest = lines.pop() ?? '';
		if (rest.length > LONGEST_LINE) throw new EngineError('The container engine speaks nonsense');
		for (const line of lines) if (line.trim() !== '') take(parseJson(line));
	}
	if (rest.trim() !== '') take(parseJson(rest));
}

/** Upgrades by hand: engines want a body with the upgrade, which the pool does not send. */
async function converse(socketPath: string, question: EngineRequest): Promise<Socket> {
	const {method, body, signal, patienceMs = PATIENCE_MS} = question;
	const text = JSON.stringify(body ?? {});
	const {promise, resolve, reject} = Promise.withResolvers<Socket>();
	const request = openRequest({
		socketPath,
		method,
		path: pathOf(question),
		agent: false,
		headers: {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(text),
			connection: 'Upgrade',
			upgrade: 'tcp',
		},
		...(signal !== undefined && {signal}),
	});
	const silent = () => request.destroy(new Error('it has said nothing for too long'));
	request.setTimeout(patienceMs, silent);
	request.on('upgrade', (_answer, socket: Socket, first) => {
		// From here on the bytes are the command's, which may be silent for long.
		socket.setTimeout(0);
		if (first.length > 0) socket.unshift(first);
		resolve(socket);
	});
	request.on('response', answer => {
		const refuse = (message: Buffer) =>
			reject(new EngineError(messageIn(message.toString('utf8')), answer.statusCode));
		collect(answer, LONGEST_LINE).then(refuse, reject);
	});
	request.on('error', error => reject(unreachable(error)));
	request.end(text);
	return promise;
}

const LONGEST_MESSAGE = 500;

/** Error message of Docker or Podman on one line. */
function messageIn(text: string): string {
	const answer = parseJson(text);
	const message = textAt(answer, 'message') ?? textAt(answer, 'cause') ?? text;
	const line = message.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
	return line === '' ? 'it does not say why' : line.slice(0, LONGEST_MESSAGE).toWellFormed();
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The engines that answer. */
export async function findEngines(
	environment: Environment = process.env,
): Promise<readonly Engine[]> {
	const engines: Engine[] = [];
	for (const path of socketPaths(environment, process.getuid?.() ?? 0)) {
		if (!existsSync(path)) continue;
		try {
			engines.push(await openEngine(path));
		} catch {
			// The socket may be left over from an engine that has ended, or belong to another user.
		}
	}
	return engines;
}

/** Paths of engines' sockets. A socket named in the environment is the only one, and must be local. */
export function socketPaths(environment: Environment, userId: number): readonly string[] {
	const named = environment['DOCKER_HOST'] ?? environment['CONTAINER_HOST'] ?? '';
	if (named !== '') return named.startsWith('unix://') ? [named.slice('unix://'.length)] : [];
	const own = environment['XDG_RUNTIME_DIR'] ?? `/run/user/${userId}`;
	return [
		'/var/run/docker.sock',
		join(own, 'docker.sock'),
		...(userId === 0 ? ['/run/podman/podman.sock'] : []),
		join(own, 'podman', 'podman.sock'),
	];
}

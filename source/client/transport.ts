import {Pool} from 'undici';
import * as z from 'zod/mini';
import type {Endpoint} from '../contract/endpoint.ts';
import {isRecord} from '../contract/json.ts';
import {ApiError, MarketError, NetworkError, ReplyError, TimeoutError} from './errors.ts';
import type {Refused} from './errors.ts';
import {writeRequest} from './request.ts';
import type {Parts} from './request.ts';

/** One call on its way through the layers of the client. */
export type Call = {
	readonly endpoint: Endpoint;
	readonly parts: Parts;
	/** Ends the call, and its socket, when it fires. */
	readonly signal: AbortSignal | undefined;
	/** How much longer than others it may take. */
	readonly waitMs: number;
};

/** What every layer of the client is: it takes a call and answers with the reply, checked. */
export type Send = (call: Call) => Promise<unknown>;

export type TransportOptions = {
	/** Where the service is, such as `https://console.example`. */
	readonly url: URL;
	/** Sent in the Authorization header, and nowhere else. */
	readonly key: string;
	/** How long one exchange may take, from sending to the last byte. */
	readonly timeoutMs: number;
	/** Who we are, for the service's logs. */
	readonly userAgent: string;
	/** Told of every answer: how long it took, in milliseconds. */
	readonly onExchange: ((ms: number) => void) | undefined;
};

export type Transport = {readonly send: Send; readonly close: () => Promise<void>};

/** A reply longer than this is refused: no list is, and memory is finite. */
const LONGEST_REPLY_BYTES = 64 * 1024 * 1024;

/** One exchange with the service: written by the contract, read by the contract. */
export function openTransport({
	url,
	key,
	timeoutMs,
	userAgent,
	onExchange,
}: TransportOptions): Transport {
	const pool = new Pool(url.origin, {connections: 8, allowH2: false});
	const prefix = url.pathname.replace(/\/+$/, '');
	const headers = {
		authorization: `Bearer ${key}`,
		accept: 'application/json',
		'user-agent': userAgent,
	};

	async function exchange({endpoint, parts}: Call, signal: AbortSignal, longestMs: number) {
		const {path, body} = writeRequest(endpoint, parts, prefix);
		const response = await pool.request({
			method: endpoint.method,
			path,
			headers: body === undefined ? headers : {...headers, 'content-type': 'application/json'},
			body: body ?? null,
			signal,
			headersTimeout: longestMs,
			bodyTimeout: longestMs,
		});
		return {status: response.statusCode, text: await readText(response.body)};
	}

	async function send(call: Call): Promise<unknown> {
		const attempt = attemptOf(call.endpoint);
		const longestMs = timeoutMs + call.waitMs;
		const deadline = AbortSignal.timeout(longestMs);
		const signal = call.signal === undefined ? deadline : AbortSignal.any([call.signal, deadline]);
		try {
			const startedAt = performance.now();
			const {status, text} = await exchange(call, signal, longestMs);
			onExchange?.(performance.now() - startedAt);
			return readReply(call.endpoint, status, text);
		} catch (error) {
			call.signal?.throwIfAborted();
			if (error instanceof MarketError) throw error;
			if (deadline.aborted || isTimeout(error)) throw new TimeoutError(attempt, longestMs);
			throw new NetworkError(attempt, error);
		}
	}

	return {send, close: () => pool.destroy()};
}

/** What a call tries to do, for "Could not …". */
function attemptOf({summary}: Endpoint): string {
	return summary.charAt(0).toLowerCase() + summary.slice(1);
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > LONGEST_REPLY_BYTES) throw new Error('the answer is too long');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

function isTimeout(error: unknown): boolean {
	return error instanceof Error && 'code' in error && timeoutCodes.has(error.code);
}

const timeoutCodes: ReadonlySet<unknown> = new Set([
	'UND_ERR_HEADERS_TIMEOUT',
	'UND_ERR_BODY_TIMEOUT',
	'UND_ERR_CONNECT_TIMEOUT',
	'ETIMEDOUT',
]);

function readReply(endpoint: Endpoint, status: number, text: string): unknown {
	const attempt = attemptOf(endpoint);
	if (status < 200 || status > 299) throw new ApiError(attempt, readRefusal(status, text));
	const json = parseJson(text);
	if (json === undefined) {
		throw new ReplyError(attempt, 'the answer is not JSON, or was cut off');
	}
	const reply = z.safeParse(endpoint.replies[200], json);
	if (reply.success) return reply.data;
	const [issue] = reply.error.issues;
	const place = issue?.path.join('.') ?? '';
	const what = [place, issue?.message].filter(part => part !== undefined && part !== '').join(': ');
	throw new ReplyError(attempt, `the answer is not what the service documents (${oneLine(what)})`);
}

function readRefusal(status: number, text: string): Refused {
	const json = parseJson(text);
	const body = isRecord(json) ? json : {};
	const says = [body['msg'], body['message'], body['detail']].find(
		part => typeof part === 'string',
	);
	return {
		status,
		code: typeof body['error'] === 'string' ? oneLine(body['error']) : undefined,
		serverSays: says === undefined ? undefined : oneLine(says),
	};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A stranger's text as one short line without control characters. */
function oneLine(text: string): string {
	const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
	return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

import {messageOf} from '../../contract/rules/thrown.ts';
import * as z from 'zod/mini';
import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';
import {contract} from '../../contract/index.ts';
import {parseJson} from '../../contract/grammar/json.ts';
import {findMismatchedRecord, LONG_REPLY, readInPieces, parseReply} from './replies.ts';
import type {Connections} from './connections.ts';
import {
	ApiError,
	leavesOpen,
	isUnsent,
	MarketError,
	NetworkError,
	ReplyError,
	RequestError,
	TimeoutError,
} from './errors.ts';
import {createKnownReplies} from './known-replies.ts';
import type {NoteDate} from './time.ts';
import {readParts, openReplyBounds} from './reading.ts';
import {
	failsIn,
	hideKeyIn,
	isPage,
	oneLine,
	readRefusal,
	refusedAnyway,
	type HttpAnswer,
	attemptOf,
	moneyOf,
} from './refusal.ts';
import {writeRequest, type RequestParts, type WireRequest} from './call.ts';

export type Call = {
	readonly endpoint: Endpoint;
	readonly parts: RequestParts;
	/** Ends the call, and its socket, when it fires. */
	readonly signal: AbortSignal | undefined;
	/** Extra time beyond the usual limit. */
	readonly waitMs: number;
	readonly isUrgent: boolean;
};

/** The type of every layer: takes a call, returns the checked reply. */
export type Send = (call: Call) => Promise<unknown>;

export type TransportOptions = {
	readonly connections: Connections;
	/** Prefix of every path: empty, or `/api` if the service is not at the root. */
	readonly prefix: string;
	/** The API key, sent in the Authorization header and nowhere else. */
	readonly key: string;
	/** Time limit of one exchange, from sending to the last byte. */
	readonly timeoutMs: number;
	readonly userAgent: string;
	/** Called with the Date header of every successful reply. */
	readonly noteDate: NoteDate;
	/** Clock of this machine, in milliseconds since 1970. */
	readonly now: () => number;
	/** Called with the duration of every answered exchange, in milliseconds. */
	readonly onExchange: ((ms: number) => void) | undefined;
	readonly onFailure: ((error: unknown) => void) | undefined;
};

const NO_JSON = 'the answer is not JSON, or was cut off';
const A_PAGE = 'the answer is a page, as proxies and sign-in pages send it, and no JSON';

/** Status of replies to calls with a tag: the reply is unchanged, or such calls accept no tags. */
const UNCHANGED = 304;
const NOT_TAKEN = 412;

/** Longest accepted reply: no list is longer, and memory is finite. */
const LONGEST_REPLY_BYTES = 64 * 1024 * 1024;

/** A reply in the parts in which its text arrived. */
type Exchanged = Omit<HttpAnswer, 'text'> & {readonly parts: readonly string[]};

const lengthOf = (parts: readonly string[]) => parts.reduce((sum, {length}) => sum + length, 0);

type Limits = {readonly signal: AbortSignal; readonly longestMs: number};

/** Sends a request, and reads the whole reply. With a tag, an unchanged reply has no body. */
function createExchange({connections, key, userAgent}: TransportOptions) {
	const headers = {
		authorization: `Bearer ${key}`,
		accept: 'application/json',
		'user-agent': userAgent,
	};
	return async (
		{method}: Endpoint,
		{path, body}: WireRequest,
		{signal, longestMs, tag}: Limits & {readonly tag?: string | undefined},
	): Promise<Exchanged> => {
		const response = await connections.request({
			method,
			path,
			headers: {
				...headers,
				...(body !== undefined && {'content-type': 'application/json'}),
				...(tag !== undefined && {'if-none-match': tag}),
			},
			body: body ?? null,
			signal,
			headersTimeout: longestMs,
			bodyTimeout: longestMs,
		});
		const {statusCode: status, headers: answered} = response;
		const parts = await readParts(response.body, LONGEST_REPLY_BYTES, openReplyBounds());
		return {status, headers: answered, parts};
	};
}

/**
 * One exchange with the service: the contract writes the request and parses the reply. Redirects
 * are not followed, failed calls not retried.
 */
export function createTransport(options: TransportOptions): Send {
	const {prefix, key, timeoutMs, onExchange, onFailure, noteDate, now} = options;
	const exchange = createExchange(options);
	const knownReplies = createKnownReplies();

	/** Sends the tag of the known reply, if there is one. */
	async function askAgain(endpoint: Endpoint, request: WireRequest, limits: Limits) {
		const known = knownReplies.of(endpoint, request);
		const answer = await exchange(endpoint, request, {...limits, tag: known?.tag});
		if (known === undefined || answer.status !== NOT_TAKEN) {
			return {answer, unchanged: answer.status === UNCHANGED ? known : undefined};
		}
		knownReplies.stop(endpoint);
		return {answer: await exchange(endpoint, request, limits), unchanged: undefined};
	}

	return async call => {
		const {endpoint, parts} = call;
		const request = write(endpoint, parts, prefix);
		const longestMs = timeoutMs + call.waitMs;
		const deadline = AbortSignal.timeout(longestMs);
		const signal = call.signal === undefined ? deadline : AbortSignal.any([call.signal, deadline]);
		try {
			const startedAt = performance.now();
			const sentAt = now();
			const limits = {signal, longestMs};
			// A person waits for an urgent call, so request a fresh reply.
			const {answer, unchanged} = call.isUrgent
				? {answer: await exchange(endpoint, request, limits), unchanged: undefined}
				: await askAgain(endpoint, request, limits);
			// An error may come from a proxy: do not trust its Date.
			if (answer.status < 300 || unchanged) noteDate(answer.headers['date'], sentAt);
			onExchange?.(performance.now() - startedAt);
			if (unchanged !== undefined) return unchanged.reply;
			const reply = await readReply(endpoint, answer, key);
			refuseOther(endpoint, parts, reply);
			const {etag: tag} = answer.headers;
			knownReplies.keep(endpoint, request, {tag, reply, length: lengthOf(answer.parts)});
			return reply;
		} catch (error) {
			call.signal?.throwIfAborted();
			const isLate = deadline.aborted || isTimeout(error);
			const failure = failureOf(endpoint, error, isLate ? longestMs : undefined);
			onFailure?.(failure);
			throw failure;
		}
	};
}

function write(endpoint: Endpoint, parts: RequestParts, prefix: string): WireRequest {
	try {
		return writeRequest(endpoint, parts, prefix);
	} catch (error) {
		const why = `that is not what the service takes (${oneLine(problemOf(error))})`;
		const money = moneyOf(endpoint, false);
		throw new RequestError(attemptOf(endpoint), why, {cause: error, money});
	}
}

function failureOf(
	endpoint: Endpoint,
	error: unknown,
	timedOutMs: number | undefined,
): MarketError {
	if (error instanceof MarketError) return error;
	const attempt = attemptOf(endpoint);
	if (error instanceof RangeError) {
		return new ReplyError(attempt, error.message, {money: moneyOf(endpoint, true)});
	}
	const money = moneyOf(endpoint, !isUnsent(error));
	if (timedOutMs !== undefined) return new TimeoutError(attempt, timedOutMs, {money});
	return new NetworkError(attempt, error, {money});
}

function isTimeout(error: unknown): boolean {
	return error instanceof Error && 'code' in error && timeoutCodes.has(error.code);
}

const timeoutCodes: ReadonlySet<unknown> = new Set([
	'UND_ERR_HEADERS_TIMEOUT',
	'UND_ERR_BODY_TIMEOUT',
	'ETIMEDOUT',
]);

async function readReply(endpoint: Endpoint, answer: Exchanged, key: string): Promise<unknown> {
	const attempt = attemptOf(endpoint);
	const {status, parts} = answer;
	if (status < 200 || status > 299) {
		const money = moneyOf(endpoint, leavesOpen(status));
		const refusal = readRefusal(endpoint, {...answer, text: parts.join('')}, key);
		throw new ApiError(attempt, refusal, {money});
	}
	if (lengthOf(parts) > LONG_REPLY) {
		const list = await readInPieces(parts, endpoint.replies[200]);
		if (list !== undefined) return list;
	}
	const text = parts.join('');
	// Some services answer 204 on success.
	const json = status === 204 ? null : hideKeyIn(parseJson(text), key);
	const money = moneyOf(endpoint, true);
	if (json === undefined) {
		throw new ReplyError(attempt, isPage(text) ? A_PAGE : NO_JSON, {money});
	}
	// A list in a failed reply proves nothing, least of all that it is empty.
	if (isReading(endpoint) && endpoint !== contract.instances.logs && failsIn(json)) {
		throw refusedAnyway(endpoint, json);
	}
	const reply = parseReply(endpoint, json);
	if (reply.success) return reply.data;
	const why = `the answer is not what the service documents (${oneLine(problemOf(reply.error))})`;
	throw new ReplyError(attempt, why, {money, cause: reply.error});
}

/** Refuses a reply about another record: the caller would act on that one. */
function refuseOther(endpoint: Endpoint, parts: RequestParts, reply: unknown): void {
	const other = findMismatchedRecord(endpoint, parts, reply);
	if (other === undefined) return;
	const {asked, answered} = other;
	const why = `the service answered about ${idText(answered)}, and ${asked.map(idText).join(', ')} was asked for, so its answer is not used`;
	throw new ReplyError(attemptOf(endpoint), why, {money: moneyOf(endpoint, true)});
}

/** An id in a sentence: quoted unless it is a number or a hash. */
function idText(id: string): string {
	if (id.trim() === '') return 'a record with an empty id';
	return /^[\da-f]+$/.test(id) ? id : `"${oneLine(id)}"`;
}

/** First problem of a value with its path. */
function problemOf(error: unknown): string {
	if (!(error instanceof z.core.$ZodError)) {
		return messageOf(error);
	}
	const [issue] = error.issues;
	return [issue?.path.join('.'), issue?.message]
		.filter(part => part !== undefined && part !== '')
		.join(': ');
}

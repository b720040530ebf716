import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';
import {contract} from '../../contract/index.ts';
import {replaceHarmful} from '../../contract/grammar/harmless-text.ts';
import {fieldsOf, isRecord, parseJson} from '../../contract/grammar/json.ts';
import type {CallEndpoint} from './call.ts';
import {ApiError, type Refused} from './errors.ts';
import {DAY} from '../../contract/rules/durations.ts';

const {instances, volumes} = contract;

/** Endpoints that start a charge. */
const begins: ReadonlySet<Endpoint> = new Set<Endpoint>([
	instances.create,
	instances.createMany,
	instances.launch,
	volumes.create,
	volumes.copy,
]);

/** Endpoints that end a charge, which continues until they succeed. */
const ends: ReadonlySet<Endpoint> = new Set<Endpoint>([
	instances.destroy,
	instances.destroyMany,
	instances.change,
	instances.changeMany,
	volumes.delete,
]);

/** The call's summary in the form that follows "Could not …". */
export function attemptOf({summary}: Pick<Endpoint, 'summary'>): string {
	const [call = ''] = summary.split(/[:;]/, 1);
	return call.charAt(0).toLowerCase() + call.slice(1);
}

/** Consequence of a failed call for money; undefined for a refused read, which costs nothing. */
export function moneyOf(endpoint: Endpoint, mayHaveActed: boolean): string | undefined {
	if (isReading(endpoint)) {
		return mayHaveActed ? 'What runs goes on, and is charged' : undefined;
	}
	if (begins.has(endpoint)) {
		return mayHaveActed
			? 'It may have been created all the same, and be charged: look before trying again'
			: 'Nothing was created, and nothing is charged';
	}
	if (ends.has(endpoint)) {
		return mayHaveActed
			? 'It may have been done all the same; where it was not, it is charged as before'
			: 'Nothing was changed: it is charged as before';
	}
	return mayHaveActed
		? 'It may have been done all the same: look before trying again'
		: 'Nothing was changed';
}

export type HttpAnswer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	readonly text: string;
};

/** Longest wait that is honoured. */
const LONGEST_SECONDS = DAY;

/** Parses a refusal, and removes the secret from its texts. */
export function readRefusal(
	{method, path}: Pick<Endpoint, 'method' | 'path'>,
	{status, headers, text}: HttpAnswer,
	secret: string,
): Refused {
	const json = parseJson(text);
	const body = fieldsOf(json);
	const message = [body['msg'], body['message'], body['detail'], json, plainText(text)].find(
		part => typeof part === 'string' && part !== '',
	);
	const clean = (value: unknown) =>
		typeof value === 'string' ? oneLine(hideKey(value, secret)) : undefined;
	const code = clean(body['error']);
	// A 404 means a missing record only if the path or a refused change names one; for a list, or
	// as an HTML page, it means a missing call.
	const isNamed = path.includes('{') || (method !== 'GET' && code !== undefined);
	const isOfRecord = isNamed && (code !== undefined || !isPage(text));
	return {
		status,
		code,
		hasNoCall: status === 404 && !isOfRecord,
		serverSays: clean(message),
		retryAfterSeconds: readRetryAfter(headers['retry-after']),
		thresholdSeconds: status === 429 ? readThreshold(text) : undefined,
	};
}

function hideKey(text: string, key: string): string {
	return text.replaceAll(key, '(the key)');
}

/** A reply whose own words, which become messages, do not repeat the key. */
export function hideKeyIn(reply: unknown, key: string): unknown {
	if (!isRecord(reply)) return reply;
	const words = Object.entries(reply).flatMap(([name, value]) =>
		(name === 'msg' || name === 'error') && typeof value === 'string'
			? [[name, hideKey(value, key)] as const]
			: [],
	);
	return words.length === 0 ? reply : {...reply, ...Object.fromEntries(words)};
}

/** Calls with refusals under the status of a success. */
export function refusingFailures(call: CallEndpoint): CallEndpoint {
	return async (endpoint, parts, options) => {
		const reply = await call(endpoint, parts, options);
		if (endpoint.failsAs200 && failsIn(reply)) {
			throw refusedAnyway(endpoint, reply);
		}
		return reply;
	};
}

export function failsIn(reply: unknown): reply is Readonly<Record<string, unknown>> {
	return isRecord(reply) && reply['success'] === false;
}

/** A refusal under the status of a success. */
export function refusedAnyway(
	endpoint: Endpoint,
	{error, msg}: {readonly error?: unknown; readonly msg?: unknown},
): ApiError {
	const refused = {status: 200, code: lineOf(error), serverSays: lineOf(msg ?? error)};
	return new ApiError(attemptOf(endpoint), refused, {money: moneyOf(endpoint, false)});
}

/** Seconds of a Retry-After header, which has seconds or a date. */
function readRetryAfter(
	header: string | readonly string[] | undefined,
	now = Date.now(),
): number | undefined {
	if (typeof header !== 'string') return undefined;
	const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header)
		? Number(header)
		: (Date.parse(header) - now) / 1000;
	return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), LONGEST_SECONDS) : undefined;
}

/** Reads "API requests too frequent: endpoint threshold=4.5", in JSON or as plain text. */
function readThreshold(text: string): number | undefined {
	const seconds = Number(/threshold\s*[=:]\s*(\d{1,6}(?:\.\d{1,6})?)/i.exec(text)?.[1]);
	return seconds > 0 ? seconds : undefined;
}

export function isPage(text: string): boolean {
	return /^\s*</.test(text);
}

/** A short text that is no HTML page is worth quoting. */
function plainText(text: string): string | undefined {
	const line = text.trim();
	return line === '' || line.length > 300 || /^[<{[]/.test(line) ? undefined : line;
}

function lineOf(value: unknown): string | undefined {
	return typeof value === 'string' ? oneLine(value) : undefined;
}

/** Untrusted text as one short line of harmless characters. */
export function oneLine(text: string): string {
	const line = replaceHarmful(text, () => ' ')
		.replaceAll(/ {2,}/g, ' ')
		.trim();
	return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

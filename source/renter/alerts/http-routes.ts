/** Routes of alerts by HTTP: a webhook, and a topic of ntfy. Each is retried until it is accepted. */
import {createHmac} from 'node:crypto';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {openConnections, type Environment} from '../../client/exchange/connections.ts';
import type {Alert} from '../words/alert.ts';
import {wordedAt} from './guard-alerts.ts';

type Sending = {
	readonly url: string;
	/** Names proxies, as for the service. */
	readonly environment: Environment;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	readonly pause: (ms: number) => Promise<void>;
	/** @default as many as fit into an hour */
	readonly mostTries?: number | undefined;
	readonly signal: AbortSignal;
};

const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 1000;

/** An hour in all: the backoff doubles each time. */
const MOST_TRIES = 12;

/** Signature of a request: HMAC-SHA256 over the timestamp, a full stop and the body. */
export function signatureOf(secret: string, timestamp: number, body: string): string {
	return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** @throws Error if the webhook refuses the alert for good, or never accepts it */
export async function sendWebhook(
	alert: Alert,
	{secret, ...sending}: Sending & {readonly secret: string},
): Promise<void> {
	await sendByHttp('webhook', sending, () => {
		const timestamp = Math.floor(sending.now() / 1000);
		const body = JSON.stringify(wordedAt(alert, sending.now()));
		const headers = {
			'content-type': 'application/json',
			'x-rentty-id': alert.id,
			'x-rentty-timestamp': String(timestamp),
			'x-rentty-signature': `sha256=${signatureOf(secret, timestamp, body)}`,
		};
		return {body, headers};
	});
}

/** @throws Error if the server refuses the alert for good, or never accepts it */
export async function sendNtfy(alert: Alert, sending: Sending): Promise<void> {
	await sendByHttp('ntfy server', sending, () => {
		const {title, text, kind} = wordedAt(alert, sending.now());
		return {body: text, headers: {title: asciiLine(title), tags: kind}};
	});
}

/** Text as one line of ASCII, for a header. */
function asciiLine(text: string): string {
	return harmlessLine(text).replaceAll(/[^\x20-\x7E]/g, '?');
}

type Message = {readonly body: string; readonly headers: Readonly<Record<string, string>>};

/** Sends a message, made anew for each attempt, until the receiver accepts it. */
async function sendByHttp(
	receiver: string,
	sending: Sending,
	makeMessage: () => Message,
): Promise<void> {
	const {mostTries = MOST_TRIES, pause} = sending;
	for (let tries = 1; ; tries++) {
		const problem = await trySending(makeMessage(), sending);
		if (problem === undefined) return;
		if (problem.isFinal || tries >= mostTries) throw new Error(`the ${receiver} ${problem.what}`);
		await pause(FIRST_PAUSE_MS * 2 ** (tries - 1));
	}
}

type Problem = {readonly what: string; readonly isFinal: boolean};

async function trySending(
	message: Message,
	{url, environment, signal}: Sending,
): Promise<Problem | undefined> {
	const {origin, pathname, search, username, password} = new URL(url);
	const connections = openConnections(origin, environment);
	try {
		const {statusCode: status, drop} = await connections.request({
			headers: {...message.headers, ...authorization({username, password})},
			body: message.body,
			method: 'POST',
			path: `${pathname}${search}`,
			signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
		});
		await drop();
		if (status >= 200 && status < 300) return undefined;
		// A redirect is not followed, and a message refused for its content would be refused again.
		const isFinal = status >= 300 && status < 500 && status !== 408 && status !== 429;
		return {what: `answered ${status}`, isFinal};
	} catch {
		signal.throwIfAborted();
		// The address may hold a secret, so no message repeats it.
		return {what: 'cannot be reached', isFinal: false};
	} finally {
		await connections.close();
	}
}

/** Header for a name and a password in an address; none without them. */
function authorization({username, password}: Pick<URL, 'username' | 'password'>) {
	if (username === '' && password === '') return {};
	const plain = `${unescaped(username)}:${unescaped(password)}`;
	return {authorization: `Basic ${Buffer.from(plain).toString('base64')}`};
}

/** Part of an address as it was meant; as it is where its escapes are none. */
function unescaped(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

import process from 'node:process';
import {
	connectionsHere,
	openConnections,
	type AnswerHere,
	type Environment,
} from './connections.ts';
import {createPacer} from './pacing.ts';
import {createRead} from './reading.ts';
import {retrying} from './retry.ts';
import {createServiceClock, realTime, type Time} from './time.ts';
import {createTransport, type Send} from './transport.ts';

export type ClientOptions = {
	/** Address of the service: `http://` or `https://`, a path allowed. */
	readonly url: string;
	/** The API key, sent in the Authorization header and nowhere else. */
	readonly key: string;
	/**
	 * Time limit of one call.
	 * @default 10_000
	 */
	readonly timeoutMs?: number;
	/**
	 * User agent for the service's logs.
	 * @default 'rentty'
	 */
	readonly userAgent?: string;
	/** Called with the duration of every answered exchange, in milliseconds. */
	readonly onExchange?: ((ms: number) => void) | undefined;
	/**
	 * Called for every failed exchange, including refusals; not for calls that their caller
	 * aborted.
	 */
	readonly onFailure?: ((error: unknown) => void) | undefined;
	/**
	 * Refuse calls that change something before they are sent.
	 * @default false
	 */
	readonly isReadOnly?: boolean | undefined;
	/**
	 * Most retries of a failed call, if it is idempotent.
	 * @default 2
	 */
	readonly repeats?: number;
	/**
	 * Factor for the intervals that the contract sets between calls. With 0, only calls that the
	 * service refused are rate-limited.
	 * @default 1
	 */
	readonly paceScale?: number;
	/**
	 * Environment that names proxies: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
	 * @default process.env
	 */
	readonly environment?: Environment;
	/** Answers calls in this process. @default calls are sent to the address */
	readonly answerHere?: AnswerHere;
	/** @default the time of this machine */
	readonly time?: Time;
	/**
	 * The clock to compare with the service's, in milliseconds since 1970.
	 * @default Date.now
	 */
	readonly now?: () => number;
	/** At least 0, below 1: jitter of retries. */
	readonly random?: () => number;
};

/**
 * Composes the layers: transport, pacing and retry. Pacing is inside of retry, so that retries are
 * paced as well.
 */
export function openLayers({
	url: address,
	key,
	timeoutMs = 10_000,
	userAgent = 'rentty',
	onExchange,
	onFailure,
	repeats = 2,
	paceScale = 1,
	environment = process.env,
	answerHere,
	time = realTime,
	now = Date.now,
	random = Math.random,
}: ClientOptions) {
	const url = readUrl(address);
	const connections =
		answerHere === undefined
			? openConnections(url.origin, environment)
			: connectionsHere(url.origin, answerHere);
	const prefix = url.pathname.replace(/(?<!\/)\/+$/, '');
	const closing = new AbortController();
	const {clock, noteDate} = createServiceClock(now);
	const transport = createTransport({
		connections,
		prefix,
		key: readKey(key),
		timeoutMs,
		userAgent,
		noteDate,
		now,
		onExchange,
		onFailure,
	});
	const pacer = createPacer(time, paceScale);
	const send: Send = retrying(pacer.around(transport), {
		repeats,
		time,
		random,
		closed: closing.signal,
	});

	const read = createRead({origin: url.origin, connections, environment, userAgent});

	async function close(): Promise<void> {
		closing.abort(new Error('the client was closed'));
		pacer.close();
		await connections.close();
	}

	return {send, read, service: url.origin + prefix, pace: pacer.pace, clock, close};
}

/**
 * The API key, refused if a header cannot carry it: other characters would end up in error
 * messages.
 */
function readKey(key: string): string {
	if (!/^[\x21-\x7E]+$/.test(key)) {
		throw new Error('the API key must be printable characters without spaces');
	}
	return key;
}

function readUrl(text: string): URL {
	const url = URL.parse(text);
	if (url === null || !['http:', 'https:'].includes(url.protocol)) {
		throw new Error('the address of the service must start with http:// or https://');
	}
	if (url.username !== '' || url.password !== '') {
		throw new Error('the address of the service must not carry a user name or password');
	}
	return url;
}

/** A signed request to a webhook: the name is resolved once, and the checked address is called. */
import {createHmac} from 'node:crypto';
import {lookup} from 'node:dns/promises';
import {request as requestPlain, type RequestOptions} from 'node:http';
import {request as requestSecure} from 'node:https';
import {isIP} from 'node:net';
import {isPublicAddress} from '../../contract/rules/public-address.ts';

/** `any` allows http and private addresses as well: for tests and closed networks. */
type Targets = 'public' | 'any';

export type Address = {readonly address: string; readonly family: number};

type Resolve = (name: string) => Promise<readonly Address[]>;

export type PostingOptions = {
	/** @default 'public' */
	readonly targets?: Targets | undefined;
	/** @default the resolver of this machine */
	readonly resolve?: Resolve | undefined;
	/** @default 10_000 */
	readonly patienceMs?: number | undefined;
};

/** Webhook request: all attempts have the same body, and a new signature each. */
type Post = {
	readonly url: string;
	readonly secret: string;
	readonly body: string;
	readonly eventId: string;
	readonly attempt: number;
	/** Seconds since 1970. */
	readonly now: number;
	readonly signal?: AbortSignal | undefined;
};

/** Reason of a failed request; a final one is not retried. */
type NotTaken = {readonly why: string; readonly isFinal: boolean};

export type Poster = {
	/** Reason why a URL is refused; undefined if allowed. */
	readonly objection: (url: string) => string | undefined;
	/** Sends a request; undefined on success. */
	readonly post: (post: Post) => Promise<NotTaken | undefined>;
};

const PATIENCE_MS = 10_000;

export function createPoster(options: PostingOptions = {}): Poster {
	const {
		targets = 'public',
		resolve = async name => lookup(name, {all: true}),
		patienceMs = PATIENCE_MS,
	} = options;

	async function post(sent: Post): Promise<NotTaken | undefined> {
		const late = AbortSignal.timeout(patienceMs);
		const signal = sent.signal === undefined ? late : AbortSignal.any([sent.signal, late]);
		const target = new URL(sent.url);
		const problem = objection(sent.url, targets);
		if (problem !== undefined) return {why: problem, isFinal: true};
		try {
			const host = hostOf(target);
			const family = isIP(host);
			const addresses =
				family === 0 ? await unlessEnded(resolve(host), signal) : [{address: host, family}];
			// A single private address is enough to refuse: no public service has one.
			if (targets === 'public' && !addresses.every(({address}) => isPublicAddress(address))) {
				return {why: 'its address is not public', isFinal: true};
			}
			return verdict(await send(target, addresses, sent, signal));
		} catch {
			// The error is hidden: it may reveal the market's network.
			const why = late.aborted ? 'it did not answer in time' : 'it cannot be reached';
			return {why, isFinal: false};
		}
	}

	return {objection: url => objection(url, targets), post};
}

function objection(url: string, targets: Targets): string | undefined {
	const target = URL.parse(url);
	const isSecure = target?.protocol === 'https:';
	if (target === null || !(isSecure || (targets === 'any' && target.protocol === 'http:'))) {
		return 'its address must begin with https://';
	}
	const host = hostOf(target);
	if (host === '') return 'its address must name a host';
	if (target.username !== '' || target.password !== '') return 'its address must hold no password';
	const isInside = targets === 'public' && isIP(host) !== 0 && !isPublicAddress(host);
	return isInside ? 'its address is not public' : undefined;
}

/** Host of a URL, without the brackets of an IPv6 address. */
function hostOf({hostname}: URL): string {
	return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Waits for a lookup until the signal fires. The lookup itself cannot be aborted. */
async function unlessEnded<Of>(asked: Promise<Of>, signal: AbortSignal): Promise<Of> {
	const {promise, reject} = Promise.withResolvers<never>();
	const end = () => reject(signal.reason);
	signal.addEventListener('abort', end);
	if (signal.aborted) end();
	try {
		return await Promise.race([asked, promise]);
	} finally {
		signal.removeEventListener('abort', end);
		asked.catch(() => undefined);
	}
}

/** Sends a request and returns the status, without following redirects or reading the body. */
async function send(
	target: URL,
	addresses: readonly Address[],
	{secret, body, eventId, attempt, now}: Post,
	signal: AbortSignal,
): Promise<number> {
	const [first] = addresses;
	if (first === undefined) throw new Error('the name has no address');
	const timestamp = Math.floor(now);
	const options: RequestOptions = {
		method: 'POST',
		signal,
		// A kept-alive connection would lead to an address of an earlier lookup.
		agent: false,
		lookup: (_, {all}, done) => {
			if (all === true) done(null, [...addresses]);
			else done(null, first.address, first.family);
		},
		headers: {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			'user-agent': 'rentty-market',
			'x-vast-event-id': eventId,
			'x-vast-delivery-attempt': String(attempt),
			'x-vast-timestamp': String(timestamp),
			'x-vast-signature-256': `sha256=${signatureOf(secret, timestamp, body)}`,
		},
	};
	return new Promise((resolve, reject) => {
		const make = target.protocol === 'https:' ? requestSecure : requestPlain;
		const request = make(target, options, response => {
			response.on('error', () => undefined);
			resolve(response.statusCode ?? 0);
			response.destroy();
		});
		request.on('error', reject);
		request.on('close', () => reject(new Error('it closed without an answer')));
		request.end(body);
	});
}

/** Signature of a request: HMAC-SHA256 over the timestamp, a full stop and the body. */
function signatureOf(secret: string, timestamp: number, body: string): string {
	return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

function verdict(status: number): NotTaken | undefined {
	if (status >= 200 && status < 300) return undefined;
	const isRetryable = status === 408 || status === 429 || status >= 500;
	return {why: `it answered ${status}`, isFinal: !isRetryable};
}

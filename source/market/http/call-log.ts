import {randomUUID} from 'node:crypto';
import type {Http2Bindings, HttpBindings} from '@hono/node-server';

/** Log entry of a call, for whoever runs the market: it holds no secret. */
export type CallEntry = {
	readonly method: string;
	/** Without the query, which may hold a key; and without words that open something by themselves. */
	readonly path: string;
	readonly status: number;
	readonly ms: number;
	/** Name of the call in every log, here and where it came from. */
	readonly id: string;
};

export type OnCall = (entry: CallEntry) => void;

type Bindings = HttpBindings | Http2Bindings;
type Fetch = (request: Request, bindings: Bindings) => Response | Promise<Response>;

/** Answers like `fetch`, and tells of it. */
export function watched(fetch: Fetch, onCall: OnCall | undefined): Fetch {
	if (onCall === undefined) return fetch;
	return async (request, bindings) => {
		const startedAt = performance.now();
		const id = readId(request);
		ids.set(request, id);
		const response = await fetch(request, bindings);
		bindings.outgoing.setHeader('x-request-id', id);
		const {method, url} = request;
		const ms = Math.round((performance.now() - startedAt) * 10) / 10;
		onCall({method, path: shownPath(url), status: response.status, ms, id});
		return response;
	};
}

const ids = new WeakMap<Request, string>();

/** Name of a call in the log; undefined where nobody keeps one. */
export function requestId(request: Request): string | undefined {
	return ids.get(request);
}

/** A proxy in front may have given it one; so may anybody. */
function readId(request: Request): string {
	const given = request.headers.get('x-request-id');
	return given !== null && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The addresses of results are known to those alone who were told: they have long words in them. */
function shownPath(url: string): string {
	return new URL(url).pathname.replaceAll(/[\w-]{24,}/g, '…');
}

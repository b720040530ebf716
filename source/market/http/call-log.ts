import {randomUUID} from 'node:crypto';
import type {Http2Bindings, HttpBindings} from '@hono/node-server';

/** Log entry of a call for the operator, without secrets. */
type CallEntry = {
	readonly method: string;
	/** Path without the query, which may hold a key, and without tokens. */
	readonly path: string;
	readonly status: number;
	readonly ms: number;
	/** Id of the call, shared with the logs of proxies. */
	readonly id: string;
};

export type OnCall = (entry: CallEntry) => void;

type Bindings = HttpBindings | Http2Bindings;
type Fetch = (request: Request, bindings: Bindings) => Response | Promise<Response>;

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

/** Id of a call in the log; undefined without a log. */
export function requestId(request: Request): string | undefined {
	return ids.get(request);
}

/** Id of a call, validated because a proxy or any caller may have sent it. */
function readId(request: Request): string {
	const given = request.headers.get('x-request-id');
	return given !== null && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Path without long words: these are tokens of results. */
function shownPath(url: string): string {
	return new URL(url).pathname.replaceAll(/[\w-]{24,}/g, '…');
}

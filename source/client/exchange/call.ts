import * as z from 'zod/mini';
import type {Endpoint, Schema, ReplyOf, RequestOf} from '../../contract/grammar/endpoint.ts';

/** The parts of a request as callers give them: decoded, not yet written for the wire. */
export type RequestParts = {
	readonly params?: unknown;
	readonly query?: unknown;
	readonly body?: unknown;
};

export type WireRequest = {readonly path: string; readonly body: string | undefined};

export function writeRequest(endpoint: Endpoint, parts: RequestParts, prefix = ''): WireRequest {
	const params = writePart(endpoint.params, parts.params);
	const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(writeText(params[name])),
	);
	const query = new URLSearchParams(
		Object.entries(writePart(endpoint.query, parts.query)).map(([name, value]) => [
			name,
			writeText(value),
		]),
	).toString();
	return {
		path: prefix + path + (query === '' ? '' : `?${query}`),
		body:
			endpoint.body === undefined
				? undefined
				: JSON.stringify(z.encode(endpoint.body, parts.body ?? {})),
	};
}

function writePart(schema: Schema | undefined, value: unknown): Record<string, unknown> {
	if (schema === undefined) return {};
	const written: unknown = z.encode(schema, value ?? {});
	if (typeof written !== 'object' || written === null) return {};
	return Object.fromEntries(Object.entries(written).filter(([, part]) => part !== undefined));
}

/** Writes a value in a path or query; values other than text are JSON. */
function writeText(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export type CallOptions = {
	/** Ends the call, and its socket, when it fires. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Extra time for a call that asks the service to wait.
	 * @default 0
	 */
	readonly waitMs?: number;
	/**
	 * True if a person waits for this call: it goes ahead of background calls.
	 * @default true for calls that change something
	 */
	readonly isUrgent?: boolean | undefined;
	/** Details for the journal entry of a change, beside the request itself. */
	readonly note?: JournalNote | undefined;
};

export type JournalNote = {
	/** Id shared by all lines about one request. */
	readonly request?: string;
	/** Price that was shown, in dollars an hour. */
	readonly price?: number | undefined;
	readonly evidence?: string | undefined;
};

export type CallEndpoint = <Value extends Endpoint>(
	endpoint: Value,
	parts: RequestOf<Value> & RequestParts,
	options?: CallOptions,
) => Promise<ReplyOf<Value>>;

import type {Endpoint, ReplyOf, RequestOf} from '../../contract/grammar/endpoint.ts';
import type {Parts} from './request.ts';

export type CallOptions = {
	/** Ends the call, and its socket, when it fires. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Extra time for a call that asks the service to wait.
	 * @default 0
	 */
	readonly waitMs?: number;
	/**
	 * A person waits for this call: it goes ahead of background calls.
	 * @default true for calls that change something
	 */
	readonly isUrgent?: boolean | undefined;
	/** Details for the journal entry of a change, beside the request itself. */
	readonly note?: Note | undefined;
};

export type Note = {
	/** By which all lines about one request are found. */
	readonly request?: string;
	/** Dollars an hour, as they were shown. */
	readonly price?: number | undefined;
	/** Evidence for which something is done. */
	readonly evidence?: string | undefined;
};

/** Calls an endpoint: what it takes and answers is typed by it. */
export type CallEndpoint = <Value extends Endpoint>(
	endpoint: Value,
	parts: RequestOf<Value> & Parts,
	options?: CallOptions,
) => Promise<ReplyOf<Value>>;

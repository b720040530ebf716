import type {Endpoint, ReplyOf, RequestOf} from '../contract/endpoint.ts';
import type {Parts} from './request.ts';

export type CallOptions = {
	/** Ends the call, and its socket, when it fires. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * How much longer than usual it may take, where the service is asked to wait.
	 *
	 * @default 0
	 */
	readonly waitMs?: number;
	/**
	 * Whether a person waits for it: it goes ahead of those that nobody waits for.
	 *
	 * @default whether it changes something
	 */
	readonly isUrgent?: boolean | undefined;
	/** What the journal says about a change beside what is sent. */
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

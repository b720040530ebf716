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
};

/** Calls an endpoint: what it takes and answers is typed by it. */
export type CallEndpoint = <Value extends Endpoint>(
	endpoint: Value,
	parts: RequestOf<Value> & Parts,
	options?: CallOptions,
) => Promise<ReplyOf<Value>>;

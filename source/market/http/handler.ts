import type {AnswerOf, Endpoint, RequestOf} from '../../contract/grammar/endpoint.ts';
import type {WorkSignal} from '../base/work-signal.ts';
import type {MarketClock} from '../base/clock.ts';
import type {Unchanged, JsonReply} from '../base/json-reply.ts';
import type {Database} from '../database/database.ts';
import type {ApiKey} from '../base/api-key.ts';
import type {Warn} from '../base/log.ts';

/** Means of every call. A noun whose calls use more of the market names it. */
export type Means = {
	readonly database: Database;
	readonly clock: Pick<MarketClock, 'now'>;
	/** The most offers that one search returns. */
	readonly searchLimit: number;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
	/** Signal to an account that its machines have new work. */
	readonly workSignal: WorkSignal;
	/** Hosts may be led to private addresses of others, to copy from there. */
	readonly reachesPrivate: boolean;
	/** People who may open an account without the operator. */
	readonly signUp: 'closed' | 'invited' | 'open';
	/** The secret that a payment service signs with; undefined where there is none. */
	readonly paymentSecret?: string | undefined;
	/** Tells whoever runs the market about somebody who calls. */
	readonly warn: Warn;
};

/** Caller of an endpoint; undefined where it was called without a key. */
export type CallerOf<Value extends Endpoint> = Value['permission'] extends undefined
	? undefined
	: Value extends {readonly keyless: true}
		? ApiKey | undefined
		: ApiKey;

/** Context of a call, beside its own parts. */
export type Context<Value extends Endpoint, Needs = unknown> = Means &
	Needs & {
		readonly caller: CallerOf<Value>;
		/** Fires when whoever calls is gone: for what waits. */
		readonly signal: AbortSignal;
		/** A secret of the key that was sent, the same for the same purpose: the market keeps none. */
		readonly secretOf: (purpose: string) => string;
		/** Market's base URL as the caller reached it, without a slash at the end. */
		readonly origin: string;
		/** Tags of replies that the caller has: its `If-None-Match`. */
		readonly known: string | undefined;
	};

/** Does what an endpoint says. It throws a Refusal where it does not. */
export type Handler<Value extends Endpoint, Needs = unknown> = (
	request: RequestOf<Value>,
	context: Context<Value, Needs>,
) => AnswerOf<Value> | Promise<AnswerOf<Value> | JsonReply | Unchanged>;

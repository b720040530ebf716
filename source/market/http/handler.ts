import type {AnswerOf, Endpoint, RequestOf} from '../../contract/grammar/endpoint.ts';
import type {WorkSignal} from '../base/work-signal.ts';
import type {MarketClock} from '../base/clock.ts';
import type {Unchanged, JsonReply} from '../base/json-reply.ts';
import type {Database} from '../database/database.ts';
import type {ApiKey} from '../base/api-key.ts';
import type {Warn} from '../base/log.ts';
import type {RelayRow} from '../database/relay-tables.ts';

/** Services for every call. A handler that needs more declares it. */
export type Means = {
	readonly database: Database;
	readonly clock: Pick<MarketClock, 'now'>;
	readonly searchLimit: number;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
	/** Signal to an account that its machines have new work. */
	readonly workSignal: WorkSignal;
	/** True if hosts may copy from private addresses of other providers. */
	readonly reachesPrivate: boolean;
	/** People who may open an account without the operator. */
	readonly signUp: 'closed' | 'invited' | 'open';
	/** Secret of a payment service's signatures; undefined for none. */
	readonly paymentSecret?: string | undefined;
	readonly warn: Warn;
};

/** Caller of an endpoint; undefined for a call without a key of an account. */
type CallerOf<Value extends Endpoint> = Value['permission'] extends undefined | 'relay'
	? undefined
	: Value extends {readonly keyless: true}
		? ApiKey | undefined
		: ApiKey;

export type Context<Value extends Endpoint, Needs = unknown> = Means &
	Needs & {
		readonly caller: CallerOf<Value>;
		/** Refuses if the caller's key has ended, or has other rights, since the call came. */
		readonly confirmCaller: () => Promise<void>;
		/** The calling relay; undefined for all other callers. */
		readonly relay: Value['permission'] extends 'relay' ? RelayRow : undefined;
		/** Fires when the caller is gone, for calls that wait. */
		readonly signal: AbortSignal;
		/** Derives a secret from the caller's key and a purpose, so that none is stored. */
		readonly secretOf: (purpose: string) => string;
		/** Market's base URL as the caller reached it, without a slash at the end. */
		readonly origin: string;
		/** The caller's `If-None-Match`. */
		readonly known: string | undefined;
	};

/** @throws Refusal */
export type Handler<Value extends Endpoint, Needs = unknown> = (
	request: RequestOf<Value>,
	context: Context<Value, Needs>,
) => AnswerOf<Value> | Promise<AnswerOf<Value> | JsonReply | Unchanged>;

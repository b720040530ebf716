import type * as z from 'zod/mini';
import type {CreatedKind} from './bounds.ts';
import type {RefusalReason} from './errors.ts';
import type {Permission} from './permissions.ts';
import type {Unreadable} from './unreadable.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A schema that reads the wire (decode) and writes it (encode). */
export type Schema = z.ZodMiniType;

/** Another method or path for a call, and the location of its body: by itself, or under `q`. */
export type Alias = {
	readonly method: Method;
	readonly path: `/${string}/`;
	readonly bodyIn?: 'q of query' | 'q of body';
};

/** A call of the service as a value, with schemas of its request and its replies. */
export type Endpoint = {
	readonly method: Method;
	/** `{name}` stands for a parameter. Served with and without the trailing slash. */
	readonly path: `/${string}/`;
	/** Other forms in which existing clients make the same call. */
	readonly aliases?: readonly Alias[];
	readonly summary: string;
	readonly params?: Schema;
	readonly query?: Schema;
	readonly body?: Schema;
	/**
	 * Paths in the request and in the reply that name the same records, such as `params.id` and
	 * `instances.id`. For a filter: the list whose records have the fields that it names. The
	 * client refuses a reply that names another record: `findMismatchedRecord`.
	 */
	readonly same?: Readonly<Record<string, string>>;
	readonly replies: {readonly 200: Schema; readonly [status: number]: Schema};
	/** Set if the call changes nothing although its method is not GET. */
	readonly onlyReads?: true;
	/** Set if the call changes something although its method is GET. */
	readonly changes?: true;
	/** Kinds of records that remain after the call: each has a row in the table of limits. */
	readonly makes?: readonly CreatedKind[];
	/** Set if failures also come as `success: false` under the status of a success. */
	readonly failsAs200?: true;
	/** Set if agents of hosts make this call by themselves, too often for the account's history. */
	readonly routine?: true;
	/**
	 * The permission that the caller's key needs: `relay` is that of a relay's key, which no account has.
	 * Undefined for a call without a key.
	 */
	readonly permission: Permission | 'any key' | 'operator' | 'relay' | undefined;
	/** Set if other services do not have this call. */
	readonly extension?: true;
	/** Signed with a secret that the market shares with the sender, in place of a key. */
	readonly signed?: true;
	/** Set if the call also works without a key, with the same reply for everybody. */
	readonly keyless?: true;
	/** The least seconds between two calls, on average; undefined for no limit. */
	readonly thresholdSeconds: number | undefined;
	/** The endpoint with which calls are counted together: the single form of a bulk call. */
	readonly countedAs?: `${Method} /${string}/`;
	/** @default USUAL_BODY.bytes */
	readonly mostBytes?: number;
	/**
	 * The most names of fields in its body, nested objects included.
	 *
	 * @default USUAL_BODY.names
	 */
	readonly mostNames?: number;
	/**
	 * Refusal reason for a malformed request.
	 * @default 'badArguments'
	 */
	readonly unfit?: RefusalReason;
	/**
	 * Kind of refusals in a form of their own. `creation`: they name the offer as `ask_id`, and
	 * `msg` begins with the status and a number. `bills`: no key is 403, and an unknown one 404.
	 */
	readonly refusesAs?: 'creation' | 'bills';
};

export const USUAL_BODY = {bytes: 64 * 1024, names: 1000} as const;

/** The bytes of a body with an environment or a template: their characters can take twelve bytes each. */
export const LONG_BODY_BYTES = 512 * 1024;

/** The bytes of a body with a list of machines or of reports, or with a log. */
export const LONGEST_BODY_BYTES = 1024 * 1024;

/** True if the call changes nothing, and so is idempotent. */
export function isReading({
	method,
	onlyReads,
	changes,
}: Pick<Endpoint, 'method' | 'onlyReads' | 'changes'>): boolean {
	return (method === 'GET' && changes !== true) || onlyReads === true;
}

export function countName({method, path, countedAs}: Endpoint): string {
	return countedAs ?? `${method} ${path}`;
}

/** Keeps the exact type of an endpoint, so that callers and handlers are typed by it. */
export function endpoint<const Value extends Endpoint>(value: Value): Value {
	return value;
}

type Part<Value, Name extends string> =
	Value extends Record<Name, infer Declared extends Schema>
		? {readonly [Key in Name]: z.output<Declared>}
		: unknown;

/** Request as callers pass it and handlers receive it: the declared parts, decoded. */
export type RequestOf<Value extends Endpoint> = Part<Value, 'params'> &
	Part<Value, 'query'> &
	Part<Value, 'body'>;

/**
 * Reply as callers receive it: for a list, the readable records, with the others in `unreadable`.
 */
export type ReplyOf<Value extends Endpoint> = z.output<Value['replies'][200]>;

/** Reply as handlers return it: for a list, all records as documented. */
export type AnswerOf<Value extends Endpoint> =
	ReplyOf<Value> extends {readonly unreadable: Unreadable}
		? z.input<Value['replies'][200]>
		: ReplyOf<Value>;

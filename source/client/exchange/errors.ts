type RefusalFacts = {
	readonly status: number;
	readonly code: string | undefined;
	readonly serverSays: string | undefined;
};

/** Statuses that have other meanings as well. */
const ambiguous: ReadonlySet<number> = new Set([403, 404]);

const sentences = /\binvalid (?:user|api) key\b|\bsession (?:has |is )?expired\b/i;

/** True for a refusal of the API key itself: usually a 401, from some services a 403 or 404. */
export function refusesKey({status, code, serverSays}: RefusalFacts): boolean {
	if (!ambiguous.has(status)) return status === 401;
	return code === 'auth_error' || sentences.test(serverSays ?? '');
}

/** True for the error of a call whose key the service does not accept, whatever its status. */
export function isKeyRefused(error: unknown): boolean {
	return error instanceof Error && 'isKeyRefused' in error && error.isKeyRefused === true;
}

type FailureDetails = ErrorOptions & {
	readonly money?: string | undefined;
};

/**
 * Any failure of a call. Its message contains the attempt, the reason, and the consequence for
 * money: "Could not rent an offer: the connection broke. It may have been rented all the same, …".
 */
export class MarketError extends Error {
	override readonly name: string = 'MarketError';
	/** The attempt in words: "search the offers that can be rented". */
	readonly attempt: string;
	/** The reason alone, without the attempt. */
	readonly why: string;
	/** A sentence on the consequence for running instances and their cost, if one is needed. */
	readonly money: string | undefined;
	/** True if the service may have acted although the call failed. */
	readonly mayHaveActed: boolean = false;

	constructor(attempt: string, why: string, {money, ...options}: FailureDetails = {}) {
		super(`Could not ${attempt}: ${why}${money === undefined ? '' : `. ${money}`}`, options);
		this.attempt = attempt;
		this.why = why;
		this.money = money;
	}
}

/** The service replied with a refusal. */
export class ApiError extends MarketError {
	override readonly name = 'ApiError';
	override readonly mayHaveActed: boolean;
	readonly status: number;
	readonly code: string | undefined;
	/**
	 * True if the service does not accept the key: then the status means nothing for the record or
	 * call.
	 */
	readonly isKeyRefused: boolean;
	/** True if the service does not have the call: the address may belong to another service. */
	readonly hasNoCall: boolean;
	/** The service's own sentence, if it sent one: one line, without control characters. */
	readonly serverSays: string | undefined;
	readonly retryAfterSeconds: number | undefined;
	/** The least seconds between two calls, if the service sent them. */
	readonly thresholdSeconds: number | undefined;

	constructor(attempt: string, refusal: Refused, details?: FailureDetails) {
		super(attempt, describe(refusal), details);
		this.status = refusal.status;
		this.code = refusal.code;
		this.isKeyRefused = refusesKey(refusal);
		this.hasNoCall = !this.isKeyRefused && refusal.hasNoCall === true;
		this.serverSays = refusal.serverSays;
		this.retryAfterSeconds = refusal.retryAfterSeconds;
		this.thresholdSeconds = refusal.thresholdSeconds;
		this.mayHaveActed = leavesOpen(refusal.status);
	}
}

/** No reply, because the connection failed or broke. */
export class NetworkError extends MarketError {
	override readonly name = 'NetworkError';
	override readonly mayHaveActed: boolean;
	/** The system's error code, such as ECONNREFUSED. */
	readonly code: string | undefined;
	/** True if a retry cannot succeed. */
	readonly isFinal: boolean;

	constructor(attempt: string, cause: unknown, details: FailureDetails = {}) {
		const code = codeOf(cause);
		super(attempt, describeFailure(code), {...details, cause});
		this.code = code;
		this.isFinal = finalReasons.some(reasons => reasons.has(code ?? ''));
		this.mayHaveActed = !isUnsent(cause);
	}
}

export class TimeoutError extends MarketError {
	override readonly name = 'TimeoutError';
	override readonly mayHaveActed = true;

	constructor(attempt: string, timeoutMs: number, details?: FailureDetails) {
		super(attempt, `no answer within ${timeoutMs / 1000} s`, details);
	}
}

/** A reply that breaks the contract: not JSON, cut off, or of another shape. */
export class ReplyError extends MarketError {
	override readonly name = 'ReplyError';
	override readonly mayHaveActed = true;
}

/** A request that no service accepts; it was not sent. */
export class RequestError extends MarketError {
	override readonly name = 'RequestError';
}

export type Refused = {
	readonly status: number;
	readonly code: string | undefined;
	readonly serverSays: string | undefined;
	readonly hasNoCall?: boolean;
	readonly retryAfterSeconds?: number | undefined;
	readonly thresholdSeconds?: number | undefined;
};

/** True for a status after which the service, or a proxy before it, may have acted. */
export function leavesOpen(status: number): boolean {
	// A redirect looks the same whether the change was made before it or not.
	return status >= 500 || status === 408 || (status >= 300 && status <= 399);
}

/** True if no connection was made, so that nothing can have been sent. */
export function isUnsent(cause: unknown): boolean {
	const code = codeOf(cause) ?? '';
	const isRefused = unconnected.has(code) || certificateReasons.has(code) || tlsReasons.has(code);
	return isRefused || (cause instanceof Error && 'syscall' in cause && cause.syscall === 'connect');
}

const unconnected: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'UND_ERR_CONNECT_TIMEOUT',
	'UND_ERR_PRX_TLS',
	'UND_ERR_PRX_CONN',
]);

const statusReasons: ReadonlyMap<number, string> = new Map([
	[403, 'the key may not do this'],
	[404, 'the service does not know it'],
	[410, 'it is no longer available'],
	[429, 'the service wants fewer calls'],
]);

function describe(refused: Refused): string {
	const {status, code, serverSays} = refused;
	const details = [String(status), serverSays ?? code].filter(part => part !== undefined).join(' ');
	return `${refusesKey(refused) ? 'the key is not accepted' : reasonOf(refused)} (${details})`;
}

function reasonOf({status, hasNoCall}: Refused): string {
	if (hasNoCall === true)
		return 'the service has no such call, so its address may be that of something else';
	if (status >= 500) return 'the service failed';
	if (status >= 300 && status < 400) return 'the service is elsewhere, and that is not followed';
	return statusReasons.get(status) ?? 'the service refused';
}

function describeFailure(code: string | undefined): string {
	const known = [networkReasons, ...finalReasons]
		.map(reason => reason.get(code ?? ''))
		.find(reason => reason !== undefined);
	return known ?? `the connection failed (${code ?? 'unknown'})`;
}

const networkReasons: ReadonlyMap<string, string> = new Map([
	['ECONNREFUSED', 'nothing listens at its address (connection refused)'],
	['ENOTFOUND', 'its name does not resolve'],
	['EAI_AGAIN', 'its name does not resolve at present'],
	['ECONNRESET', 'the connection broke'],
	['UND_ERR_SOCKET', 'the connection broke'],
	['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the answer was cut off'],
	['UND_ERR_CONNECT_TIMEOUT', 'its address does not answer'],
	['UND_ERR_PRX_CONN', 'its proxy cannot be reached, or does not let it through'],
	['EPIPE', 'the connection broke'],
	['EHOSTUNREACH', 'its address cannot be reached'],
	['ENETUNREACH', 'the network cannot be reached'],
]);

const closedReasons: ReadonlyMap<string, string> = new Map([
	['UND_ERR_DESTROYED', 'the client was closed'],
	['UND_ERR_CLOSED', 'the client was closed'],
]);

const UNKNOWN_SIGNER = 'nobody known here has signed its certificate';

/** Certificate errors: certificates are checked before anything is sent. */
const certificateReasons: ReadonlyMap<string, string> = new Map([
	['CERT_HAS_EXPIRED', 'its certificate has expired'],
	[
		'CERT_NOT_YET_VALID',
		'its certificate is not valid yet: the clock of this machine may be wrong',
	],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
	['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_SIGNER],
	['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_SIGNER],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_SIGNER],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_SIGNER],
]);

const NO_TLS =
	'the service does not answer with TLS: where it speaks plain HTTP, its address has to begin with http://';

/** TLS errors: the handshake fails, so nothing is sent. */
const tlsReasons: ReadonlyMap<string, string> = new Map([
	['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS],
	['ERR_SSL_PACKET_LENGTH_TOO_LONG', NO_TLS],
	['ERR_SSL_HTTP_REQUEST', NO_TLS],
]);

const NO_HTTP = 'HTTPParserError';

/** Errors of servers with another protocol than HTTP: the request arrived, and was not accepted. */
const protocolReasons: ReadonlyMap<string, string> = new Map([
	[
		NO_HTTP,
		'the service does not answer with HTTP: where it speaks TLS, its address has to begin with https://',
	],
]);

const finalReasons = [closedReasons, certificateReasons, tlsReasons, protocolReasons];

function codeOf(cause: unknown): string | undefined {
	if (!(cause instanceof Error)) return undefined;
	if (cause.name === NO_HTTP) return NO_HTTP;
	if ('code' in cause && typeof cause.code === 'string') return cause.code;
	return cause instanceof AggregateError ? codeOf(cause.errors[0]) : codeOf(cause.cause);
}

/**
 * `refused`: the service refused, and did nothing. `never sent`: the request did not reach it.
 * `lost`: it may have acted, or may still do so.
 */
type Failure = 'refused' | 'never sent' | 'lost';

export function classifyFailure(error: unknown): Failure {
	if (!(error instanceof MarketError) || error.mayHaveActed) return 'lost';
	if (!(error instanceof ApiError)) return 'never sent';
	// A redirect looks the same whether the change was made before it or not.
	return error.status >= 300 && error.status <= 399 ? 'lost' : 'refused';
}

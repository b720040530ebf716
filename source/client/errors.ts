/**
 * Everything that can go wrong with a call. A message says what was attempted and then why it
 * failed: "Could not search offers: the key is not accepted (401 Invalid user key)".
 */
export class MarketError extends Error {
	override readonly name: string = 'MarketError';

	constructor(attempt: string, why: string, options?: ErrorOptions) {
		super(`Could not ${attempt}: ${why}`, options);
	}
}

/** The service answered, and refused. */
export class ApiError extends MarketError {
	override readonly name = 'ApiError';
	readonly status: number;
	/** The service's own word for the reason, where it sent one. */
	readonly code: string | undefined;
	/** The service's own sentence, where it sent one: one line, without control characters. */
	readonly serverSays: string | undefined;

	constructor(attempt: string, refusal: Refused) {
		super(attempt, describe(refusal));
		this.status = refusal.status;
		this.code = refusal.code;
		this.serverSays = refusal.serverSays;
	}
}

/** No answer, because the connection could not be made or broke. */
export class NetworkError extends MarketError {
	override readonly name = 'NetworkError';
	/** The system's word, such as ECONNREFUSED. */
	readonly code: string | undefined;

	constructor(attempt: string, cause: unknown) {
		const code = codeOf(cause);
		super(
			attempt,
			networkReasons.get(code ?? '') ?? `the connection failed (${code ?? 'unknown'})`,
			{
				cause,
			},
		);
		this.code = code;
	}
}

/** No answer within the time allowed. */
export class TimeoutError extends MarketError {
	override readonly name = 'TimeoutError';

	constructor(attempt: string, timeoutMs: number) {
		super(attempt, `no answer within ${timeoutMs / 1000} s`);
	}
}

/** An answer that breaks the contract: not JSON, cut off, or of another shape. */
export class ReplyError extends MarketError {
	override readonly name = 'ReplyError';
}

export type Refused = {
	readonly status: number;
	readonly code: string | undefined;
	readonly serverSays: string | undefined;
};

const statusReasons: ReadonlyMap<number, string> = new Map([
	[401, 'the key is not accepted'],
	[403, 'the key may not do this'],
	[404, 'the service does not know it'],
	[410, 'it is no longer available'],
	[429, 'the service wants fewer calls'],
]);

function describe({status, code, serverSays}: Refused): string {
	const reason = statusReasons.get(status) ?? (status >= 500 ? 'the service failed' : undefined);
	const said = [String(status), serverSays ?? code].filter(part => part !== undefined).join(' ');
	return reason === undefined ? `the service refused (${said})` : `${reason} (${said})`;
}

const networkReasons: ReadonlyMap<string, string> = new Map([
	['ECONNREFUSED', 'nothing listens at its address (connection refused)'],
	['ENOTFOUND', 'its name does not resolve'],
	['EAI_AGAIN', 'its name does not resolve at present'],
	['ECONNRESET', 'the connection broke'],
	['UND_ERR_SOCKET', 'the connection broke'],
	['EPIPE', 'the connection broke'],
	['EHOSTUNREACH', 'its address cannot be reached'],
	['ENETUNREACH', 'the network cannot be reached'],
]);

function codeOf(cause: unknown): string | undefined {
	if (!(cause instanceof Error)) return undefined;
	if ('code' in cause && typeof cause.code === 'string') return cause.code;
	return cause instanceof AggregateError ? codeOf(cause.errors[0]) : codeOf(cause.cause);
}

/** Failures of commands: one sentence, and an exit code that scripts can rely on. */
import {sentenceOf} from '../../contract/rules/thrown.ts';
import {
	ApiError,
	MarketError,
	ReplyError,
	RequestError,
	TimeoutError,
} from '../../client/exchange/errors.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {FilterError} from '../../contract/grammar/filter.ts';
import {OrderError} from '../../contract/nouns/creation-request.ts';
import {PublicKeyError} from '../../contract/rules/public-key.ts';

export const exitCodes = {
	fine: 0,
	failed: 1,
	usage: 2,
	notAccepted: 3,
	notFound: 4,
	rateLimited: 5,
	timedOut: 6,
	partlyFailed: 7,
	overBudget: 8,
	notAsOrdered: 9,
	interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitMeanings: ReadonlyArray<readonly [code: number, meaning: string]> = [
	[exitCodes.fine, 'all is done'],
	[exitCodes.failed, 'it failed in another way: no connection, an answer that cannot be read'],
	[exitCodes.usage, 'the command line is wrong, or a question could not be asked'],
	[exitCodes.notAccepted, 'the key is not accepted, or may not do it'],
	[exitCodes.notFound, 'it is gone, or nothing was found'],
	[exitCodes.rateLimited, 'the service wants fewer calls, also after waiting'],
	[exitCodes.timedOut, 'it took too long, or is stuck'],
	[exitCodes.partlyFailed, 'some of it failed'],
	[exitCodes.overBudget, 'it would cost more than allowed'],
	[
		exitCodes.notAsOrdered,
		'not as ordered: rentty rent kept the instance, and with --exact destroyed it, or says that it may still be charged; rentty doctor says what is missing',
	],
	[exitCodes.interrupted, 'it was ended by Ctrl-C'],
];

/** A command that failed: one sentence that says why. */
export class CommandError extends Error {
	override readonly name = 'CommandError';
	readonly exitCode: ExitCode;

	constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.exitCode = exitCode;
	}
}

export function exitCodeOf(error: unknown): ExitCode {
	if (error instanceof CommandError) return error.exitCode;
	if (error instanceof ApiError) {
		if (error.isKeyRefused) return exitCodes.notAccepted;
		return error.hasNoCall ? exitCodes.failed : codeOfStatus(error.status);
	}
	if (error instanceof TimeoutError) return exitCodes.timedOut;
	return isUsage(error) ? exitCodes.usage : exitCodes.failed;
}

function isUsage(error: unknown): boolean {
	const kinds = [UsageError, RequestError, FilterError, OrderError, PublicKeyError];
	return kinds.some(kind => error instanceof kind);
}

function codeOfStatus(status: number): ExitCode {
	switch (status) {
		case 403:
			return exitCodes.notAccepted;
		case 404:
		case 410:
			return exitCodes.notFound;
		case 408:
			return exitCodes.timedOut;
		case 429:
			return exitCodes.rateLimited;
		case 400:
		case 422:
			return exitCodes.usage;
		default:
			return exitCodes.failed;
	}
}

/** One code for several actions: the code of all, or `partlyFailed`. */
export function exitCodeOfAll(codes: readonly ExitCode[]): ExitCode {
	const [first = exitCodes.fine, ...others] = codes;
	if (others.every(code => code === first)) return first;
	return codes.includes(exitCodes.fine) ? exitCodes.partlyFailed : first;
}

export function failureMessage(error: unknown): string {
	if (error instanceof MarketError && error.money === undefined && error instanceof ReplyError) {
		return `${error.message}. The service may speak another version of its API`;
	}
	return sentenceOf(error);
}

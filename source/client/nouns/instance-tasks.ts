import {setTimeout} from 'node:timers/promises';
import {contract} from '../../contract/index.ts';
import {anyLogs, type LogsQuestion} from '../../contract/nouns/instance-tasks.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import {MarketError, NetworkError, ReplyError, TimeoutError} from '../exchange/errors.ts';
import type {Read} from '../exchange/reading.ts';

const {logs, execute} = contract.instances;

export type AnswerOptions = CallOptions & {
	/**
	 * Longest wait in milliseconds.
	 *
	 * @default 15_000
	 */
	readonly answerMs?: number;
};

type Asked = {readonly result_url?: string | null | undefined; readonly msg?: unknown};

export function instanceTaskCalls(call: CallEndpoint, read: Read) {
	async function answerTo(
		attempt: string,
		{result_url: address, msg}: Asked,
		options: AnswerOptions,
	): Promise<string> {
		if (typeof address === 'string') return readResult(read, {attempt, address}, options);
		const why = typeof msg === 'string' ? msg : 'the service names no address for the answer';
		throw new MarketError(attempt, why);
	}

	return {
		async logs(
			id: number,
			wanted: Partial<LogsQuestion> = {},
			options: AnswerOptions = {},
		): Promise<string> {
			const body = {...anyLogs, ...wanted};
			const asked = await call(logs, {params: {id}, body}, options);
			return answerTo('read the logs of an instance', asked, options);
		},
		/** Output of `ls`, `rm` or `du` inside an instance. */
		async execute(id: number, command: string, options: AnswerOptions = {}): Promise<string> {
			const asked = await call(execute, {params: {id}, body: {command}}, options);
			return answerTo('run a command in an instance', asked, options);
		},
	};
}

const EVERY_MS = 300;

/** Longest accepted reply, because memory is finite. */
const LONGEST_BYTES = 16 * 1024 * 1024;

const MOST_REDIRECTS = 5;

/** Polls the result's address, without the key. */
async function readResult(
	read: Read,
	{attempt, address}: {readonly attempt: string; readonly address: string},
	{signal: stop, answerMs = 15_000}: AnswerOptions,
): Promise<string> {
	const url = addressIn(address);
	if (url === undefined) {
		throw new ReplyError(attempt, 'the service names no address for the answer');
	}
	const deadline = AbortSignal.timeout(answerMs);
	const signal = stop === undefined ? deadline : AbortSignal.any([stop, deadline]);
	try {
		for (;;) {
			const answer = await readOnce(read, url, signal);
			if (answer !== undefined) return answer;
			await setTimeout(EVERY_MS, undefined, {signal});
		}
	} catch (error) {
		stop?.throwIfAborted();
		if (deadline.aborted) throw new TimeoutError(attempt, answerMs);
		if (error instanceof RangeError) throw new ReplyError(attempt, error.message);
		throw new NetworkError(attempt, error);
	}
}

function addressIn(text: string, from?: URL): URL | undefined {
	const url = URL.parse(text, from);
	return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

/** The result; undefined until it exists. */
async function readOnce(read: Read, first: URL, signal: AbortSignal): Promise<string | undefined> {
	let url: URL | undefined = first;
	for (let redirects = 0; url !== undefined && redirects <= MOST_REDIRECTS; redirects += 1) {
		// oxlint-disable-next-line no-await-in-loop -- where a redirect leads is known after it
		const {status, location, text} = await read(url, {signal, longestBytes: LONGEST_BYTES});
		if (status === 200) return text;
		const isRedirect = status >= 300 && status < 400 && location !== undefined;
		url = isRedirect ? addressIn(location, url) : undefined;
	}
	return undefined;
}

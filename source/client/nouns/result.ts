/** The answer of a host, which is at an address of its own some moments after it was asked for. */
import {setTimeout} from 'node:timers/promises';
import {MarketError, NetworkError, ReplyError, TimeoutError} from '../errors.ts';
import type {Read} from '../layers/reading.ts';

const EVERY_MS = 300;

/** An answer longer than this is refused: memory is finite. */
const LONGEST_BYTES = 16 * 1024 * 1024;

const MOST_REDIRECTS = 5;

type Patience = {readonly signal?: AbortSignal | undefined; readonly answerMs?: number};

/** Asks again and again until the answer is there. The address is called without a key. */
export async function readResult(
	read: Read,
	{attempt, address}: {readonly attempt: string; readonly address: string},
	{signal: stop, answerMs = 15_000}: Patience,
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
		throw deadline.aborted ? new TimeoutError(attempt, answerMs) : failure(attempt, error);
	}
}

function addressIn(text: string, from?: URL): URL | undefined {
	const url = URL.parse(text, from);
	return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

function failure(attempt: string, error: unknown): MarketError {
	if (error instanceof RangeError) return new ReplyError(attempt, error.message);
	return new NetworkError(attempt, error);
}

/** Undefined where it is not there yet. */
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

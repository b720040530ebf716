/** The answer of a host, which is at an address of its own some moments after it was asked for. */
import {setTimeout} from 'node:timers/promises';
import {MarketError, NetworkError, ReplyError, TimeoutError} from '../errors.ts';

const EVERY_MS = 300;

/** An answer longer than this is refused: memory is finite. */
const LONGEST_BYTES = 16 * 1024 * 1024;

type Patience = {readonly signal?: AbortSignal | undefined; readonly answerMs?: number};

/** Asks again and again until the answer is there. The address is called without a key. */
export async function readResult(
	attempt: string,
	address: string,
	{signal: stop, answerMs = 15_000}: Patience,
): Promise<string> {
	const url = URL.parse(address);
	if (url === null || !['http:', 'https:'].includes(url.protocol)) {
		throw new ReplyError(attempt, 'the service names no address for the answer');
	}
	const deadline = AbortSignal.timeout(answerMs);
	const signal = stop === undefined ? deadline : AbortSignal.any([stop, deadline]);
	try {
		for (;;) {
			const answer = await read(url, signal);
			if (answer !== undefined) return answer;
			await setTimeout(EVERY_MS, undefined, {signal});
		}
	} catch (error) {
		stop?.throwIfAborted();
		throw deadline.aborted ? new TimeoutError(attempt, answerMs) : failure(attempt, error);
	}
}

function failure(attempt: string, error: unknown): MarketError {
	if (error instanceof RangeError) return new ReplyError(attempt, error.message);
	// What `fetch` throws says no more than that it failed: why stands behind it.
	return new NetworkError(attempt, error instanceof TypeError ? error.cause : error);
}

/** Undefined where it is not there yet. */
async function read(url: URL, signal: AbortSignal): Promise<string | undefined> {
	const response = await fetch(url, {signal, headers: {accept: 'text/plain'}});
	if (response.status !== 200) {
		await response.body?.cancel();
		return undefined;
	}
	return response.body === null ? '' : readText(response.body);
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.byteLength;
		if (length > LONGEST_BYTES) throw new RangeError('the answer is too long');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

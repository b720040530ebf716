/** Signed requests to a webhook: at least once, with growing pauses, and an id by which doubles are known. */
import {createHmac} from 'node:crypto';
import type {Alert} from './alert.ts';

export type Sending = {
	readonly url: string;
	readonly secret: string;
	/** Seconds since 1970. */
	readonly now: () => number;
	readonly pause: (ms: number) => Promise<void>;
	readonly signal: AbortSignal;
};

const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 1000;

/** An hour in all: each pause is twice the one before. */
const MOST_TRIES = 12;

/** Signature of a request: HMAC-SHA256 over the timestamp, a full stop and the body. */
export function signatureOf(secret: string, timestamp: number, body: string): string {
	return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** Sends an alert until it is taken; @throws where nobody takes it, or it is refused for good */
export async function sendWebhook(alert: Alert, sending: Sending): Promise<void> {
	const body = JSON.stringify(alert);
	for (let tries = 1; ; tries++) {
		const problem = await trySending(alert.id, body, sending);
		if (problem === undefined) return;
		if (problem.isFinal || tries === MOST_TRIES) throw new Error(problem.says);
		await sending.pause(FIRST_PAUSE_MS * 2 ** (tries - 1));
	}
}

type Problem = {readonly says: string; readonly isFinal: boolean};

async function trySending(
	id: string,
	body: string,
	{url, secret, now, signal}: Sending,
): Promise<Problem | undefined> {
	const timestamp = Math.floor(now());
	try {
		const {status, body: answer} = await fetch(url, {
			method: 'POST',
			body,
			redirect: 'error',
			signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
			headers: {
				'content-type': 'application/json',
				'x-rentty-id': id,
				'x-rentty-timestamp': String(timestamp),
				'x-rentty-signature': `sha256=${signatureOf(secret, timestamp, body)}`,
			},
		});
		await answer?.cancel();
		if (status >= 200 && status < 300) return undefined;
		// What is refused for what it is, is refused the next time too.
		const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
		return {says: `the webhook answered ${status}`, isFinal};
	} catch {
		signal.throwIfAborted();
		// The address may hold a secret: nothing of it is repeated.
		return {says: 'the webhook cannot be reached', isFinal: false};
	}
}

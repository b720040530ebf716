/** Quotes: what a rent will send and cost, signed, so that an agent rents nothing else. */
import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import * as z from 'zod/mini';
import {readIfThere, replaceFile} from '../../client/files/files.ts';
import {parseJson} from '../../contract/grammar/json.ts';
import {withLock} from '../../client/files/file-lock.ts';
import {WAITING_SECONDS} from '../../renter/agents/approvals.ts';

/** Seconds for which a quote counts: as long as a person may take to approve it. */
export const QUOTE_SECONDS = WAITING_SECONDS;

const quote = z.readonly(
	z.object({
		/** Service and agent for which alone the quote counts. */
		service: z.string(),
		agent: z.string(),
		/** Seconds since 1970. */
		at: z.number(),
		offer: z.int(),
		/** Dollars an hour with the disk. */
		perHour: z.number(),
		gpus: z.number(),
		leaseSeconds: z.number(),
		/** Values of the order as `rentty rent` takes them as options. */
		order: z.record(z.string(), z.string()),
	}),
);

export type Quote = z.output<typeof quote>;

/** The secret that signs quotes, made if there is none. */
export async function findSecret(stateFolder: string): Promise<string> {
	return findRandomText(join(stateFolder, 'agents.key'));
}

/** A random text that all servers share in a file of the owner's, made if there is none. */
export async function findRandomText(file: string): Promise<string> {
	const read = () => readIfThere(file)?.trim() ?? '';
	if (read() !== '') return read();
	await mkdir(dirname(file), {recursive: true, mode: 0o700});
	return withLock(file, async () => {
		// A text that is missing or was cut short can be guessed.
		if (read() === '') await replaceFile(file, `${randomBytes(32).toString('hex')}\n`);
		return read();
	});
}

export function signQuote(value: Quote, secret: string): string {
	const text = Buffer.from(JSON.stringify(value)).toString('base64url');
	return `${text}.${signatureOf(text, secret)}`;
}

/** A quote, or the sentence why it does not count. */
export function readQuote(
	text: string,
	{secret, now, service, agent}: {secret: string; now: number; service: string; agent: string},
): {readonly quote: Quote} | {readonly problem: string} {
	const [body = '', signature = ''] = text.split('.');
	const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(body, secret))];
	const isSigned = given.length === right.length && timingSafeEqual(given, right);
	const read = quote.safeParse(parseJson(Buffer.from(body, 'base64url').toString()));
	if (!isSigned || !read.success) return {problem: 'This is no quote of rentty: ask for one.'};
	if (read.data.service !== service || read.data.agent !== agent) {
		return {problem: 'This quote is of another profile or agent: ask for one here.'};
	}
	const age = now - read.data.at;
	if (age > QUOTE_SECONDS || age < -QUOTE_SECONDS) {
		return {problem: 'This quote is older than five minutes: ask for another.'};
	}
	return {quote: read.data};
}

function signatureOf(text: string, secret: string): string {
	return createHmac('sha256', secret).update(`quote ${text}`).digest('base64url');
}

/** The signature, which names a quote. */
export const signatureIn = (text: string): string => text.split('.')[1] ?? '';

/** The idempotency mark of a rent: the same key of the same agent is the same rent. */
export function tokenOf(
	{service, agent}: Pick<Quote, 'service' | 'agent'>,
	key: string,
	secret: string,
): string {
	const text = JSON.stringify(['rent', service, agent, key]);
	return createHmac('sha256', secret).update(text).digest('hex').slice(0, 40);
}

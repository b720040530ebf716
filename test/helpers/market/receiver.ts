/** Receives what markets send to webhooks, and answers as it is told to. */
import {createHmac} from 'node:crypto';
import type {IncomingHttpHeaders, ServerResponse} from 'node:http';
import {openToldService} from '../services/told-service.ts';

export type Received = {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	readonly body: Readonly<Record<string, unknown>>;
};

type Answer = number | ((response: ServerResponse) => void);

export async function openReceiver() {
	const received: Received[] = [];
	const answers: Answer[] = [];
	const service = await openToldService((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const text = Buffer.concat(chunks).toString('utf8');
			const {url: path = '', headers} = request;
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test that is wrong about it fails
			received.push({path, headers, text, body: JSON.parse(text) as Received['body']});
			const answer = answers.shift() ?? 200;
			if (typeof answer === 'number') response.writeHead(answer).end('so it is');
			else answer(response);
		});
	});
	return {
		...service,
		received,
		/** How the next requests are answered: 200, where nothing is said. */
		answer: (...next: readonly Answer[]) => answers.push(...next),
		/** A name that no resolver knows, at its port. */
		named: (name: string) => service.url.replace('127.0.0.1', name),
		[Symbol.asyncDispose]: service[Symbol.asyncDispose],
	};
}

/** Whether whoever knows the secret has sent it, worked out as receivers do. */
export function isSignedBy(secret: string, {headers, text}: Received): boolean {
	const signed = `${String(headers['x-vast-timestamp'])}.${text}`;
	const expected = createHmac('sha256', secret).update(signed, 'utf8').digest('hex');
	return headers['x-vast-signature-256'] === `sha256=${expected}`;
}

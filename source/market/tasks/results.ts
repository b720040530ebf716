/** Answers of hosts as plain text, for whoever knows their address: no key is asked for. */
import {Refusal} from '../base/refusal.ts';
import type {Means} from '../http/handler.ts';
import {findAnswer} from './store.ts';

/** As hono writes it. */
export const RESULT_ROUTE = '/api/v0/results/:token';

export function resultPath(token: string): string {
	return `/api/v0/results/${token}/`;
}

/** @throws Refusal where the host has not answered yet, and where nobody was asked. */
export async function answerResult(
	token: string,
	{database, clock}: Pick<Means, 'database' | 'clock'>,
): Promise<Response> {
	const answer = await findAnswer(database, token, clock.now());
	if (answer === undefined) {
		throw new Refusal('noSuchPath', 'There is no answer here yet, or no longer.');
	}
	return new Response(answer, {
		headers: {
			'content-type': 'text/plain; charset=utf-8',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
		},
	});
}

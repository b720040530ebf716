/** Results of tasks as plain text, at URLs with a token and without a key. */
import {Refusal} from '../base/refusal.ts';
import type {Means} from '../http/handler.ts';
import {findAnswer} from './store.ts';

/** Path in Hono's form. */
export const RESULT_ROUTE = '/api/v0/results/:token';

export function resultPath(token: string): string {
	return `/api/v0/results/${token}/`;
}

/** @throws Refusal for a missing result, and for an unknown token */
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

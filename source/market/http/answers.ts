/** HTTP responses for results and for thrown errors. */
import {randomUUID} from 'node:crypto';
import {getRequestListener} from '@hono/node-server';
import {refusals} from '../../contract/grammar/errors.ts';
import {Refusal} from '../base/refusal.ts';
import {databaseTrouble} from '../database/database-trouble.ts';
import {Unchanged, JsonReply} from '../base/json-reply.ts';
import type {Log} from '../base/log.ts';
import type {Endpoint} from '../../contract/grammar/endpoint.ts';

/** Databases that start again or change places are back soon. */
const RETRY_SECONDS = '2';

/**
 * Response of node-server: its body is sent as it is, where that of the global one is copied into a
 * stream. It is not exported, but takes the place of the global one, which is put back at once.
 */
const QuickResponse = ((): typeof Response => {
	const {Request: request, Response: response} = Object.getOwnPropertyDescriptors(globalThis);
	getRequestListener(() => Response.error());
	const quick = Response;
	Object.defineProperties(globalThis, {Request: request, Response: response});
	return quick;
})();

export function respond(
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): Response {
	if (body instanceof Unchanged) {
		return new QuickResponse(null, {status: 304, headers: {...headers, etag: body.tag}});
	}
	const isWritten = body instanceof JsonReply;
	return new QuickResponse(isWritten ? body.json : JSON.stringify(body), {
		status,
		headers: {
			...headers,
			...(isWritten && body.tag !== undefined && {etag: body.tag}),
			// Exactly this: a client in use compares it as text, and a charset would fail it.
			'content-type': 'application/json',
			'x-content-type-options': 'nosniff',
		},
	});
}

/** Status with which something thrown is answered. */
export function statusOf(error: unknown): number {
	if (error instanceof Refusal) return error.status;
	return refusals[databaseTrouble(error) === undefined ? 'internal' : 'unavailable'].status;
}

export function refuse({status, body, headers}: Refusal): Response {
	return respond(status, body, headers);
}

/**
 * The one place where what was thrown becomes an answer. Callers are told nothing of the insides.
 *
 * @param request What was asked, for the log: its query is left out, for it may hold a key.
 * @param id Name of the call in the log.
 */
export function answerTo(
	error: unknown,
	request: string,
	log: Log,
	id: string = randomUUID(),
): Response {
	if (error instanceof Refusal) return refuse(error);
	const trouble = databaseTrouble(error);
	if (trouble !== undefined) {
		log(`${request}: the database cannot be used, for ${trouble}: ${String(error)}`);
		const text = `The market cannot use its database at present: ${trouble}. Nothing was changed; try again later.`;
		return refuse(new Refusal('unavailable', text, {headers: {'retry-after': RETRY_SECONDS}}));
	}
	const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
	log(`${id} ${request}: ${story}`);
	return refuse(new Refusal('internal', `Something went wrong here. The log has it as ${id}.`));
}

/** Refusal in the form of an endpoint; other errors as they are. `id` is what the path names. */
export function endpointRefusal(
	error: unknown,
	{refusesAs}: Pick<Endpoint, 'refusesAs'>,
	id: string | undefined,
): unknown {
	if (!(error instanceof Refusal) || refusesAs === undefined) return error;
	return refusesAs === 'creation' ? creationRefusal(error, id) : billingRefusal(error);
}

/** To create an instance: with the offer's number, and a number for the reason. */
export function creationRefusal(error: unknown, askId: string | undefined): unknown {
	if (!(error instanceof Refusal)) return error;
	// Here, a key that may not is told the same as a host whose offer it is not.
	const reason = error.reason === 'lacksPermission' ? 'notYours' : error.reason;
	const words = refusals[reason];
	if (!('number' in words)) return error;
	const text = `error ${words.status}/${words.number}: ${error.message}`;
	const ask_id = askId !== undefined && /^\d{1,15}$/.test(askId) ? Number(askId) : null;
	return new Refusal(reason, text, {fields: {ask_id}, cause: error});
}

/** Of bills: who calls without a key that is known gets statuses of their own. */
function billingRefusal(error: Refusal): Refusal {
	const reasons = {loginRequired: 'billsWithoutKey', unknownKey: 'billsOfNobody'} as const;
	const {reason} = error;
	if (reason !== 'loginRequired' && reason !== 'unknownKey') return error;
	return new Refusal(reasons[reason], error.message, {cause: error});
}

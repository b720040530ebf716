/** HTTP responses for results and for thrown errors. */
import {randomUUID} from 'node:crypto';
import {getRequestListener} from '@hono/node-server';
import {refusals} from '../../contract/grammar/errors.ts';
import {Refusal} from '../base/refusal.ts';
import {databaseTrouble} from '../database/database-trouble.ts';
import {Unchanged, JsonReply} from '../base/json-reply.ts';
import type {Log} from '../base/log.ts';
import type {Endpoint} from '../../contract/grammar/endpoint.ts';

/** Seconds after which a restarted or switched database is usually back. */
const RETRY_SECONDS = '2';

/**
 * Response of node-server, whose body is sent as it is, while the global one's is copied into a stream.
 * The class is not exported, but replaces the global one, which is restored at once.
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
			// No charset: an existing client compares the header as text.
			'content-type': 'application/json',
			'x-content-type-options': 'nosniff',
		},
	});
}

export function responseStatusOf(error: unknown): number {
	if (error instanceof Refusal) return error.status;
	return refusals[databaseTrouble(error) === undefined ? 'internal' : 'unavailable'].status;
}

export function refusalResponse({status, body, headers}: Refusal): Response {
	return respond(status, body, headers);
}

/**
 * Response for a thrown error, made here alone, without internals of the market.
 *
 * @param request Request for the log, without its query, which may hold a key.
 * @param id Id of the call in the log.
 */
export function answerTo(
	error: unknown,
	request: string,
	log: Log,
	id: string = randomUUID(),
): Response {
	if (error instanceof Refusal) return refusalResponse(error);
	const trouble = databaseTrouble(error);
	if (trouble !== undefined) {
		log(`${request}: the database cannot be used, for ${trouble}: ${String(error)}`);
		const text = `The market cannot use its database at present: ${trouble}. Nothing was changed; try again later.`;
		return refusalResponse(
			new Refusal('unavailable', text, {headers: {'retry-after': RETRY_SECONDS}}),
		);
	}
	const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
	log(`${id} ${request}: ${story}`);
	return refusalResponse(
		new Refusal('internal', `Something went wrong here. The log has it as ${id}.`),
	);
}

/** Refusal in the form of an endpoint; other errors as they are. `id` is the id in the path. */
export function endpointRefusal(
	error: unknown,
	{refusesAs}: Pick<Endpoint, 'refusesAs'>,
	id: string | undefined,
): unknown {
	if (!(error instanceof Refusal) || refusesAs === undefined) return error;
	return refusesAs === 'creation' ? creationRefusal(error, id) : billingRefusal(error);
}

/** Refusal to create an instance, with the offer's id and the reason's number. */
export function creationRefusal(error: unknown, askId: string | undefined): unknown {
	if (!(error instanceof Refusal)) return error;
	// A key without the permission gets the same reason as a host for another's offer.
	const reason = error.reason === 'lacksPermission' ? 'notYours' : error.reason;
	const words = refusals[reason];
	if (!('number' in words)) return error;
	const text = `error ${words.status}/${words.number}: ${error.message}`;
	const ask_id = askId !== undefined && /^\d{1,15}$/.test(askId) ? Number(askId) : null;
	return new Refusal(reason, text, {fields: {ask_id}, cause: error});
}

/** Refusal of billing calls, with their own statuses for a missing or unknown key. */
function billingRefusal(error: Refusal): Refusal {
	const reasons = {loginRequired: 'billsWithoutKey', unknownKey: 'billsOfNobody'} as const;
	const {reason} = error;
	if (reason !== 'loginRequired' && reason !== 'unknownKey') return error;
	return new Refusal(reasons[reason], error.message, {cause: error});
}

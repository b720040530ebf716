/** Journals every call that changes something: the change before it is sent, and its reply. */
import {randomUUID} from 'node:crypto';
import {
	isReading,
	type Endpoint,
	type ReplyOf,
	type RequestOf,
} from '../../contract/grammar/endpoint.ts';
import {contract} from '../../contract/index.ts';
import {fieldsOf, isRecord} from '../../contract/grammar/json.ts';
import type {CallEndpoint, CallOptions, JournalNote, RequestParts} from '../exchange/call.ts';
import {ApiError, classifyFailure} from '../exchange/errors.ts';
import {isActionQueued} from '../nouns/instance-actions.ts';
import type {Journal, JournalAnswer, JournalChange} from './journal.ts';

export function journalled(call: CallEndpoint, journal: Journal): CallEndpoint {
	return async <Value extends Endpoint>(
		endpoint: Value,
		parts: RequestOf<Value> & RequestParts,
		options: CallOptions = {},
	): Promise<ReplyOf<Value>> => {
		const action = actions.get(endpoint);
		if (action === undefined) return call(endpoint, parts, options);
		const request = options.note?.request ?? randomUUID();
		await journal.change({request, action, ...describe(parts), ...notedIn(options.note)});
		try {
			const reply = await call(endpoint, parts, options);
			await journal.answer({request, ...answerOf(reply)});
			return reply;
		} catch (error) {
			await journal.answer({request, ...failureAnswer(error)});
			throw error;
		}
	};
}

/**
 * Journal names of the endpoints that change something. Reports of hosts are left out: too
 * frequent to read.
 */
const actions: ReadonlyMap<Endpoint, string> = new Map(
	Object.entries(contract)
		.filter(([noun]) => noun !== 'hosts')
		.flatMap(([noun, endpoints]) =>
			Object.entries<Endpoint>(endpoints)
				.filter(([, endpoint]) => !isReading(endpoint))
				.map(([verb, endpoint]) => [endpoint, `${noun}.${verb}`] as const),
		),
);

type Described = Omit<JournalChange, 'kind' | 'at' | 'request' | 'action'>;

/** Journal fields of a request: only those known not to be secret. */
function describe({params, query, body}: RequestParts): Described {
	const named = {...fieldsOf(query), ...fieldsOf(body), ...fieldsOf(params)};
	const order = isRecord(named['order']) ? named['order'] : named;
	const target = [
		'id',
		'ids',
		'instance_ids',
		'IDs',
		'askIds',
		'hash',
		'name',
		'key',
		'pending_price_increase_id',
	]
		.map(name => named[name])
		.find(isTarget);
	const price = order['price'] ?? named['amount'];
	const {label, state} = order;
	return {
		...(target !== undefined && {target}),
		...(typeof price === 'number' && {price}),
		...(typeof label === 'string' && {label}),
		...(typeof state === 'string' && {state}),
	};
}

function isTarget(value: unknown): value is number | string | number[] {
	if (Array.isArray(value)) return value.every(item => typeof item === 'number');
	return typeof value === 'number' || typeof value === 'string';
}

function notedIn({price, evidence}: JournalNote = {}) {
	return {...(price !== undefined && {price}), ...(evidence !== undefined && {evidence})};
}

type Answer = Omit<JournalAnswer, 'kind' | 'at' | 'request'>;

function answerOf(reply: unknown): Answer {
	const {success, msg, error, new_contract: instance} = fieldsOf(reply);
	const facts = {success: success !== false, msg: knownText(msg), error: knownText(error)};
	const message = facts.msg ?? facts.error;
	return {
		outcome: isActionQueued(facts) ? 'queued' : facts.success ? 'done' : 'refused',
		...(typeof instance === 'number' && {instance}),
		...(message !== undefined && {says: message.slice(0, 300)}),
	};
}

function knownText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

export function failureAnswer(error: unknown): Answer {
	const failure = classifyFailure(error);
	return {
		outcome: failure,
		...(error instanceof ApiError && {status: error.status}),
		...(error instanceof Error && {says: error.message}),
	};
}

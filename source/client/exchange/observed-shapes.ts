/** Replies in the other shapes in which services send them, brought into that of the contract. */
import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';
import {contract} from '../../contract/index.ts';
import {isRecord} from '../../contract/grammar/json.ts';

const {instances, offers, volumes, secrets} = contract;

const shapes: ReadonlyMap<Endpoint, (reply: unknown) => unknown> = new Map<
	Endpoint,
	(reply: unknown) => unknown
>([
	[offers.search, reply => withList(reply, 'offers')],
	[volumes.search, reply => withList(reply, 'offers')],
	[volumes.list, reply => withList(reply, 'volumes')],
	[instances.list, reply => withList(reply, 'instances')],
	[instances.page, reply => withList(reply, 'instances')],
	[instances.show, withOne],
	[secrets.list, reply => (isRecord(reply) && !('secrets' in reply) ? {secrets: reply} : reply)],
]);

/** An answer that the contract does not know, in a shape that it does, where there is one. */
export function inContractShape(endpoint: Endpoint, reply: unknown): unknown {
	const known = shapes.get(endpoint);
	if (known !== undefined) return known(reply);
	return isReading(endpoint) ? reply : withOutcome(reply);
}

/** A list by itself, or one thing or things by name where a list should be. */
function withList(reply: unknown, name: string): unknown {
	if (Array.isArray(reply)) return {[name]: reply};
	const list = isRecord(reply) ? reply[name] : undefined;
	if (!isRecord(reply) || !isRecord(list)) return reply;
	return {...reply, [name]: 'id' in list ? [list] : Object.values(list)};
}

/** One instance in a list of one, or by itself. */
function withOne(reply: unknown): unknown {
	if (!isRecord(reply)) return reply;
	const {instances: shown} = reply;
	if (Array.isArray(shown)) {
		const first: unknown = shown[0];
		return {...reply, instances: first ?? null};
	}
	return shown === undefined && 'id' in reply ? {instances: reply} : reply;
}

/** A change that is told in a sentence, or without saying that it succeeded. */
function withOutcome(reply: unknown): unknown {
	if (typeof reply === 'string') return {success: true, msg: reply};
	if (reply === null || reply === true) return {success: true};
	if (!isRecord(reply) || (reply['success'] ?? undefined) !== undefined) return reply;
	return {...reply, success: (reply['error'] ?? undefined) === undefined};
}

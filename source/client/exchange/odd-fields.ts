/** Replies in which a field is not what the contract says, although nobody decides by it. */
import * as z from 'zod/mini';
import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {inContractShape} from './observed-shapes.ts';

/** Fields that say whether a change was made: they never count as not said. */
const outcome: ReadonlySet<unknown> = new Set(['success', 'error']);

/** A record that lacks what it needs, because an odd value was left out, is left out in turn. */
const MOST_ROUNDS = 5;

/**
 * Reads a reply, without its fields that cannot be read: an odd value counts as not said, as it does
 * in a record. A reply that lacks what it must have fails with its first problem.
 */
export function parseReply(endpoint: Endpoint, sent: unknown) {
	const schema = endpoint.replies[200];
	const first = z.safeParse(schema, sent);
	if (first.success) return first;
	let rest = inContractShape(endpoint, sent);
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const reply = z.safeParse(schema, rest);
		if (reply.success) return reply;
		rest = reply.error.issues.reduce((value, {path}) => without(endpoint, value, path), rest);
	}
	return first;
}

type Path = readonly PropertyKey[];

/** A value without the field at a path; where there is none, without the record that lacks it. */
function without(endpoint: Endpoint, value: unknown, path: Path): unknown {
	const at = path.findLastIndex((_, index) => hasField(value, path.slice(0, index + 1)));
	if (at === -1 || (!isReading(endpoint) && outcome.has(path[at]))) return value;
	return removed(value, path.slice(0, at + 1));
}

/** True for the path of a field of a record; an item of a list has no name, and is never left out. */
function hasField(value: unknown, [first, ...rest]: Path): boolean {
	if (first === undefined) return true;
	const isItem = Array.isArray(value) && rest.length > 0;
	if (!isItem && !(isRecord(value) && Object.hasOwn(value, first))) return false;
	return hasField(Reflect.get(value, first), rest);
}

function removed(value: unknown, [first, ...rest]: Path): unknown {
	if (Array.isArray(value)) {
		return value.map((item: unknown, index) => (index === first ? removed(item, rest) : item));
	}
	if (!isRecord(value)) return value;
	const others = Object.entries(value).filter(([name]) => name !== first || rest.length > 0);
	return Object.fromEntries(
		others.map(([name, inner]) => [name, name === first ? removed(inner, rest) : inner]),
	);
}

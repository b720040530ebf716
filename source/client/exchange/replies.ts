/**
 * Parsing replies: by the contract, in the other shapes that services send, and long lists piece by
 * piece.
 */
import {setImmediate as nextTurn} from 'node:timers/promises';
import * as z from 'zod/mini';
import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';
import {contract} from '../../contract/index.ts';
import {isRecord, parseJson} from '../../contract/grammar/json.ts';
import {listIn} from '../../contract/grammar/list-reply.ts';

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

function inContractShape(endpoint: Endpoint, reply: unknown): unknown {
	const known = shapes.get(endpoint);
	if (known !== undefined) return known(reply);
	return isReading(endpoint) ? reply : withOutcome(reply);
}

/** Wraps a bare list, or one record or records by name in place of a list. */
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

/** Converts the reply to a change that is a sentence, or lacks `success`. */
function withOutcome(reply: unknown): unknown {
	if (typeof reply === 'string') return {success: true, msg: reply};
	if (reply === null || reply === true) return {success: true};
	if (!isRecord(reply) || (reply['success'] ?? undefined) !== undefined) return reply;
	return {...reply, success: (reply['error'] ?? undefined) === undefined};
}

/** Fields for the outcome of a change, which are never dropped as unreadable. */
const outcome: ReadonlySet<unknown> = new Set(['success', 'error']);

/**
 * Most rounds of dropping: a record that lacks a required field, because its unreadable value was
 * dropped, is dropped in turn.
 */
const MOST_ROUNDS = 5;

/**
 * Parses a reply without its unreadable fields: an unexpected value counts as missing, as in a
 * record. A reply that lacks a required field fails with its first problem.
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

/** A value without the field at a path; if that is missing, without the record that lacks it. */
function without(endpoint: Endpoint, value: unknown, path: Path): unknown {
	const at = path.findLastIndex((_, index) => hasField(value, path.slice(0, index + 1)));
	if (at === -1 || (!isReading(endpoint) && outcome.has(path[at]))) return value;
	return removed(value, path.slice(0, at + 1));
}

/** True for the path of a record's field; an item of a list has no name, and is never dropped. */
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

/** Least length of a long reply: a shorter one is parsed in a few milliseconds. */
export const LONG_REPLY = 400_000;
const PIECE_LENGTH = 50_000;

/** Beginning of a reply whose first field is a list of records. */
const beginning = /^\{"(\w+)":\[(?=\{)/;
const BETWEEN = '},{';

/**
 * Parses a reply whose first field is its list, some records per turn, so that keys pressed
 * meanwhile are handled. Undefined for any other reply or an invalid one: parsing it as a whole
 * names the problem.
 *
 * A piece that was cut in the wrong place, in a text or in a nested record, is not JSON. So if all
 * pieces parse, the list is the same as if it had been parsed as a whole.
 */
export async function readInPieces(
	parts: readonly string[],
	schema: z.ZodMiniType,
): Promise<unknown> {
	const list = listIn(schema);
	if (list === undefined) return undefined;
	const {name} = list;
	const reader = list.open();
	let start: string | undefined;
	let beside: Record<string, unknown> = {};
	for (const {text, isLast} of cut(parts)) {
		const [found, listed] = start === undefined ? (beginning.exec(text) ?? []) : [];
		if (start === undefined && listed !== name) return undefined;
		const sent = parsePiece(`${start ?? ''}${text}${isLast ? '' : ']}'}`, name);
		if (sent === undefined) return undefined;
		start ??= found;
		({beside} = sent);
		reader.take(sent.records);
		// oxlint-disable-next-line no-await-in-loop -- the pieces are read one by one, and keys come between them
		await nextTurn();
	}
	const {data} = z.safeParse(schema, {...beside, [name]: []});
	const read = {[name]: reader.records, unreadable: reader.unreadable()};
	return isRecord(data) ? {...data, ...read} : undefined;
}

/** Cuts a text between two records once a piece is long enough. */
function* cut(parts: readonly string[]): Generator<{text: string; isLast: boolean}> {
	let rest = '';
	for (const part of parts) {
		rest += part;
		while (rest.length > PIECE_LENGTH) {
			const end = rest.indexOf(BETWEEN, PIECE_LENGTH);
			if (end === -1) break;
			yield {text: rest.slice(0, end + 1), isLast: false};
			rest = rest.slice(end + 2);
		}
	}
	yield {text: rest, isLast: true};
}

type Piece = {readonly beside: Record<string, unknown>; readonly records: readonly unknown[]};

function parsePiece(text: string, name: string): Piece | undefined {
	const beside = parseJson(text);
	const records = isRecord(beside) ? beside[name] : undefined;
	// A list with a failure status is read completely, and refused.
	const isList = isRecord(beside) && beside['success'] !== false;
	return isList && Array.isArray(records) ? {beside, records} : undefined;
}

type Request = {readonly params?: unknown; readonly query?: unknown; readonly body?: unknown};

/** Ids of a request, and the path of the same ids in its reply. */
type Question = {readonly path: string; readonly ids: readonly string[]};

type OtherRecord = {readonly asked: readonly string[]; readonly answered: string};

/** The first record of a reply that the request did not ask for; undefined if there is none. */
export function findMismatchedRecord(
	{same = {}}: Pick<Endpoint, 'same'>,
	request: Request,
	reply: unknown,
): OtherRecord | undefined {
	for (const [asked, answered] of Object.entries(same)) {
		for (const {path, ids} of questionsAt(request, asked, answered)) {
			const other = idsAt(reply, path).find(named => !ids.includes(named));
			if (other !== undefined) return {asked: ids, answered: other};
		}
	}
	return undefined;
}

function questionsAt(request: Request, asked: string, answered: string): readonly Question[] {
	if (asked.endsWith('.filter')) {
		return valuesAt(request, asked).flatMap(condition => questionOf(condition, answered));
	}
	const ids = idsAt(request, asked);
	return ids.length === 0 ? [] : [{path: answered, ids}];
}

/** Ids in a filter's condition, if it requests records by id. */
function questionOf(condition: unknown, answered: string): readonly Question[] {
	if (!isRecord(condition)) return [];
	const {field, operator, value} = condition;
	if (typeof field !== 'string' || !isIdName(field)) return [];
	if (operator !== 'eq' && operator !== 'in') return [];
	const ids = textsOf(Array.isArray(value) ? value : [value]);
	return ids.length === 0 ? [] : [{path: `${answered}.${field}`, ids}];
}

export function isIdName(name: string): boolean {
	return /(?:^|_)id$/.test(name);
}

/** Ids at a path; `me`, or a value that is no id, names no record. */
function idsAt(value: unknown, path: string): readonly string[] {
	return textsOf(valuesAt(value, path)).filter(text => !/^(?:me|current)$/.test(text));
}

function textsOf(values: readonly unknown[]): readonly string[] {
	return values.filter(value => typeof value === 'number' || typeof value === 'string').map(String);
}

/** Values at a path such as `instances.id`, through lists on the way. */
function valuesAt(value: unknown, path: string): readonly unknown[] {
	return path
		.split('.')
		.reduce<readonly unknown[]>(
			(values, name) => values.flatMap(one => (isRecord(one) ? one[name] : undefined)),
			[value],
		);
}

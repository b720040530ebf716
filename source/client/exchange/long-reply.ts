/** Long lists are read piece by piece, so that keys that are pressed meanwhile need not wait for the whole. */
import {setImmediate as nextTurn} from 'node:timers/promises';
import * as z from 'zod/mini';
import {isRecord} from '../../contract/grammar/json.ts';
import {listIn} from '../../contract/grammar/list-reply.ts';

/** A shorter reply is read in a few milliseconds. */
export const LONG_REPLY = 400_000;
const PIECE_LENGTH = 50_000;

/** Beginning of a reply whose first field is a list of records. */
const beginning = /^\{"(\w+)":\[(?=\{)/;
const BETWEEN = '},{';

/**
 * Reads a reply whose first field is its list, so many records in a turn; undefined where it is
 * something else or not in order, and is to be read whole to say what is wrong with it.
 *
 * A piece that was cut in the wrong place, in a text or in a record within a record, is not JSON.
 * So where all pieces are, the list is the same as if it had been read whole.
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

/** Cuts a text between two records wherever a piece is long enough. */
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
	try {
		const beside: unknown = JSON.parse(text);
		const records = isRecord(beside) ? beside[name] : undefined;
		return isRecord(beside) && Array.isArray(records) ? {beside, records} : undefined;
	} catch {
		return undefined;
	}
}

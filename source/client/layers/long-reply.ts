/** Long lists are read piece by piece, so that keys that are pressed meanwhile need not wait for the whole. */
import {setImmediate as nextTurn} from 'node:timers/promises';
import * as z from 'zod/mini';
import {isRecord} from '../../contract/json.ts';
import {listIn} from '../../contract/list-reply.ts';

/** A shorter reply is read in a few milliseconds. */
export const LONG_REPLY = 400_000;
const PIECE_LENGTH = 200_000;

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
export async function readInPieces(text: string, schema: z.ZodMiniType): Promise<unknown> {
	const [start, name] = beginning.exec(text) ?? [];
	const list = listIn(schema);
	if (start === undefined || list === undefined || list.name !== name) return undefined;
	const reader = list.open();
	let from = start.length;
	for (;;) {
		const cut = text.indexOf(BETWEEN, from + PIECE_LENGTH);
		const isLast = cut === -1;
		const piece = isLast ? start + text.slice(from) : `${start}${text.slice(from, cut + 1)}]}`;
		const sent = parsePiece(piece, name);
		if (sent === undefined) return undefined;
		reader.take(sent.records);
		from = cut + 2;
		// oxlint-disable-next-line no-await-in-loop -- the pieces are read one by one, and keys come between them
		await nextTurn();
		if (!isLast) continue;
		const {data} = z.safeParse(schema, {...sent.beside, [name]: []});
		const read = {[name]: reader.records, unreadable: reader.unreadable()};
		return isRecord(data) ? {...data, ...read} : undefined;
	}
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

/** Long lists are read piece by piece, so that keys that are pressed meanwhile need not wait for the whole. */
import {setImmediate as nextTurn} from 'node:timers/promises';
import * as z from 'zod/mini';
import {isRecord} from '../../contract/json.ts';

/** A shorter reply is read in a few milliseconds. */
export const LONG_REPLY = 400_000;
const PIECE_LENGTH = 200_000;

/** How a list of records begins that is a reply, or the first field of one. */
const beginning = /^\{"(\w+)":\[(?=\{)/;
const BETWEEN = '},{';

/**
 * Reads a reply whose first field is a list, so many records in a turn; undefined where it is
 * something else or not in order, and is to be read whole to say what is wrong with it.
 *
 * A piece that was cut in the wrong place, in a text or in a record within a record, is not JSON.
 * So where all pieces are, the list is the same as if it had been read whole.
 */
export async function readInPieces(text: string, schema: z.ZodMiniType): Promise<unknown> {
	const [start, name] = beginning.exec(text) ?? [];
	if (start === undefined || name === undefined) return undefined;
	const records: unknown[] = [];
	let from = start.length;
	let whole: Record<string, unknown> | undefined;
	while (whole === undefined) {
		const cut = text.indexOf(BETWEEN, from + PIECE_LENGTH);
		const isLast = cut === -1;
		const piece = isLast ? start + text.slice(from) : `${start}${text.slice(from, cut + 1)}]}`;
		const read = readPiece(piece, schema);
		const list = read?.[name];
		if (read === undefined || !Array.isArray(list)) return undefined;
		for (const record of list) records.push(record);
		if (isLast) whole = {...read, [name]: records};
		from = cut + 2;
		// oxlint-disable-next-line no-await-in-loop -- the pieces are read one by one, and keys come between them
		await nextTurn();
	}
	return whole;
}

function readPiece(text: string, schema: z.ZodMiniType): Record<string, unknown> | undefined {
	try {
		const {success, data} = z.safeParse(schema, JSON.parse(text));
		return success && isRecord(data) ? data : undefined;
	} catch {
		return undefined;
	}
}

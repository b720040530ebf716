/** Sentences about the records of a list that could not be read, for commands and screens alike. */
import {ReplyError} from '../../client/exchange/errors.ts';
import type {Unreadable, UnreadRecord} from '../../contract/grammar/unreadable.ts';

/** "2 of 40 could not be read"; undefined if all could. */
export function unreadableCountText({count, of}: Unreadable, noun = ''): string | undefined {
	if (count === 0) return undefined;
	const all = `${of}${noun === '' ? '' : ` ${noun}`}`;
	return count < of || of === 1
		? `${count} of ${all} could not be read`
		: `none of ${all} could be read`;
}

export const MOST_NAMED_AT_ONCE = 3;

type Wording = {
	/** The plural noun of the records: `offers`. */
	readonly noun: string;
	readonly most: number;
};

/**
 * "2 of 40 offers could not be read: number 3 (id is missing), number 17 with id 7 (id is text).";
 * undefined if all could.
 */
export function unreadableSentence(
	unreadable: Unreadable,
	{noun, most}: Wording,
): string | undefined {
	const countText = unreadableCountText(unreadable, noun);
	if (countText === undefined) return undefined;
	const named = unreadable.first.slice(0, most).map(describe);
	const rest = unreadable.count - named.length;
	const names = [...named, ...(rest === 0 ? [] : [`and ${rest} more`])].join(', ');
	const sentence = countText.charAt(0).toUpperCase() + countText.slice(1);
	return named.length === 0 ? `${sentence}.` : `${sentence}: ${names}.`;
}

/** The same records, one by one: "number 17 with id 7 (id is text)". */
export function unreadableLines({first}: Unreadable): readonly string[] {
	return first.map(describe);
}

/** The position of a record from 1, its id, and its problem. */
function describe({index, name, why}: UnreadRecord): string {
	return `number ${index + 1}${name === undefined ? '' : ` with ${name}`} (${why})`;
}

/**
 * The first record of a list; undefined for an empty one.
 *
 * @throws ReplyError if no record is readable: the wanted one may be among them
 */
export function firstRecord<Item>(
	attempt: string,
	records: readonly Item[],
	unreadable: Unreadable,
): Item | undefined {
	const [record] = records;
	const [broken] = unreadable.first;
	if (record !== undefined || broken === undefined) return record;
	const why = `the answer is not what the service documents (${broken.why})`;
	throw new ReplyError(attempt, why);
}

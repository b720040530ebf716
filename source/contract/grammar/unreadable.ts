/**
 * Unreadable records of a list. Loads nothing, because screens are drawn before schemas are loaded.
 */

export type UnreadRecord = {
	/** Position in the list, counted from 0. */
	readonly index: number;
	/** A field that identifies the record, if it is safe to show: `id 7`. */
	readonly name: string | undefined;
	/** The reason, in a few words: `hash_id is missing`. */
	readonly why: string;
};

export type Unreadable = {
	readonly count: number;
	/** Count of all records sent, readable ones included. */
	readonly of: number;
	/** The first unreadable records, at most MOST_NAMED. */
	readonly first: readonly UnreadRecord[];
};

/** Most named records: a list may have a million broken ones, all of which are counted. */
export const MOST_NAMED = 20;

export const noneUnreadable: Unreadable = {count: 0, of: 0, first: []};

export function joinUnreadable(before: Unreadable, after: Unreadable): Unreadable {
	const behind = after.first.map(record => ({...record, index: record.index + before.of}));
	return {
		count: before.count + after.count,
		of: before.of + after.of,
		first: [...before.first, ...behind].slice(0, MOST_NAMED),
	};
}

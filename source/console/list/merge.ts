export type IdOf<Row> = (row: Row) => number;

/** Replies in a row that missed each shown row, by id. */
export type Missing = ReadonlyMap<number, number>;

/** A row must be missing this often before it goes: a single answer may have lost it. */
const TIMES_UNTIL_GONE = 2;

export type Merged<Row> = {readonly rows: readonly Row[]; readonly missing: Missing};

type Before<Row> = Merged<Row> & {
	/** Rows that stay however often they were missing, because somebody wants to know of them. */
	readonly keeps: (id: number) => boolean;
};

/**
 * The rows that were sent, and among them, behind the row that they stood behind, those that were
 * there before and are missing now.
 */
export function mergeRows<Row>(
	before: Before<Row>,
	sent: readonly Row[],
	idOf: IdOf<Row>,
): Merged<Row> {
	const present = new Set(sent.map(idOf));
	const missing = new Map<number, number>();
	const behind = new Map<number | undefined, Row[]>();
	let previous: number | undefined;
	for (const row of before.rows) {
		const id = idOf(row);
		if (present.has(id)) {
			previous = id;
			continue;
		}
		const times = (before.missing.get(id) ?? 0) + 1;
		if (times >= TIMES_UNTIL_GONE && !before.keeps(id)) continue;
		missing.set(id, times);
		behind.set(previous, [...(behind.get(previous) ?? []), row]);
	}
	if (missing.size === 0) return {rows: sent, missing};
	const rows = [...(behind.get(undefined) ?? [])];
	for (const row of sent) rows.push(row, ...(behind.get(idOf(row)) ?? []));
	return {rows, missing};
}

type Held<Row> = {readonly rows: readonly Row[]; readonly shown: readonly Row[]};

/** Changes that applying new rows would make to a list. */
export type Changes = {readonly added: number; readonly gone: number; readonly moved: number};

/**
 * The rows where they are, with new values; those that would go are only missing. `after` are the
 * merged rows in the order that they would have: thousands of them, and so they are gone through once.
 */
export function holdRows<Row>(
	{rows, shown}: Held<Row>,
	{after, missing}: {readonly after: readonly Row[]; readonly missing: Missing},
	idOf: IdOf<Row>,
): Held<Row> & {readonly missing: Missing; readonly changes: Changes} {
	const places = new Map<number, number>();
	after.forEach((row, place) => places.set(idOf(row), place));
	const inPlace = (row: Row) => after[places.get(idOf(row)) ?? -1] ?? row;
	const going = new Map(missing);
	const common: number[] = [];
	for (const row of shown) {
		const place = places.get(idOf(row));
		if (place === undefined) going.set(idOf(row), TIMES_UNTIL_GONE);
		else common.push(place);
	}
	const held = shown.map(inPlace);
	return {
		rows: rows === shown ? held : rows.map(inPlace),
		shown: held,
		missing: going,
		changes: {
			added: after.length - common.length,
			gone: shown.length - common.length + missing.size,
			moved: common.length - longestRise(common),
		},
	};
}

/** The most numbers of a list that rise from left to right: all others have to be moved. */
function longestRise(numbers: readonly number[]): number {
	// The least number that a rise of each length ends with.
	const ends: number[] = [];
	for (const number of numbers) {
		// Most follow the one before them.
		let low = number > (ends.at(-1) ?? -1) ? ends.length : 0;
		let high = ends.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((ends[middle] ?? 0) < number) low = middle + 1;
			else high = middle;
		}
		ends[low] = number;
	}
	return ends.length;
}

export function isChanged({added, gone, moved}: Changes): boolean {
	return added + gone + moved > 0;
}

export type IdOf<Row> = (row: Row) => number;

/** Consecutive replies that missed each shown row, by id. */
export type Missing = ReadonlyMap<number, number>;

/** Replies that must miss a row before it goes: a single one may have lost it. */
const TIMES_UNTIL_GONE = 2;

export type MergedRows<Row> = {readonly rows: readonly Row[]; readonly missing: Missing};

type Before<Row> = MergedRows<Row> & {
	/** Rows that stay however often they are missing, such as marked ones. */
	readonly keeps: (id: number) => boolean;
	/** The row instead of one that is missing, if it is known to be gone. */
	readonly ended?: ((row: Row) => Row) | undefined;
};

/** The sent rows, with earlier rows that are missing now kept behind their former neighbours. */
export function mergeRows<Row>(
	before: Before<Row>,
	sent: readonly Row[],
	idOf: IdOf<Row>,
): MergedRows<Row> {
	const {keeps, ended = same} = before;
	const isOver = (id: number, times: number) =>
		(times >= TIMES_UNTIL_GONE || before.ended !== undefined) && !keeps(id);
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
		if (isOver(id, times)) continue;
		missing.set(id, times);
		behind.set(previous, [...(behind.get(previous) ?? []), ended(row)]);
	}
	if (missing.size === 0) return {rows: sent, missing};
	const rows = [...(behind.get(undefined) ?? [])];
	for (const row of sent) rows.push(row, ...(behind.get(idOf(row)) ?? []));
	return {rows, missing};
}

function same<Row>(row: Row): Row {
	return row;
}

type ListRows<Row> = {readonly rows: readonly Row[]; readonly shown: readonly Row[]};

/** Changes that applying new rows would make to a list. */
export type RowChanges = {readonly added: number; readonly gone: number; readonly moved: number};

/**
 * The rows in place, with new values; rows that would go are only missing. `after` are the merged rows in
 * their order, thousands of them, and so gone through once.
 */
export function holdRows<Row>(
	{rows, shown}: ListRows<Row>,
	{after, missing}: {readonly after: readonly Row[]; readonly missing: Missing},
	{idOf, ended = same}: Pick<Before<Row>, 'ended'> & {readonly idOf: IdOf<Row>},
): ListRows<Row> & {readonly missing: Missing; readonly changes: RowChanges} {
	const indexes = new Map<number, number>();
	after.forEach((row, index) => indexes.set(idOf(row), index));
	const inPlace = (row: Row) => after[indexes.get(idOf(row)) ?? -1] ?? ended(row);
	const going = new Map(missing);
	const common: number[] = [];
	for (const row of shown) {
		const index = indexes.get(idOf(row));
		if (index === undefined) going.set(idOf(row), TIMES_UNTIL_GONE);
		else common.push(index);
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

/** Length of the longest rising subsequence: all other rows have to be moved. */
function longestRise(numbers: readonly number[]): number {
	// Lowest last number of an increasing run, by length.
	const ends: number[] = [];
	for (const number of numbers) {
		// Fast path: most numbers follow the one before.
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

export function hasRowChanges({added, gone, moved}: RowChanges): boolean {
	return added + gone + moved > 0;
}

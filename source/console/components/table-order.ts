import type {Column} from './columns.ts';

/** The column a table is ordered by, and which end comes first; undefined leaves it as it came. */
export type TableOrder = {readonly columnId: string; readonly isReversed: boolean} | undefined;

/** The next step for a column: best first, then reversed, then off. */
export function cycleOrder(order: TableOrder, columnId: string): TableOrder {
	if (order?.columnId !== columnId) return {columnId, isReversed: false};
	return order.isReversed ? undefined : {columnId, isReversed: true};
}

/**
 * The rows ordered by a column. Equal rows stay as they came and unknown values come last, in both
 * directions. The keys are computed once, so that comparing them is all that sorting costs.
 */
export function orderRows<Row>(
	rows: readonly Row[],
	column: Column<Row>,
	isReversed: boolean,
): readonly Row[] {
	const keys = rows.map(column.sortKey);
	const isAscending = (column.best === 'low') !== isReversed;
	const isNumeric = keys.every(key => typeof key !== 'string');
	const permutation = isNumeric ? byNumber(keys, isAscending) : byText(keys, isAscending);
	return Array.from(permutation, index => rows[index]).filter(row => row !== undefined);
}

type Keys = ReadonlyArray<number | string | undefined>;

function byNumber(keys: Keys, isAscending: boolean): Iterable<number> {
	const sign = isAscending ? 1 : -1;
	// Unknown values become larger than any, so that plain subtraction puts them last; among
	// themselves it gives no number, and then their places decide.
	const numbers = Float64Array.from(keys, key =>
		typeof key === 'number' ? key * sign : Number.POSITIVE_INFINITY,
	);
	return Uint32Array.from(keys.keys()).toSorted(
		(a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b,
	);
}

function byText(keys: Keys, isAscending: boolean): Iterable<number> {
	const sign = isAscending ? 1 : -1;
	const texts = keys.map(key => (key === undefined ? undefined : String(key)));
	return Uint32Array.from(keys.keys()).toSorted(
		(a, b) => compareKnown(texts[a], texts[b], sign) || a - b,
	);
}

function compareKnown(a: string | undefined, b: string | undefined, sign: number): number {
	if (a === b) return 0;
	if (a === undefined) return 1;
	if (b === undefined) return -1;
	return a < b ? -sign : sign;
}

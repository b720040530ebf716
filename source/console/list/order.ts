import type {Column} from './columns.ts';

type ColumnOrder = {readonly columnId: string; readonly isReversed: boolean};

/** The columns that a table is ordered by, the one that decides first; none leaves it as it came. */
export type ListOrder = readonly ColumnOrder[];

/** The next step for a column alone: best first, then reversed, then off. */
export function cycleOrder(order: ListOrder, columnId: string): ListOrder {
	const next = nextStep(order, columnId);
	return next === undefined ? [] : [next];
}

/** The next step for a column among others: added as the last to decide, reversed in its place, off. */
export function extendOrder(order: ListOrder, columnId: string): ListOrder {
	const next = nextStep(order, columnId);
	if (next === undefined) return order.filter(part => part.columnId !== columnId);
	const isThere = order.some(part => part.columnId === columnId);
	return isThere ? order.map(part => (part.columnId === columnId ? next : part)) : [...order, next];
}

function nextStep(order: ListOrder, columnId: string): ColumnOrder | undefined {
	const part = order.find(existing => existing.columnId === columnId);
	if (part === undefined) return {columnId, isReversed: false};
	return part.isReversed ? undefined : {columnId, isReversed: true};
}

/** True if lower values come first: the better end does, unless it is reversed. */
export function isAscending<Row>(column: Pick<Column<Row>, 'best'>, isReversed: boolean): boolean {
	return (column.best === 'low') !== isReversed;
}

/**
 * The rows in an order. Rows that are equal in all its columns stay as they came, and unknown values
 * come last in both directions. The keys are computed once: comparing them is all that sorting costs.
 */
export function sortRows<Row>(
	rows: readonly Row[],
	columns: ReadonlyArray<Column<Row>>,
	order: ListOrder,
): readonly Row[] {
	const criteria = order.flatMap(({columnId, isReversed}) => {
		const column = columns.find(({id}) => id === columnId);
		return column === undefined
			? []
			: [criterionOf(rows.map(column.sortKey), isAscending(column, isReversed))];
	});
	const [first, ...others] = criteria;
	if (first === undefined) return rows;
	const isPlain = others.length === 0 && first.numbers !== undefined;
	const indexes = isPlain ? sortedIndexes(first.numbers) : indexesBy(criteria, rows.length);
	const ordered: Row[] = [];
	for (const index of indexes) {
		const row = rows[index];
		if (row !== undefined) ordered.push(row);
	}
	return ordered;
}

function indexesBy(criteria: readonly Criterion[], amount: number): Uint32Array {
	const comparisons = criteria.map(({compare}) => compare);
	return Uint32Array.from({length: amount}, (_, index) => index).toSorted((a, b) => {
		for (const compare of comparisons) {
			const result = compare(a, b);
			if (result !== 0) return result;
		}
		return a - b;
	});
}

type Keys = ReadonlyArray<number | string | undefined>;
/** Compares the rows at two indexes. */
type Comparison = (a: number, b: number) => number;

/** Comparison by one column; by plain numbers where possible, lower ones first. */
type Criterion = {readonly compare: Comparison; readonly numbers?: Float64Array};

function criterionOf(keys: Keys, isRising: boolean): Criterion {
	const sign = isRising ? 1 : -1;
	const isNumeric = keys.every(key => typeof key !== 'string');
	return isNumeric ? byNumber(keys, sign) : {compare: byText(keys, sign)};
}

function byNumber(keys: Keys, sign: number): Criterion {
	// Unknown values become Infinity, so that plain subtraction puts them last; two of them give NaN, which
	// counts as equal.
	const numbers = new Float64Array(keys.length);
	keys.forEach((key, index) => {
		const isKnown = typeof key === 'number' && !Number.isNaN(key);
		numbers[index] = isKnown ? key * sign : Number.POSITIVE_INFINITY;
	});
	return {numbers, compare: (a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || 0};
}

function byText(keys: Keys, sign: number): Comparison {
	const texts = keys.map(key => (key === undefined ? undefined : String(key)));
	return (a, b) => compareKnown(texts[a], texts[b], sign);
}

function compareKnown(a: string | undefined, b: string | undefined, sign: number): number {
	if (a === b) return 0;
	if (a === undefined) return 1;
	if (b === undefined) return -1;
	return a < b ? -sign : sign;
}

/**
 * The indexes of numbers from the least to the greatest; those of equal numbers rise. The numbers have no
 * NaN.
 */
export function sortedIndexes(numbers: Float64Array): Uint32Array {
	const mask = 2 ** Math.ceil(Math.log2(Math.max(2, numbers.length))) - 1;
	const packed = pack(numbers, mask).toSorted();
	const indexes = unpack(packed, mask);
	settle(indexes, numbers);
	return indexes;
}

/** Numbers with their indexes in their last bits, which hardly ever decide between two of them. */
function pack(numbers: Float64Array, mask: number): Float64Array {
	const packed = new Float64Array(numbers.length);
	const words = new Uint32Array(packed.buffer);
	for (let index = 0; index < packed.length; index++) {
		const number = clamped(numbers[index] ?? 0);
		packed[index] = number;
		// Of two negative numbers the one with the greater last bits is less.
		const bits = number < 0 ? mask - index : index;
		words[2 * index] = ((words[2 * index] ?? 0) & ~mask) | bits;
	}
	return packed;
}

/** Below this limit a number has few bits, and might be 0 without the last. */
const LEAST = 2 ** -1022;

/** Infinity with other last bits would be NaN, and of 0 and -0 neither is to come first. */
function clamped(number: number): number {
	if (Math.abs(number) < LEAST) return 0;
	return Math.max(-Number.MAX_VALUE, Math.min(number, Number.MAX_VALUE)) + 0;
}

function unpack(packed: Float64Array, mask: number): Uint32Array {
	const words = new Uint32Array(packed.buffer);
	const indexes = new Uint32Array(packed.length);
	for (let at = 0; at < indexes.length; at++) {
		const bits = (words[2 * at] ?? 0) & mask;
		indexes[at] = (packed[at] ?? 0) < 0 ? mask - bits : bits;
	}
	return indexes;
}

/** Exchanges the few neighbours whose order only the replaced bits decided. */
function settle(indexes: Uint32Array, numbers: Float64Array): void {
	const isBehind = (a: number, b: number) => {
		const [first = 0, second = 0] = [numbers[a], numbers[b]];
		return first > second || (first === second && a > b);
	};
	for (let end = 1; end < indexes.length; end++) {
		const index = indexes[end] ?? 0;
		let at = end;
		while (at > 0 && isBehind(indexes[at - 1] ?? 0, index)) {
			indexes[at] = indexes[at - 1] ?? 0;
			at -= 1;
		}
		indexes[at] = index;
	}
}

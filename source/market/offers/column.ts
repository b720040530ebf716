/** Columns in memory: numbers in as few bytes as hold them exactly, and texts by code. */
import {compareText, lower} from '../../contract/grammar/filter-match.ts';
import {numberNames, textNames, type NumberName, type TextName} from './table-rules.ts';
import type {ChangingRow} from './text-rules.ts';
import type {OfferTableColumn, OfferRow} from '../database/schema.ts';

type Values = Uint8Array | Uint16Array | Int32Array | Float64Array;

type Kind = {
	readonly make: (rows: number) => Values;
	readonly least: number;
	readonly most: number;
	/** Value that stands for null. */
	readonly nothing: number;
};

const BYTES: Kind = {make: rows => new Uint8Array(rows), least: 0, most: 254, nothing: 255};

/** Whole numbers, from narrow to wide. */
const wholes: readonly Kind[] = [
	BYTES,
	{make: rows => new Uint16Array(rows), least: 0, most: 65_534, nothing: 65_535},
	{make: rows => new Int32Array(rows), least: 1 - 2 ** 31, most: 2 ** 31 - 1, nothing: -(2 ** 31)},
];

const FRACTIONS: Kind = {
	make: rows => new Float64Array(rows),
	least: -Infinity,
	most: Infinity,
	nothing: Number.NaN,
};

/** Growth factor of a full column. */
const GROWTH = 1.2;

/** Factors by which fractions are stored as whole numbers. */
const scales = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7];

export class NumberColumn {
	values: Values = new Uint8Array(0);
	/** Stored value of the number 1. */
	#scale = 1;
	#kind = BYTES;
	#rows = 0;

	/** Value of a row; NaN for null. */
	get(row: number): number {
		const value = this.values[row] ?? Number.NaN;
		return value === this.#kind.nothing ? Number.NaN : value / this.#scale;
	}

	set(row: number, value: number | null): void {
		this.reserve(row + 1);
		if (row >= this.#rows) this.#rows = row + 1;
		if (value !== null && !this.#holds(value)) this.#widen(value);
		this.values[row] = value === null ? this.#kind.nothing : keptOf(value, this.#scale);
	}

	/** Grows the array to hold so many rows; true if it was replaced. */
	reserve(rows: number): boolean {
		const {length} = this.values;
		if (rows <= length) return false;
		this.#copy(this.#kind, this.#scale, Math.max(rows, length * GROWTH));
		return true;
	}

	/** Stored bounds for the range from `low` to `high`, which exclude null. */
	bounds(low: number, high: number): readonly [low: number, high: number] {
		const {least, most} = this.#kind;
		return [Math.max(least, this.#first(low)), Math.min(most, -this.#first(-high))];
	}

	/** The least stored value of at least a number. */
	#first(number: number): number {
		if (this.#scale === 1) return number;
		let kept = Math.ceil(number * this.#scale);
		if (Math.abs(kept) > 2 ** 32) return kept;
		while ((kept - 1) / this.#scale >= number) kept -= 1;
		while (kept / this.#scale < number) kept += 1;
		return kept;
	}

	#holds(value: number): boolean {
		const [kind, scale] = [this.#kind, this.#scale];
		if (kind === FRACTIONS) return true;
		const kept = keptOf(value, scale);
		return kept >= kind.least && kept <= kind.most && isExact(value, scale);
	}

	#widen(value: number): void {
		const scale = scales.find(one => one >= this.#scale && isExact(value, one));
		let [low, high] = [value, value];
		for (let row = 0; row < this.#rows; row++) {
			const known = this.get(row);
			if (known < low) low = known;
			if (known > high) high = known;
		}
		const kind = wholes.find(
			({least, most}) => scale !== undefined && low * scale >= least && high * scale <= most,
		);
		if (scale === undefined || kind === undefined) this.#copy(FRACTIONS, 1, this.values.length);
		else this.#copy(kind, scale, this.values.length);
	}

	#copy(kind: Kind, scale: number, rows: number): void {
		const before = this.values;
		const values = kind.make(Math.ceil(rows));
		if (kind === this.#kind && scale === this.#scale) values.set(before);
		else {
			const written = Math.min(this.#rows, before.length);
			for (let row = 0; row < written; row++) {
				const value = this.get(row);
				values[row] = Number.isNaN(value) ? kind.nothing : keptOf(value, scale);
			}
		}
		this.values = values;
		this.#kind = kind;
		this.#scale = scale;
	}
}

function keptOf(value: number, scale: number): number {
	return scale === 1 ? value : Math.round(value * scale);
}

function isExact(value: number, scale: number): boolean {
	return Math.round(value * scale) / scale === value;
}

/** Column of texts in lower case, by codes in the order of first use; unused texts keep theirs. */
export class TextColumn {
	readonly codes = new NumberColumn();
	readonly texts: string[] = [];
	readonly #known = new Map<string, number>();
	/** Codes of texts with capitals, because a lookup is faster than lowering. */
	readonly #spellings = new Map<string, number>();
	#ranks: Float64Array = new Float64Array(0);

	set(row: number, text: string | null): void {
		this.codes.set(row, text === null ? null : this.#codeOf(text));
	}

	/** @param text In lower case */
	codeOf(text: string): number | undefined {
		return this.#known.get(text);
	}

	/** Rank of each text by code points. */
	ranks(): Float64Array {
		if (this.#ranks.length === this.texts.length) return this.#ranks;
		const sorted = this.texts
			.map((text, code) => ({text, code}))
			.toSorted((one, other) => compareText(one.text, other.text));
		this.#ranks = new Float64Array(this.texts.length);
		for (const [rank, {code}] of sorted.entries()) this.#ranks[code] = rank;
		return this.#ranks;
	}

	#codeOf(text: string): number {
		const known = this.#known.get(text) ?? this.#spellings.get(text);
		if (known !== undefined) return known;
		const small = lower(text);
		const code = this.#known.get(small) ?? this.texts.push(small) - 1;
		this.#known.set(small, code);
		if (small !== text) this.#spellings.set(text, code);
		return code;
	}
}

export const columnNames: readonly OfferTableColumn[] = [...numberNames, ...textNames];

/** Remembered writes; of older ones only the count is known. */
const MOST_WRITES = 4096;

type ColumnRow = Pick<OfferRow, NumberName | TextName>;

export type OfferColumns = ReturnType<typeof createOfferColumns>;

/** Rows are in the order of their offers' numbers. */
export function createOfferColumns() {
	const numbers = recordOf(numberNames, () => new NumberColumn());
	const texts = recordOf(textNames, () => new TextColumn());
	/** Rows by GPU, former ones of a row included: readers must test the present one. */
	const byGpu = new Map<number, number[]>();
	/** Rows of the latest writes. */
	let written: number[] = [];
	/** Count of earlier writes. */
	let before = 0;
	let count = 0;

	const rowOf = (id: number) => findRow(numbers.id, id, count);

	function noteWrite(row: number): void {
		written.push(row);
		if (written.length < MOST_WRITES * 2) return;
		written = written.slice(MOST_WRITES);
		before += MOST_WRITES;
	}

	function noteGpu(row: number, isNew: boolean): void {
		const code = texts.gpu_key.codes.get(row);
		const rows = byGpu.get(code) ?? [];
		if (isNew || !rows.includes(row)) rows.push(row);
		byGpu.set(code, rows);
	}

	return {
		numbers,
		texts,
		byGpu,
		count: () => count,
		rowOf,
		/** All columns as numbers. */
		all: [...Object.values(numbers), ...Object.values(texts).map(({codes}) => codes)],
		/** Writes an offer; false for a new one whose id is not above all others. */
		put(offer: ColumnRow): boolean {
			const known = rowOf(offer.id);
			if (known === undefined && count > 0 && numbers.id.get(count - 1) > offer.id) return false;
			const row = known ?? count++;
			const gpu = known === undefined ? undefined : texts.gpu_key.codes.get(row);
			for (const name of numberNames) numbers[name].set(row, offer[name]);
			for (const name of textNames) texts[name].set(row, offer[name]);
			if (texts.gpu_key.codes.get(row) !== gpu) noteGpu(row, known === undefined);
			noteWrite(row);
			return true;
		},
		/** Unlists an offer that was deleted. */
		remove(id: number): void {
			const row = rowOf(id);
			if (row === undefined) return;
			numbers.listed.set(row, 0);
			noteWrite(row);
		},
		writes: () => before + written.length,
		/** Rows written since a count of writes; undefined if that was too many writes ago. */
		writtenSince(since: number): ReadonlySet<number> | undefined {
			return since < before ? undefined : new Set(written.slice(since - before));
		},
	};
}

/** Row of an id among the first rows, which are in order; undefined if missing. */
function findRow(ids: NumberColumn, id: number, count: number): number | undefined {
	let [low, high] = [0, count];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (ids.get(middle) < id) low = middle + 1;
		else high = middle;
	}
	return low < count && ids.get(low) === id ? low : undefined;
}

export function shownRow(
	{numbers}: OfferColumns,
	row: number,
): {readonly id: number} & ChangingRow {
	const known = (name: NumberName) => numbers[name].get(row);
	const orNull = (name: NumberName) => {
		const value = numbers[name].get(row);
		return Number.isNaN(value) ? null : value;
	};
	return {
		id: known('id'),
		rentable: known('rentable') === 1 ? 1 : 0,
		rented: known('rented') === 1 ? 1 : 0,
		start_date: orNull('start_date'),
		end_date: orNull('end_date'),
		avail_vol_ask_id: orNull('avail_vol_ask_id'),
		avail_vol_micros: orNull('avail_vol_micros'),
		avail_vol_size: orNull('avail_vol_size'),
		dph_base_micros: known('dph_base_micros'),
		min_bid_micros: orNull('min_bid_micros'),
		storage_cost_micros: known('storage_cost_micros'),
		inet_up_cost_micros: orNull('inet_up_cost_micros'),
		inet_down_cost_micros: orNull('inet_down_cost_micros'),
		credit_discount_max: orNull('credit_discount_max'),
		gpu_total_ram: orNull('gpu_total_ram'),
		dlperf: orNull('dlperf'),
		total_flops: orNull('total_flops'),
	};
}

function recordOf<Name extends string, Value>(
	names: readonly Name[],
	make: () => Value,
): Readonly<Record<Name, Value>> {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name has its entry
	return Object.fromEntries(names.map(name => [name, make()])) as Record<Name, Value>;
}

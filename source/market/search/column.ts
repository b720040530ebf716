/** One column of a table in memory: numbers in as few bytes as hold them exactly, and texts by number. */
import {compareText} from '../../contract/filter-match.ts';

type Values = Uint8Array | Int32Array | Float32Array | Float64Array;

/** Values that stand for null. Among fractions it is NaN. */
const BYTE_NULL = 255;
const WHOLE_NULL = -(2 ** 31);

/** From narrow to wide. */
const kinds = [
	{make: (rows: number) => new Uint8Array(rows), holds: isByte, nothing: BYTE_NULL},
	{make: (rows: number) => new Int32Array(rows), holds: isWhole, nothing: WHOLE_NULL},
	{make: (rows: number) => new Float32Array(rows), holds: isShort, nothing: Number.NaN},
	{make: (rows: number) => new Float64Array(rows), holds: () => true, nothing: Number.NaN},
] as const;

function isByte(value: number): boolean {
	return isWhole(value) && value >= 0 && value < BYTE_NULL;
}

function isWhole(value: number): boolean {
	return Math.trunc(value) === value && Math.abs(value) < -WHOLE_NULL;
}

function isShort(value: number): boolean {
	return Math.fround(value) === value;
}

export class NumberColumn {
	values: Values = new Uint8Array(0);
	/** Value that stands for null. */
	nothing: number = BYTE_NULL;
	#kind = 0;

	/** NaN is null. */
	get(row: number): number {
		const value = this.values[row] ?? Number.NaN;
		return value === this.nothing ? Number.NaN : value;
	}

	set(row: number, value: number | null): void {
		if (value !== null && kinds[this.#kind]?.holds(value) !== true) {
			// A mixture of whole numbers and fractions may be too much for the short ones.
			const least = kinds.findIndex(({holds}, kind) => kind > this.#kind && holds(value));
			this.#change(this.#kind === 1 && least === 2 ? 3 : least, this.values.length);
		}
		if (row >= this.values.length) this.reserve(Math.max(row + 1, row * 1.25));
		this.values[row] = value ?? this.nothing;
	}

	/** Makes room for so many rows. */
	reserve(rows: number): void {
		if (rows > this.values.length) this.#change(this.#kind, Math.ceil(rows));
	}

	/** Bounds between which all values from `low` to `high` lie, and null does not. */
	bounds(low: number, high: number): readonly [low: number, high: number] {
		if (this.#kind === 0) return [low, Math.min(high, BYTE_NULL - 1)];
		return this.#kind === 1 ? [Math.max(low, WHOLE_NULL + 1), high] : [low, high];
	}

	#change(kind: number, rows: number): void {
		const {make, nothing} = kinds[kind] ?? kinds[3];
		const values = make(rows);
		if (kind === this.#kind) values.set(this.values);
		else
			for (let row = 0; row < this.values.length; row++) {
				const value = this.get(row);
				values[row] = Number.isNaN(value) ? nothing : value;
			}
		this.values = values;
		this.#kind = kind;
		this.nothing = nothing;
	}
}

/** Texts by the order in which they came up; those that are no more keep their number. */
export class TextColumn {
	readonly codes = new NumberColumn();
	readonly texts: string[] = [];
	readonly #known = new Map<string, number>();
	#ranks: Float64Array = new Float64Array(0);

	set(row: number, text: string | null): void {
		this.codes.set(row, text === null ? null : (this.codeOf(text) ?? this.#add(text)));
	}

	codeOf(text: string): number | undefined {
		return this.#known.get(text);
	}

	/** The place of each text among all, by code points. */
	ranks(): Float64Array {
		if (this.#ranks.length === this.texts.length) return this.#ranks;
		const sorted = this.texts
			.map((text, code) => ({text, code}))
			.toSorted((one, other) => compareText(one.text, other.text));
		this.#ranks = new Float64Array(this.texts.length);
		for (const [rank, {code}] of sorted.entries()) this.#ranks[code] = rank;
		return this.#ranks;
	}

	#add(text: string): number {
		const code = this.texts.push(text) - 1;
		this.#known.set(text, code);
		return code;
	}
}

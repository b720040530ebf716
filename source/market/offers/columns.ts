/** In-memory columns of all offers that searches compare: a copy of the database. */
import {numberNames, textNames, type NumberName, type TextName} from './table-rules.ts';
import type {ChangingRow} from './text-rules.ts';
import type {OfferColumn, OfferRow} from '../database/schema.ts';
import {NumberColumn, TextColumn} from './column.ts';

export const columnNames: readonly OfferColumn[] = [...numberNames, ...textNames];

/** Fields of a row in columns. */
export type ColumnRow = Pick<OfferRow, NumberName | TextName>;

/** Fields that have a ranking. */
const rankedBy = ['score', 'default_dph_total', 'default_dlperf_per_dph'] as const;

export type OfferColumns = ReturnType<typeof createOfferColumns>;

/** Rows are in the order of their offers' numbers. */
export function createOfferColumns() {
	const numbers = recordOf(numberNames, () => new NumberColumn());
	const texts = recordOf(textNames, () => new TextColumn());
	/** Rows by the GPU that they had first. Whoever reads them tests what they have. */
	const byGpu = new Map<number, number[]>();
	const listeners = new Set<(row: number, isRanked: boolean) => void>();
	let count = 0;

	const rowOf = (id: number) => findRow(numbers.id, id, count);

	function write(row: number, offer: ColumnRow): void {
		for (const name of numberNames) numbers[name].set(row, offer[name]);
		for (const name of textNames) texts[name].set(row, offer[name]);
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
		/** Puts an offer in; false where its number is not behind those of all others. */
		put(offer: ColumnRow): boolean {
			const known = rowOf(offer.id);
			if (known === undefined && count > 0 && numbers.id.get(count - 1) > offer.id) return false;
			const row = known ?? count++;
			const before = known === undefined ? undefined : rankedBy.map(name => numbers[name].get(row));
			const gpu = known === undefined ? undefined : texts.gpu_key.codes.get(row);
			write(row, offer);
			if (texts.gpu_key.codes.get(row) !== gpu) noteGpu(row, known === undefined);
			const isRanked =
				before?.every((value, index) =>
					Object.is(value, numbers[rankedBy[index] ?? 'id'].get(row)),
				) === true;
			for (const listener of listeners) listener(row, isRanked);
			return true;
		},
		/** Takes an offer away that is no more. */
		remove(id: number): void {
			const row = rowOf(id);
			if (row === undefined) return;
			numbers.listed.set(row, 0);
			for (const listener of listeners) listener(row, true);
		},
		/** Tells of every row that is written, and whether it stays at its place in every ranking. */
		listen(listener: (row: number, isRanked: boolean) => void): () => void {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

/** The row with a number among the first ones, which are in order; undefined where there is none. */
function findRow(ids: NumberColumn, id: number, count: number): number | undefined {
	let [low, high] = [0, count];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (ids.get(middle) < id) low = middle + 1;
		else high = middle;
	}
	return low < count && ids.get(low) === id ? low : undefined;
}

/** Fields of an offer record beside its texts. */
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

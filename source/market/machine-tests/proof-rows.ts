/**
 * Rows of a card's memory, recomputed by the market's own processor in slices, so that other calls
 * do not wait.
 */
import {setImmediate} from 'node:timers/promises';
import {type ProofShape, smallNumbers, tableOf} from './proof-rules.ts';

/** Products between two turns of the event loop: some milliseconds. */
const SLICE = 2_000_000;

/** Rows multiplied at a time: their sums are independent. */
const ABREAST = 4;

/** The bytes of some rows of the memory that a seed fills. */
export async function remakeRows(
	seed: Uint8Array,
	form: ProofShape,
	rows: readonly number[],
): Promise<readonly Int8Array[]> {
	const {columns, layers} = form;
	const first = tableOf(seed, 'fill');
	const shifts = tableOf(seed, 'shifts');
	const table = tableOf(seed, 'weights');
	const weights = Array.from({length: columns}, (_, column) =>
		smallNumbers(table(column), columns),
	);
	const every = Math.max(1, Math.floor(SLICE / (columns * rows.length + 1)));
	const weight = new Int32Array(columns);
	let held = rows.map(row => firstBytes(first(row), columns));
	for (let layer = 0; layer < layers; layer += 1) {
		const shift = shifts(layer);
		const made = held.map(() => new Int32Array(columns));
		for (const [column, numbers] of weights.entries()) {
			weight.set(numbers);
			const added = shift(column);
			for (let at = 0; at < held.length; at += ABREAST) {
				const sums = productsOf(held, at, weight);
				for (const [place, sum] of sums.entries()) {
					const row = made[at + place];
					if (row !== undefined) row[column] = upperByte(sum, added);
				}
			}
			if (column % every === every - 1) await setImmediate();
		}
		held = made;
	}
	return held.map(row => Int8Array.from(row));
}

function firstBytes(word: (place: number) => number, columns: number): Int32Array {
	const bytes = new Int32Array(columns);
	for (let at = 0; at < columns; at += 1) bytes[at] = (word(at >>> 2) << (24 - 8 * (at & 3))) >> 24;
	return bytes;
}

/**
 * Products of a row, and of the rows after it, with a weight; beyond the end, those of the first
 * row.
 */
function productsOf(
	rows: readonly Int32Array[],
	at: number,
	weight: Int32Array,
): readonly number[] {
	const one = rows[at];
	if (one === undefined) return [];
	const [two, three, four] = [rows[at + 1] ?? one, rows[at + 2] ?? one, rows[at + 3] ?? one];
	let [first, second, third, fourth] = [0, 0, 0, 0];
	for (let place = 0; place < weight.length; place += 1) {
		const factor = weight[place] ?? 0;
		first = (first + Math.imul(one[place] ?? 0, factor)) | 0;
		second = (second + Math.imul(two[place] ?? 0, factor)) | 0;
		third = (third + Math.imul(three[place] ?? 0, factor)) | 0;
		fourth = (fourth + Math.imul(four[place] ?? 0, factor)) | 0;
	}
	return [first, second, third, fourth];
}

/** Spreads a sum over all 32 bits, of which the highest byte is kept. */
const SPREAD = 0x85_eb_ca_6b;

function upperByte(sum: number, shift: number): number {
	return (Math.imul(sum, SPREAD) + shift) >> 24;
}

/** Search over the columns. A long search lets other calls be served in between. */
import {setImmediate} from 'node:timers/promises';
import {normal} from '../../contract/grammar/filter-match.ts';
import type {OfferSearch} from '../../contract/nouns/offer-search.ts';
import {priceTerms} from './query-store.ts';
import {createBest, sortKeysOf, type Best} from './column-order.ts';
import {rowTestsOf, type RowTest} from './column-tests.ts';
import type {OfferColumns} from './column.ts';

type Moment = {readonly now: number; readonly limit: number};

type Run = {readonly tests: readonly RowTest[]; readonly best: Best};

/** Rows of a block, which are tested at once. */
const BLOCK = 8192;
/** Longest time without serving other calls. */
const SLICE_MS = 3;
/** Spare rows beyond the limit, to replace those that change while other calls are served. */
const SPARE = 64;

/**
 * The rows that a search finds, in its order.
 *
 * @param sliceMs Longest time without serving other calls.
 */
export async function searchColumns(
	columns: OfferColumns,
	search: OfferSearch,
	moment: Moment,
	{sliceMs = SLICE_MS}: {readonly sliceMs?: number} = {},
): Promise<readonly number[]> {
	const most = Math.min(search.limit, moment.limit);
	const writes = columns.writes();
	const run = startRun(columns, search, moment, most + SPARE);
	await scan(run, rowsFor(columns, search), sliceMs);
	const rows = run.best.take();
	const changed = columns.writtenSince(writes);
	if (changed?.size === 0) return rows.slice(0, most);
	const settled = startRun(columns, search, moment, most);
	const lasting = rows.filter(row => changed?.has(row) === false);
	if (changed === undefined || (run.best.isCut() && lasting.length < most)) {
		// Rows cut earlier may have to replace lost ones, so test all rows again without yielding.
		test(settled, rowsFor(columns, search));
	} else {
		settled.best.add(Int32Array.from(lasting), lasting.length);
		test(settled, Int32Array.from(changed));
	}
	return settled.best.take();
}

type Found = {readonly rows: readonly number[]; readonly changed: ReadonlySet<number>};

/** True if a search finds the same rows as before, although some rows have changed since. */
export function stillFinds(
	columns: OfferColumns,
	search: OfferSearch,
	moment: Moment,
	{rows, changed}: Found,
): boolean {
	if (changed.size === 0) return true;
	if (rows.some(row => changed.has(row))) return false;
	const run = startRun(columns, search, moment, Math.min(search.limit, moment.limit));
	if (test(run, Int32Array.from(changed)) === 0) return true;
	run.best.add(Int32Array.from(rows), rows.length);
	const found = run.best.take();
	return found.length === rows.length && found.every((row, index) => row === rows[index]);
}

function startRun(columns: OfferColumns, search: OfferSearch, {now}: Moment, most: number): Run {
	const terms = {...priceTerms(search), now};
	const best = createBest(sortKeysOf(columns, search.order, terms), most);
	return {tests: rowTestsOf(columns, search, terms), best};
}

/** Tests rows, and returns the number of those that pass; their order is lost. */
function test({tests, best}: Run, rows: Int32Array): number {
	let kept = rows.length;
	for (const passes of tests) kept = passes(rows, kept);
	best.add(rows, kept);
	return kept;
}

async function scan(run: Run, rows: Int32Array, sliceMs: number): Promise<void> {
	let startedAt = performance.now();
	for (let start = 0; start < rows.length; start += BLOCK) {
		test(run, rows.subarray(start, start + BLOCK));
		if (performance.now() - startedAt < sliceMs) continue;
		await setImmediate();
		startedAt = performance.now();
	}
}

/** The rows that can match a search: a few by an id or a GPU name, or all. */
function rowsFor(columns: OfferColumns, {filter}: OfferSearch): Int32Array {
	for (const {field, operator, value} of filter) {
		if (operator !== 'eq' || value === null) continue;
		if (field === 'id' || field === 'ask_contract_id') {
			const row = columns.rowOf(Number(value));
			return Int32Array.from(row === undefined ? [] : [row]);
		}
		if (field === 'gpu_name') {
			const code = columns.texts.gpu_key.codeOf(String(normal('name', value)));
			return Int32Array.from((code === undefined ? undefined : columns.byGpu.get(code)) ?? []);
		}
	}
	const all = new Int32Array(columns.count());
	for (let row = 0; row < all.length; row++) all[row] = row;
	return all;
}

/** Search over the columns. A long search lets other calls be served in between. */
import {setImmediate} from 'node:timers/promises';
import {normal} from '../../contract/grammar/filter-match.ts';
import type {OfferField, OfferSearch} from '../../contract/nouns/offer-search.ts';
import {priceTerms} from './query-store.ts';
import {createBest, keysOf, type Best} from './column-order.ts';
import {testsOf, type RowTest} from './column-tests.ts';
import type {OfferColumns} from './column.ts';

type Moment = {readonly now: number; readonly limit: number};

/** A search under way: its tests, and its best rows so far. */
type Run = {readonly tests: readonly RowTest[]; readonly best: Best};

/** Rows of a block, which are tested at once. */
const BLOCK = 8192;
/** Longest time without serving other calls. */
const SLICE_MS = 3;
/** Rows beyond the limit, in place of those that change while other calls are served. */
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
	const start = () => startRun(columns, search, moment, most);
	const few = fewRows(columns, search);
	if (few !== undefined && few.length <= BLOCK) return takeAll(start(), few);
	const changed = new Set<number>();
	const leave = columns.listen(row => changed.add(row));
	try {
		const run = startRun(columns, search, moment, most + SPARE);
		const all = few ?? columns.count();
		await scan(run, all, sliceMs);
		const settled = settle(start(), run.best, {changed, most});
		if (settled !== undefined) return settled;
	} finally {
		leave();
	}
	// Too many rows have changed meanwhile, so the search is repeated without a break.
	return takeAll(start(), few ?? Int32Array.from({length: columns.count()}, (_, row) => row));
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
	if (test(run, Int32Array.from(changed), changed.size) === 0) return true;
	run.best.add(Int32Array.from(rows), rows.length);
	const found = run.best.take();
	return found.length === rows.length && found.every((row, index) => row === rows[index]);
}

function startRun(columns: OfferColumns, search: OfferSearch, {now}: Moment, most: number): Run {
	const terms = {...priceTerms(search), now};
	const best = createBest(keysOf(columns, search.order, terms), most);
	return {tests: testsOf(columns, search, terms), best};
}

function test({tests, best}: Run, rows: Int32Array, count: number): number {
	let kept = count;
	for (const passes of tests) {
		if (kept === 0) return 0;
		kept = passes(rows, kept);
	}
	best.add(rows, kept);
	return kept;
}

function takeAll(run: Run, rows: Int32Array): readonly number[] {
	test(run, rows, rows.length);
	return run.best.take();
}

/** Tests rows block by block: given rows, or the first ones of the columns. */
async function scan(run: Run, rows: Int32Array | number, sliceMs: number): Promise<void> {
	const total = typeof rows === 'number' ? rows : rows.length;
	const block = new Int32Array(BLOCK);
	let startedAt = performance.now();
	for (let start = 0; start < total; start += BLOCK) {
		const count = Math.min(BLOCK, total - start);
		if (typeof rows === 'number') for (let at = 0; at < count; at++) block[at] = start + at;
		else block.set(rows.subarray(start, start + count));
		test(run, block, count);
		if (performance.now() - startedAt < sliceMs) continue;
		await setImmediate();
		startedAt = performance.now();
	}
}

type Changed = {readonly changed: ReadonlySet<number>; readonly most: number};

/**
 * Tests changed rows again; undefined if rows left out before may have to take the place of lost
 * ones.
 */
function settle(run: Run, found: Best, {changed, most}: Changed): readonly number[] | undefined {
	const rows = found.take();
	const lasting = rows.filter(row => !changed.has(row));
	if (found.isCut() && lasting.length < most) return undefined;
	run.best.add(new Int32Array(lasting), lasting.length);
	test(run, new Int32Array(changed), changed.size);
	return run.best.take();
}

/** The few rows that can match a search, by an id or a GPU name; undefined for many. */
function fewRows(columns: OfferColumns, {filter}: OfferSearch): Int32Array | undefined {
	for (const {field, operator, value} of filter) {
		if (operator !== 'eq' || value === null) continue;
		if (isNumber(field)) {
			const row = columns.rowOf(Number(value));
			return Int32Array.from(row === undefined ? [] : [row]);
		}
		if (field === 'gpu_name') {
			const code = columns.texts.gpu_key.codeOf(String(normal('name', value)));
			return new Int32Array((code === undefined ? undefined : columns.byGpu.get(code)) ?? []);
		}
	}
	return undefined;
}

function isNumber(field: OfferField): boolean {
	return field === 'id' || field === 'ask_contract_id';
}

/** Copy of all offers in columns: read once, and then updated by changes. */
import {setImmediate} from 'node:timers/promises';
import type {ChangeNumbers} from '../database/changes.ts';
import type {Database} from '../database/database.ts';
import {offersAfter, offersById} from './store.ts';
import {columnNames, createOfferColumns, type OfferColumns} from './column.ts';

export type FoundRows = {readonly columns: OfferColumns; readonly rows: readonly number[]};

/** Rows of a read, few enough not to delay other calls. */
const ROWS_AT_ONCE = 200;
/** Changed rows above which all are read again: a number, or a part of all. */
const MOST_CHANGED = {rows: 5000, part: 1 / 20};
/**
 * Shortest interval between reads of everything, after writes of other processes that are not
 * reported.
 */
const RELOAD_MS = 30_000;
/** Interval of updates without searches. */
const REFRESH_MS = 1000;

type Loaded = {
	readonly columns: OfferColumns;
	/** Change count of other processes at the time of reading. */
	readonly others: number;
};

export class OfferCopy {
	readonly #database: Database;
	readonly #changes: ChangeNumbers;
	readonly #closing = new AbortController();
	/** Changed offers that were not read since. */
	readonly #waiting = new Set<number>();
	readonly #timer: NodeJS.Timeout;
	#loaded: Loaded | undefined;
	#loadedAt = Infinity;
	#work: Promise<void> | undefined;
	#refreshing: Promise<void> | undefined;

	constructor(database: Database, changes: ChangeNumbers) {
		this.#database = database;
		this.#changes = changes;
		this.#timer = setInterval(() => quietly(this.#refresh()), REFRESH_MS).unref();
	}

	/**
	 * The columns, up to date; undefined while they differ from the database: during the first read, and
	 * after an unreported write of another process.
	 */
	async columns(): Promise<OfferColumns | undefined> {
		await this.#refresh();
		return this.#loaded?.columns;
	}

	/**
	 * True if any of these rows may have changed since a count of writes, in the columns or in the
	 * database alone.
	 */
	async isBehind({columns, rows}: FoundRows, writes: number): Promise<boolean> {
		await this.#takeChanged();
		// Waits for an update by another search.
		while (this.#refreshing !== undefined) await this.#refreshing;
		const loaded = this.#loaded;
		if (loaded?.columns !== columns || this.#changes.ofOthers() !== loaded.others) return true;
		const written = columns.writtenSince(writes);
		return rows.some(
			row => written?.has(row) !== false || this.#waiting.has(columns.numbers.id.get(row)),
		);
	}

	/** Reads all offers, unless that was done. */
	async load(): Promise<void> {
		if (this.#loaded !== undefined || this.#closing.signal.aborted) return;
		this.#loadedAt = performance.now();
		this.#work ??= this.#read().finally(() => (this.#work = undefined));
		await this.#work;
	}

	async #read(): Promise<void> {
		await this.#changes.catchUp();
		const others = this.#changes.ofOthers();
		this.#changes.takeOffers();
		this.#waiting.clear();
		const columns = await readColumns(this.#database, this.#closing.signal);
		for (let count = Infinity; count > ROWS_AT_ONCE;) {
			await this.#takeChanged();
			const ids = this.#takeWaiting();
			count = ids.length;
			if (!(await updateColumns(this.#database, columns, ids))) return;
		}
		if (!this.#closing.signal.aborted) this.#loaded = {columns, others};
	}

	async close(): Promise<void> {
		clearInterval(this.#timer);
		this.#closing.abort();
		await Promise.allSettled([this.#work, this.#refreshing]);
	}

	/** Drops the columns, so that the database answers until all is read again. */
	#forget(): void {
		this.#loaded = undefined;
		if (performance.now() - this.#loadedAt > RELOAD_MS) quietly(this.load());
	}

	async #takeChanged(): Promise<void> {
		await this.#changes.catchUp();
		for (const id of this.#changes.takeOffers()) this.#waiting.add(id);
	}

	#takeWaiting(): readonly number[] {
		const ids = [...this.#waiting];
		this.#waiting.clear();
		return ids;
	}

	/** Updates the columns to the committed state, or drops them. */
	async #refresh(): Promise<void> {
		await this.#takeChanged();
		// Updates run one at a time, so that an older read cannot overwrite a newer one.
		while (this.#refreshing !== undefined) await this.#refreshing;
		const loaded = this.#loaded;
		if (loaded === undefined || this.#changes.ofOthers() !== loaded.others) return this.#forget();
		const ids = this.#takeWaiting();
		if (ids.length === 0) return;
		if (ids.length > mostChanged(loaded.columns)) return this.#forget();
		this.#refreshing = this.#update(loaded, ids).finally(() => (this.#refreshing = undefined));
		await this.#refreshing;
	}

	async #update({columns}: Loaded, ids: readonly number[]): Promise<void> {
		try {
			if (!(await updateColumns(this.#database, columns, ids))) this.#forget();
		} catch (error) {
			this.#forget();
			throw error;
		}
	}
}

function mostChanged(columns: OfferColumns): number {
	return Math.max(MOST_CHANGED.rows, columns.count() * MOST_CHANGED.part);
}

/** Ignores a failure in the background; the next search meets and reports it. */
function quietly(work: Promise<void>): void {
	work.catch(() => undefined);
}

async function readColumns(database: Database, closing: AbortSignal): Promise<OfferColumns> {
	const columns = createOfferColumns();
	for (let last = -1; !closing.aborted;) {
		const rows = await offersAfter(database, columnNames, {id: last, limit: ROWS_AT_ONCE});
		for (const column of columns.all) {
			if (column.reserve(columns.count() + rows.length)) await setImmediate();
		}
		for (const row of rows) columns.put(row);
		const end = rows.at(-1);
		if (end === undefined) break;
		last = end.id;
		await setImmediate();
	}
	return columns;
}

/** Updates some offers at once; false if the columns cannot hold them. */
async function updateColumns(
	database: Database,
	columns: OfferColumns,
	ids: readonly number[],
): Promise<boolean> {
	const rows = [];
	for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
		if (start > 0) await setImmediate();
		rows.push(...(await offersById(database, columnNames, ids.slice(start, start + ROWS_AT_ONCE))));
	}
	const found = new Set(rows.map(({id}) => id));
	for (const id of ids) if (!found.has(id)) columns.remove(id);
	// In ascending order, for new offers are appended.
	return rows.toSorted((one, other) => one.id - other.id).every(row => columns.put(row));
}

/** Keeps columns what the database says: all offers are read once, and then whatever has changed. */
import {setImmediate} from 'node:timers/promises';
import type {OfferSearch} from '../../contract/nouns/offer-search.ts';
import type {Changes} from '../database/changes.ts';
import type {Database} from '../database/database.ts';
import {offersAfter, offersById} from './store.ts';
import {searchColumns} from './column-search.ts';
import {columnNames, createOfferColumns, type OfferColumns} from './column.ts';

export type Found = {readonly columns: OfferColumns; readonly rows: readonly number[]};

/** Few enough that reading them holds nobody up. */
const ROWS_AT_ONCE = 200;
/** Most changed rows before all of them are read again: so many, or a part of all. */
const MOST_CHANGED = {rows: 5000, part: 1 / 20};
/**
 * Shortest interval between reads of everything, needed where another process writes without
 * telling.
 */
const RELOAD_MS = 30_000;
/** So often it is read what has changed, where nobody searches. */
const REFRESH_MS = 1000;

type Loaded = {
	readonly columns: OfferColumns;
	/** Change count of other processes at the time of reading. */
	readonly others: number;
};

export class OfferCopy {
	readonly #database: Database;
	readonly #changes: Changes;
	readonly #closing = new AbortController();
	/** Offers that have changed, and were not read since. */
	readonly #waiting = new Set<number>();
	readonly #timer: NodeJS.Timeout;
	#loaded: Loaded | undefined;
	#loadedAt = Infinity;
	#work: Promise<void> | undefined;
	#refreshing: Promise<void> | undefined;

	constructor(database: Database, changes: Changes) {
		this.#database = database;
		this.#changes = changes;
		this.#timer = setInterval(() => quietly(this.#refresh()), REFRESH_MS).unref();
	}

	/**
	 * The rows that a search finds, of which columns; undefined where the columns are not what the
	 * database says: while they are being read, and after another process has written.
	 */
	async find(
		search: OfferSearch,
		moment: {readonly now: number; readonly limit: number},
	): Promise<Found | undefined> {
		await this.#refresh();
		const loaded = this.#loaded;
		if (loaded === undefined) return undefined;
		const {columns} = loaded;
		return {columns, rows: await searchColumns(columns, search, moment)};
	}

	/** The columns as the database is now; undefined where they are not what it says. */
	async columns(): Promise<OfferColumns | undefined> {
		await this.#refresh();
		return this.#loaded?.columns;
	}

	/** True if any of these offers has changed, and their columns may not say so yet. */
	async isBehind(ids: readonly number[]): Promise<boolean> {
		await this.#takeChanged();
		// What another search has taken is written when that has read it.
		while (this.#refreshing !== undefined) await this.#refreshing;
		const isElsewhere = this.#changes.ofOthers() !== this.#loaded?.others;
		return isElsewhere || ids.some(id => this.#waiting.has(id));
	}

	/** Reads all offers, where that was not done. */
	async load(): Promise<void> {
		if (this.#loaded !== undefined || this.#closing.signal.aborted) return;
		this.#loadedAt = performance.now();
		await this.#inBackground(async () => {
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
			if (this.#closing.signal.aborted) return;
			this.#loaded = {columns, others};
		});
	}

	async close(): Promise<void> {
		clearInterval(this.#timer);
		this.#closing.abort();
		await Promise.allSettled([this.#work, this.#refreshing]);
	}

	/** One thing at a time is done behind the back of those who search. */
	async #inBackground(task: () => Promise<void>): Promise<void> {
		this.#work ??= task().finally(() => (this.#work = undefined));
		return this.#work;
	}

	/** The database answers until all is read again. */
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

	/** Brings the columns up to what is committed now, where they can be. */
	async #refresh(): Promise<void> {
		await this.#takeChanged();
		// One at a time: what was read first is not to be written last.
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

/** Ignores a background failure: the next search meets it and reports it. */
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

/** Brings some offers up to date, all at once; false where the columns cannot hold them. */
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
	// Those with the highest numbers last: they are put behind all others.
	return rows.toSorted((one, other) => one.id - other.id).every(row => columns.put(row));
}

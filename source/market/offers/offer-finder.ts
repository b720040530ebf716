/** Searches of offers: in memory once they are read, before in the database, with cached replies. */
import {Buffer} from 'node:buffer';
import {serialize} from 'node:v8';
import type {OfferSearch} from '../../contract/nouns/offer-search.ts';
import {createLruCache} from '../base/lru-cache.ts';
import {minuteOf} from '../base/contract-end.ts';
import type {Dated} from '../base/json-reply.ts';
import {stillFinds} from './column-search.ts';
import {type Found, OfferCopy} from './offer-copy.ts';
import {type OfferColumns, shownRow} from './column.ts';
import {refuseManyValues} from '../database/search-sql.ts';
import {offerRecorder, type OfferRecorder, type OfferView} from './record-rules.ts';
import {offerTexts, offerWriter, textColumns, type OfferTexts} from './text-rules.ts';
import {followsIndex, offerQuery, priceTerms} from './query-store.ts';
import type {Changes} from '../database/changes.ts';
import type {Database} from '../database/database.ts';
import {findOffers, findThenReadOffers, offersById} from './store.ts';
import type {Offer} from '../../contract/nouns/offers.ts';

type Reply = {
	readonly rows: readonly number[];
	readonly minute: number;
	readonly until: number;
	readonly body: Buffer<ArrayBuffer>;
	/** Count of changes up to which the reply is valid. */
	changes: number;
};

type Moment = {readonly now: number; readonly limit: number};

/** Bytes of cached replies, enough for some forty usual searches. */
const MOST_BYTES = 6_000_000;
/** Changed rows that are remembered; an older reply is made anew. */
const MOST_CHANGED = 4096;

class KeptReplies {
	readonly #replies = createLruCache<string, Reply>(MOST_BYTES, ({body}) => body.length);
	#columns: OfferColumns | undefined;
	#leave: () => void = () => undefined;
	/** The latest written rows. */
	#changed: number[] = [];
	/** Count of earlier written rows. */
	#before = 0;

	/** Present count of changes. New columns clear the cache, for their rows are others. */
	count(columns: OfferColumns): number {
		if (columns !== this.#columns) {
			this.forget();
			this.#columns = columns;
			this.#leave = columns.listen(row => this.#note(row));
		}
		return this.#before + this.#changed.length;
	}

	/** Drops the columns and all cached replies. */
	forget(): void {
		this.#leave();
		this.#replies.clear();
		this.#columns = undefined;
	}

	#note(row: number): void {
		this.#changed.push(row);
		if (this.#changed.length < MOST_CHANGED * 2) return;
		this.#changed = this.#changed.slice(MOST_CHANGED);
		this.#before += MOST_CHANGED;
	}

	find(columns: OfferColumns, search: OfferSearch, moment: Moment): Dated | undefined {
		const count = this.count(columns);
		const reply = this.#replies.get(nameOf(search));
		if (reply === undefined || !isOf(reply, moment) || reply.changes < this.#before) {
			return undefined;
		}
		const changed = new Set(this.#changed.slice(reply.changes - this.#before));
		if (!stillFinds(columns, search, moment, {rows: reply.rows, changed})) return undefined;
		reply.changes = count;
		return {json: reply.body, until: reply.until};
	}

	/** True if any of these rows was written since a count of changes, or may have been. */
	hasWritten({columns, rows}: Found, since: number): boolean {
		if (columns !== this.#columns || since < this.#before) return true;
		const changed = new Set(this.#changed.slice(since - this.#before));
		return changed.size > 0 && rows.some(row => changed.has(row));
	}

	/** @param changes Count of changes before the search. */
	keep(
		search: OfferSearch,
		{now}: Moment,
		{rows, json, until, changes}: Pick<Reply, 'rows' | 'until' | 'changes'> & {json: string},
	): Dated {
		const body = Buffer.from(json);
		this.#replies.set(nameOf(search), {rows, minute: minuteOf(now), until, body, changes});
		return {json: body, until};
	}
}

function isOf({minute, until}: Reply, {now}: Moment): boolean {
	return minute === minuteOf(now) && now < until;
}

function nameOf(search: OfferSearch): string {
	return serialize(search).toString('latin1');
}

export type OfferFinder = {
	/** The reply to a search, as JSON. */
	readonly find: (search: OfferSearch, now: number) => Promise<Dated>;
	/** Number that differs after a possible change of any offer. */
	readonly version: () => Promise<number>;
	/** Ids of the offers that a search finds. */
	readonly ids: (search: OfferSearch, now: number) => Promise<readonly number[]>;
	/** Reads all offers into memory, while other calls are served. */
	readonly load: () => Promise<void>;
	readonly close: () => Promise<void>;
};

/** Characters of cached texts, enough for ten thousand offers. */
const MOST_CHARACTERS = 24_000_000;

/** Attempts at a search whose offers change meanwhile. */
const ATTEMPTS = 3;

type Kept = OfferTexts & {readonly version: number};

/** @param limit The most offers of a search. */
export function createOfferFinder(
	database: Database,
	changes: Changes,
	limit: number,
): OfferFinder {
	const copy = new OfferCopy(database, changes);
	const readTexts = createTexts(database, changes);
	const replies = new KeptReplies();

	/** The found offers as a search shows them, each as JSON. */
	async function write(found: Found, search: OfferSearch, now: number) {
		const view = viewOf(search, now);
		if (search.columns !== undefined) {
			return readRecords(database, idsOf(found), offerRecorder(search.columns, view));
		}
		const writer = offerWriter(view);
		const offers = found.rows.map(row => shownRow(found.columns, row));
		const texts = await readTexts(offers.map(({id}) => id));
		return offers.flatMap(offer => {
			const text = texts.get(offer.id);
			return text === undefined ? [] : writer.write(offer, text);
		});
	}

	async function findInMemory(search: OfferSearch, now: number): Promise<Dated | undefined> {
		const moment = {now, limit};
		for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
			const columns = await copy.columns();
			if (columns === undefined) {
				replies.forget();
				return undefined;
			}
			const kept = replies.find(columns, search, moment);
			if (kept !== undefined) return kept;
			const before = replies.count(columns);
			const found = await copy.find(search, moment);
			if (found?.columns !== columns) continue;
			const offers = await write(found, search, now);
			if ((await copy.isBehind(idsOf(found))) || replies.hasWritten(found, before)) continue;
			const reply = {json: `{"offers":[${offers.join(',')}]}`, until: firstEnd(found)};
			return replies.keep(search, moment, {...reply, rows: found.rows, changes: before});
		}
		return undefined;
	}

	return {
		async find(search, now) {
			refuseManyValues(search.filter);
			const found = await findInMemory(search, now);
			return found ?? writeSearch(database, search, now, limit);
		},
		async version() {
			await changes.catchUp();
			return changes.ofOffers();
		},
		async ids(search, now) {
			refuseManyValues(search.filter);
			const found = await copy.find(search, {now, limit});
			return found === undefined ? idsInDatabase(database, search, now, limit) : idsOf(found);
		},
		load: async () => copy.load(),
		close: async () => copy.close(),
	};
}

function idsOf({columns, rows}: Found): readonly number[] {
	return rows.map(row => columns.numbers.id.get(row));
}

async function idsInDatabase(
	database: Database,
	search: OfferSearch,
	now: number,
	limit: number,
): Promise<readonly number[]> {
	const rows = await findOffers(database, ['id'], offerQuery(search, now, limit));
	return rows.map(({id}) => id);
}

/** Time at which the first of these offers ends and the result changes. */
function firstEnd({columns, rows}: Found): number {
	const ends = rows.map(row => columns.numbers.end_date.get(row));
	return Math.min(...ends.filter(end => !Number.isNaN(end)));
}

function viewOf(search: OfferSearch, now: number): OfferView {
	return {...priceTerms(search), now};
}

/** Reads the texts of offers, with a cache of the latest. */
function createTexts(database: Database, changes: Changes) {
	const texts = createLruCache<number, Kept>(
		MOST_CHARACTERS,
		({facts, prices}) => facts.length + prices.length,
	);
	let others = changes.ofOthers();
	return async (ids: readonly number[]): Promise<ReadonlyMap<number, OfferTexts>> => {
		const present = changes.ofOthers();
		// Changes of other processes are not reported one by one.
		if (present !== others) texts.clear();
		others = present;
		const found = new Map<number, OfferTexts>();
		const missing = new Map<number, number>();
		for (const id of ids) {
			const version = changes.ofText(id);
			const known = texts.get(id);
			if (known?.version === version) found.set(id, known);
			else missing.set(id, version);
		}
		if (missing.size === 0) return found;
		for (const row of await offersById(database, textColumns, [...missing.keys()])) {
			const text = offerTexts(row);
			found.set(row.id, text);
			texts.set(row.id, {...text, version: missing.get(row.id) ?? 0});
		}
		return found;
	};
}

/** Some fields of offers, as JSON, in the order of their ids. */
async function readRecords(
	database: Database,
	ids: readonly number[],
	{columns, record}: OfferRecorder,
): Promise<readonly string[]> {
	const found = await offersById(database, [...new Set(['id' as const, ...columns])], ids);
	const byId = new Map(found.map(row => [row.id, row]));
	return ids.flatMap(id => {
		const row = byId.get(id);
		return row === undefined ? [] : JSON.stringify(record(row));
	});
}

/** The whole reply to a search, as JSON. */
export async function writeSearch(
	database: Database,
	search: OfferSearch,
	now: number,
	limit: number,
): Promise<Dated> {
	if (search.columns !== undefined) {
		const json = JSON.stringify({offers: await searchOffers(database, search, now, limit)});
		return {json, until: undefined};
	}
	const {columns, write} = offerWriter({...priceTerms(search), now});
	const find = followsIndex(search) ? findOffers : findThenReadOffers;
	const read = [...new Set([...textColumns, ...columns])];
	const rows = await find(database, read, offerQuery(search, now, limit));
	const json = `{"offers":[${rows.map(row => write(row, offerTexts(row))).join(',')}]}`;
	return {json, until: Math.min(...rows.map(({end_date: end}) => end ?? Infinity))};
}

/** Offers of a search at a moment; `limit` is the most of any search. */
export async function searchOffers(
	database: Database,
	search: OfferSearch,
	now: number,
	limit: number,
): Promise<Offer[]> {
	const {columns, record} = offerRecorder(search.columns, {...priceTerms(search), now});
	const rows = await findOffers(database, columns, offerQuery(search, now, limit));
	return rows.map(record);
}

/**
 * Searches of offers, with cached replies: in memory once all offers are read, in the database
 * until then.
 */
import {Buffer} from 'node:buffer';
import {serialize} from 'node:v8';
import type {OfferSearch} from '../../contract/nouns/offer-search.ts';
import {createLruCache, type Kept} from '../base/lru-cache.ts';
import {startOfMinute} from '../base/contract-end.ts';
import type {Dated} from '../base/json-reply.ts';
import {searchColumns, stillFinds} from './column-search.ts';
import {type FoundRows, OfferCopy} from './offer-copy.ts';
import {type OfferColumns, shownRow} from './column.ts';
import {refuseManyValues} from '../database/search-sql.ts';
import {offerRecorder, type OfferRecorder} from './record-rules.ts';
import {offerTexts, offerWriter, offerTextColumns, type OfferTexts} from './text-rules.ts';
import {followsIndex, offerQuery, priceTerms, queryOfOffer} from './query-store.ts';
import type {ChangeNumbers} from '../database/changes.ts';
import type {Database} from '../database/database.ts';
import {findOffers, findThenReadOffers, offersById} from './store.ts';
import type {Offer} from '../../contract/nouns/offers.ts';

type Moment = {readonly now: number; readonly limit: number};

type Reply = Dated & {
	readonly rows: readonly number[];
	readonly until: number;
	readonly minute: number;
	/** Count of writes up to which the reply is valid. */
	writes: number;
};

/** Bytes of cached replies, enough for some forty usual searches. */
const MOST_BYTES = 6_000_000;

/** Cached replies by search, dropped with the columns that they were built from. */
function createReplies() {
	const all = new WeakMap<OfferColumns, Kept<string, Reply>>();
	return (columns: OfferColumns): Kept<string, Reply> => {
		const known = all.get(columns);
		if (known !== undefined) return known;
		const made = createLruCache<string, Reply>(MOST_BYTES, ({json}) => json.length);
		all.set(columns, made);
		return made;
	};
}

/** True if a reply is still valid. If so, its count of writes is advanced to now. */
function isPresent(
	reply: Reply,
	columns: OfferColumns,
	search: OfferSearch,
	moment: Moment,
): boolean {
	if (reply.minute !== startOfMinute(moment.now) || moment.now >= reply.until) return false;
	const changed = columns.writtenSince(reply.writes);
	if (changed === undefined || !stillFinds(columns, search, moment, {rows: reply.rows, changed})) {
		return false;
	}
	reply.writes = columns.writes();
	return true;
}

export type OfferFinder = {
	/** The reply to a search, as JSON. */
	readonly find: (search: OfferSearch, now: number) => Promise<Dated>;
	/** Number that differs after a possible change of any offer. */
	readonly version: () => Promise<number>;
	readonly ids: (search: OfferSearch, now: number) => Promise<readonly number[]>;
	/** Reads all offers into memory, while other calls are served. */
	readonly load: () => Promise<void>;
	readonly close: () => Promise<void>;
};

/** Characters of cached texts, enough for ten thousand offers. */
const MOST_CHARACTERS = 24_000_000;

/** Attempts at a search whose offers change meanwhile. */
const ATTEMPTS = 3;

/** @param limit The most offers of a search. */
export function createOfferFinder(
	database: Database,
	changes: ChangeNumbers,
	limit: number,
): OfferFinder {
	const copy = new OfferCopy(database, changes);
	const write = createWriter(database, changes);
	const repliesOf = createReplies();

	async function findInMemory(search: OfferSearch, now: number): Promise<Dated | undefined> {
		const moment = {now, limit};
		const name = serialize(search).toString('latin1');
		for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
			const columns = await copy.columns();
			if (columns === undefined) return undefined;
			const replies = repliesOf(columns);
			const known = replies.get(name);
			if (known !== undefined && isPresent(known, columns, search, moment)) return known;
			const writes = columns.writes();
			const rows = await searchColumns(columns, search, moment);
			const offers = await write({columns, rows}, search, now);
			if (await copy.isBehind({columns, rows}, writes)) continue;
			const json = Buffer.from(`{"offers":[${offers.join(',')}]}`);
			const until = firstEnd({columns, rows});
			const reply = {json, until, rows, writes, minute: startOfMinute(now)};
			replies.set(name, reply);
			return reply;
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
			const columns = await copy.columns();
			if (columns !== undefined) {
				return idsOf({columns, rows: await searchColumns(columns, search, {now, limit})});
			}
			const found = await findOffers(database, ['id'], offerQuery(search, now, limit));
			return found.map(({id}) => id);
		},
		load: async () => copy.load(),
		close: async () => copy.close(),
	};
}

function idsOf({columns, rows}: FoundRows): readonly number[] {
	return rows.map(row => columns.numbers.id.get(row));
}

/** Time at which the first of these offers ends and the result changes. */
function firstEnd({columns, rows}: FoundRows): number {
	const ends = rows.map(row => columns.numbers.end_date.get(row));
	return Math.min(...ends.filter(end => !Number.isNaN(end)));
}

/** Makes a function that writes found offers as a search shows them, each as JSON. */
function createWriter(database: Database, changes: ChangeNumbers) {
	const readTexts = createTexts(database, changes);
	return async ({columns, rows}: FoundRows, search: OfferSearch, now: number) => {
		const view = {...priceTerms(search), now};
		if (search.columns !== undefined) {
			return readRecords(database, idsOf({columns, rows}), offerRecorder(search.columns, view));
		}
		const writer = offerWriter(view);
		const offers = rows.map(row => shownRow(columns, row));
		const texts = await readTexts(offers.map(({id}) => id));
		return offers.flatMap(offer => {
			const text = texts.get(offer.id);
			return text === undefined ? [] : writer.write(offer, text);
		});
	};
}

/** Reads the texts of offers, with a cache of the latest. */
function createTexts(database: Database, changes: ChangeNumbers) {
	const texts = createLruCache<number, OfferTexts & {readonly version: number}>(
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
		for (const row of await offersById(database, offerTextColumns, [...missing.keys()])) {
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
		const json = JSON.stringify({offers: await findOfferRecords(database, search, now, limit)});
		return {json, until: undefined};
	}
	const {columns, write} = offerWriter({...priceTerms(search), now});
	const find = followsIndex(search) ? findOffers : findThenReadOffers;
	const read = [...new Set([...offerTextColumns, ...columns])];
	const rows = await find(database, read, offerQuery(search, now, limit));
	const json = `{"offers":[${rows.map(row => write(row, offerTexts(row))).join(',')}]}`;
	return {json, until: Math.min(...rows.map(({end_date: end}) => end ?? Infinity))};
}

/** Offers of a search at a moment; `limit` is the most of any search. */
export async function findOfferRecords(
	database: Database,
	search: OfferSearch,
	now: number,
	limit: number,
): Promise<Offer[]> {
	const {columns, record} = offerRecorder(search.columns, {...priceTerms(search), now});
	const rows = await findOffers(database, columns, offerQuery(search, now, limit));
	return rows.map(record);
}

/** True if a search finds this offer as it is now, whatever stood in the search's own reply. */
export async function findsOffer(
	database: Database,
	search: OfferSearch,
	{id, now}: {readonly id: number; readonly now: number},
): Promise<boolean> {
	return (await findOffers(database, ['id'], queryOfOffer(search, id, now))).length > 0;
}

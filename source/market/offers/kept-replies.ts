/** Replies to searches, kept for as long as a search finds the same rows and they say the same. */
import {Buffer} from 'node:buffer';
import {serialize} from 'node:v8';
import type {OfferSearch} from '../../contract/nouns/offer-search.ts';
import {createLruCache} from '../base/lru-cache.ts';
import {minuteOf} from '../base/contract-end.ts';
import type {Dated} from '../base/json-reply.ts';
import {stillFinds} from './column-search.ts';
import type {Found} from './offer-copy.ts';
import type {OfferColumns} from './columns.ts';

type Reply = {
	readonly rows: readonly number[];
	readonly minute: number;
	readonly until: number;
	readonly body: Buffer<ArrayBuffer>;
	/** Count of changes up to which it is known to be right. */
	changes: number;
};

type Moment = {readonly now: number; readonly limit: number};

/** Bytes of replies that are kept: those of some forty usual searches. */
const MOST_BYTES = 6_000_000;
/** Changed rows that are remembered: a search that was not made for longer is made anew. */
const MOST_CHANGED = 4096;

export class KeptReplies {
	readonly #replies = createLruCache<string, Reply>(MOST_BYTES, ({body}) => body.length);
	#columns: OfferColumns | undefined;
	#leave: () => void = () => undefined;
	/** Rows that were written last. */
	#changed: number[] = [];
	/** Count of those before them. */
	#before = 0;

	/** The count of changes at present; rows of other columns than before are other rows. */
	count(columns: OfferColumns): number {
		if (columns !== this.#columns) {
			this.forget();
			this.#columns = columns;
			this.#leave = columns.listen(row => this.#note(row));
		}
		return this.#before + this.#changed.length;
	}

	/** Lets go of the columns, and of all that was found in them. */
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

	/** @param changes Count of them before it was searched */
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

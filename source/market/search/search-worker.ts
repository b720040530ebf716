/** Runs searches of offers in a thread of its own, and writes their replies there as well. */
import {workerData, parentPort} from 'node:worker_threads';
import type {OfferSearch} from '../../contract/offer-search.ts';
import {writeSearch} from './search-offers.ts';
import {openReader} from '../store/database.ts';

/** What the thread is asked. */
export type SearchTask = {
	readonly number: number;
	readonly search: OfferSearch;
	readonly now: number;
	readonly limit: number;
};

/** The reply as bytes, or what went wrong. */
export type SearchResult =
	| {readonly number: number; readonly bytes: Uint8Array<ArrayBuffer>}
	| {readonly number: number; readonly problem: string};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `slow-searches.ts` gives it
const database = openReader((workerData as {readonly file: string}).file);

parentPort?.on('message', (task: SearchTask) => void answer(task));

async function answer({number, search, now, limit}: SearchTask): Promise<void> {
	try {
		const text = await writeSearch(database, search, now, limit);
		const bytes = new TextEncoder().encode(text);
		send({number, bytes});
	} catch (error) {
		send({number, problem: error instanceof Error ? (error.stack ?? '') : String(error)});
	}
}

function send(result: SearchResult): void {
	parentPort?.postMessage(result, 'bytes' in result ? [result.bytes.buffer] : []);
}

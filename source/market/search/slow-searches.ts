/**
 * Searches that no index serves look at every offer: of a hundred thousand, that takes as long as
 * fifty others. They run in a thread of their own, so that nobody else waits for them.
 */
import {Worker} from 'node:worker_threads';
import type {OfferSearch} from '../../contract/offer-search.ts';
import type {SearchResult, SearchTask} from './search-worker.ts';

export type SlowSearches = {
	/** The reply to a search, as the bytes that are sent. */
	readonly run: (
		search: OfferSearch,
		now: number,
		limit: number,
	) => Promise<Uint8Array<ArrayBuffer>>;
	readonly close: () => Promise<void>;
};

type Waiting = PromiseWithResolvers<Uint8Array<ArrayBuffer>>;

/** The thread is started for the first search. */
export function openSlowSearches(file: string): SlowSearches {
	const waiting = new Map<number, Waiting>();
	let worker: Worker | undefined;
	let last = 0;

	function settle(result: SearchResult): void {
		const search = waiting.get(result.number);
		waiting.delete(result.number);
		if ('bytes' in result) search?.resolve(result.bytes);
		else search?.reject(new Error(result.problem));
		// Only while it works does it keep the process alive.
		if (waiting.size === 0) worker?.unref();
	}

	/**
	 * A thread that ended takes its searches with it; the next search starts another. One that has
	 * failed ends later: the searches are another's by then.
	 */
	function abandon(ended: Worker, error: unknown): void {
		if (worker !== ended) return;
		worker = undefined;
		for (const {reject} of waiting.values()) reject(error);
		waiting.clear();
	}

	function start(): Worker {
		const started = new Worker(workerFile(), {workerData: {file}});
		started.on('message', settle);
		started.on('error', error => abandon(started, error));
		started.on('exit', () => abandon(started, new Error('the thread of slow searches ended')));
		return started;
	}

	return {
		async run(search, now, limit) {
			worker ??= start();
			worker.ref();
			const task: SearchTask = {number: ++last, search, now, limit};
			const result: Waiting = Promise.withResolvers();
			waiting.set(task.number, result);
			// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
			worker.postMessage(task);
			return result.promise;
		},
		async close() {
			await worker?.terminate();
		},
	};
}

/** Beside this file, as it is written or as it is built. */
function workerFile(): URL {
	const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
	return new URL(`./search-worker.${ending}`, import.meta.url);
}

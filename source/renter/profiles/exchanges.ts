/** Exchanges with the service since this console was opened. */
import {statusOf} from '../../contract/rules/thrown.ts';
import {createStore} from '../state/store.ts';

export type Exchanges = {
	/** Durations of the last replies, the newest last. */
	readonly times: readonly number[];
	/** Times of exchanges that failed without an answer, or by the service's own fault. */
	readonly failedAt: readonly number[];
};

const MOST_TIMES = 200;
const HOUR_MS = 3_600_000;

export type ExchangeLog = ReturnType<typeof createExchangeLog>;

export function createExchangeLog(now: () => number) {
	const store = createStore<Exchanges>({times: [], failedAt: []});
	return {
		get: store.get,
		subscribe: store.subscribe,
		answered(ms: number) {
			const {times, failedAt} = store.get();
			store.set({times: [...times.slice(1 - MOST_TIMES), ms], failedAt});
		},
		failed(error: unknown) {
			const {times, failedAt} = store.get();
			// A refusal is an answer: nothing is wrong with the connection.
			const status = statusOf(error);
			if (typeof status === 'number' && status < 500) return;
			const recent = failedAt.filter(at => now() - at < HOUR_MS);
			store.set({times, failedAt: [...recent, now()]});
		},
	};
}

/** The time within which a share of the answers came; undefined where there were none. */
export function percentile(times: readonly number[], share: number): number | undefined {
	const sorted = times.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

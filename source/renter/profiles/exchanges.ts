/** Exchanges with the service since this console was opened, and the clock skew. */
import {statusOf} from '../../contract/rules/thrown.ts';
import {createStore} from '../state/store.ts';
import {HOUR_MS} from '../../contract/rules/durations.ts';

export type Exchanges = {
	/** Durations of the last replies, the newest last. */
	readonly times: readonly number[];
	/** Times of exchanges that failed without a reply, or by the service's own fault. */
	readonly failedAt: readonly number[];
};

const MOST_TIMES = 200;

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

/**
 * Seconds that this machine is ahead; undefined if the service sends no date. Refusals have a date,
 * too.
 */
export async function clockSkewSeconds(
	url: string,
	now: () => number,
	signal: AbortSignal,
): Promise<number | undefined> {
	const {headers} = await fetch(url, {method: 'HEAD', redirect: 'manual', signal});
	const theirs = Date.parse(headers.get('date') ?? '');
	return Number.isNaN(theirs) ? undefined : Math.round((now() - theirs) / 1000);
}

/**
 * Clock skew: "61 s behind that of the service"; one second is ignored, because services send whole
 * seconds.
 */
export function clockSkewText(ahead: number): string {
	if (Math.abs(ahead) <= 1) return 'agrees with that of the service';
	return `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of the service`;
}

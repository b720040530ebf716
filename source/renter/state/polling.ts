/** Polling: the one loop of repeated calls, for the console, the commands and the guard. */
import {NetworkError, TimeoutError} from '../../client/exchange/errors.ts';
import {realTimers, type Timers} from './timers.ts';

export type Poller = {
	/** Recomputes the time of the next call, after a change of its conditions. */
	readonly plan: () => void;
	/** Calls at once, or waits for the call in progress; fails as that call does. */
	readonly now: () => Promise<void>;
	readonly close: () => void;
};

type PollOptions = {
	readonly ask: () => Promise<unknown>;
	/** The moment of the next call, from that of the last, -Infinity before the first; undefined for none. */
	readonly dueAt: (lastAt: number) => number | undefined;
	/** Longest backoff, in milliseconds. @default a minute */
	readonly mostMs?: number;
	/** True for calls that only serve a screen: they wait while another program has the terminal. */
	readonly isForScreen?: boolean;
	/** Called with the time between two calls, in milliseconds. */
	readonly onPlan?: (everyMs: number) => void;
};

/** Pollers that share a terminal and a connection. */
export type Polling = {
	readonly start: (options: PollOptions) => Poller;
	readonly hide: (isHidden: boolean) => void;
	readonly isHidden: () => boolean;
	/** Resets the backoff: the service has answered another call. */
	readonly online: () => void;
};

/** The first backoff; each further one doubles it. */
const FIRST_WAIT_MS = 5000;
const MOST_WAIT_MS = 60_000;

type Tracked = Poller & {readonly online: () => void};

export function createPolling(timers: Timers): Polling {
	const pollers = new Set<Tracked>();
	let isHidden = false;
	return {
		start(options) {
			const poller = createPoller(timers, options, () => isHidden);
			pollers.add(poller);
			poller.plan();
			return {
				...poller,
				close() {
					pollers.delete(poller);
					poller.close();
				},
			};
		},
		hide(next) {
			isHidden = next;
			for (const {plan} of pollers) plan();
		},
		isHidden: () => isHidden,
		online() {
			for (const {online} of pollers) online();
		},
	};
}

function createPoller(
	timers: Timers,
	{ask, dueAt, mostMs = MOST_WAIT_MS, isForScreen = false, onPlan}: PollOptions,
	isHidden: () => boolean,
): Tracked {
	let lastAt = Number.NEGATIVE_INFINITY;
	let failures = 0;
	let isCut = false;
	let cancel: (() => void) | undefined;
	let asking: Promise<void> | undefined;
	let isClosed = false;

	function plan(): void {
		cancel?.();
		cancel = undefined;
		if (isClosed || asking !== undefined || (isForScreen && isHidden())) return;
		const usual = dueAt(lastAt);
		if (usual === undefined) return;
		const wait = failures === 0 ? 0 : Math.min(mostMs, FIRST_WAIT_MS * 2 ** (failures - 1));
		const due = Math.max(usual, failures === 0 ? usual : lastAt + wait);
		const everyMs = due - lastAt;
		if (Number.isFinite(everyMs)) onPlan?.(everyMs);
		// A clock that was set back delays a poll by at most one interval.
		const waitMs = Math.max(0, Math.min(due - timers.now(), everyMs || 0));
		cancel = timers.after(waitMs, () => {
			// Failures are reported by the poller's own `ask`.
			now().catch(() => undefined);
		});
	}

	async function now(): Promise<void> {
		asking ??= askOnce();
		return asking;
	}

	async function askOnce(): Promise<void> {
		lastAt = timers.now();
		cancel?.();
		try {
			await ask();
			failures = 0;
		} catch (error) {
			failures += 1;
			isCut = error instanceof NetworkError || error instanceof TimeoutError;
			throw error;
		} finally {
			asking = undefined;
			plan();
		}
	}

	return {
		plan,
		now,
		online() {
			if (failures === 0 || !isCut) return;
			failures = 0;
			plan();
		},
		close() {
			isClosed = true;
			cancel?.();
		},
	};
}

type PollUntil<Answer> = {
	/** Calls once; undefined to call again. */
	readonly ask: () => Promise<Answer | undefined>;
	readonly everyMs: number;
	/** The wait before the first call. @default 0 */
	readonly firstMs?: number;
	readonly mostMs?: number;
	readonly signal: AbortSignal;
	/** Reports a failure; a returned value or an error ends the polling. @default throws the failure */
	readonly onFailure?: (error: unknown) => Answer | undefined;
	readonly timers?: Timers;
};

/** Polls until there is an answer. @throws the reason of the signal, or the error of `onFailure` */
export async function pollUntil<Answer>({
	ask,
	everyMs,
	firstMs = 0,
	signal,
	onFailure = rethrow,
	timers = realTimers,
	...options
}: PollUntil<Answer>): Promise<Answer> {
	signal.throwIfAborted();
	const {promise, resolve, reject} = Promise.withResolvers<Answer>();
	const startedAt = timers.now();
	let isAsking = false;
	const settle = (answer: Answer | undefined) => {
		if (answer !== undefined) resolve(answer);
	};
	function fail(error: unknown): void {
		try {
			settle(onFailure(error));
		} catch (fatal) {
			reject(fatal);
		}
	}
	const stop = () => {
		// A call in progress ends first: it has the same signal.
		if (!isAsking) reject(signal.reason);
	};
	const poller = createPolling(timers).start({
		...options,
		dueAt: lastAt => (Number.isFinite(lastAt) ? lastAt + everyMs : startedAt + firstMs),
		async ask() {
			isAsking = true;
			try {
				settle(await ask());
			} catch (error) {
				if (!signal.aborted) fail(error);
				throw error;
			} finally {
				isAsking = false;
				if (signal.aborted) stop();
			}
		},
	});
	signal.addEventListener('abort', stop);
	try {
		return await promise;
	} finally {
		signal.removeEventListener('abort', stop);
		poller.close();
	}
}

function rethrow(error: unknown): never {
	throw error;
}

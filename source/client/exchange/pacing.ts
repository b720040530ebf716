/** The rate-limiting layer: spaces calls per endpoint, so that the service need not refuse them. */
import {countName, type Endpoint} from '../../contract/grammar/endpoint.ts';
import {ApiError, MarketError} from './errors.ts';
import {intervalOf, slowDown, speedUp, startPace, countCall, waitFor, type Pace} from './pace.ts';
import {attemptOf} from './refusal.ts';
import type {Time} from './time.ts';
import type {Call, Send} from './transport.ts';

export type PaceReport = {
	/** `GET /api/v0/instances/`: the single form also counts for the bulk one. */
	readonly endpoint: string;
	/** Summary of the call: "list all your instances". */
	readonly call: string;
	/** The least seconds between two calls, on average; 0 if unknown. */
	readonly intervalSeconds: number;
	readonly usualSeconds: number;
	/** Factor of slowness: pollers multiply their own interval by it, up to a minute. */
	readonly slowness: number;
	/** Reason for slowness: a sentence without its period; undefined at the usual rate. */
	readonly reason: string | undefined;
	/** Count of "too many calls" replies since the client was opened. */
	readonly refusals: number;
};

export type PaceView = {
	/** The same list until something changes. */
	readonly read: () => readonly PaceReport[];
	readonly subscribe: (listener: () => void) => () => void;
};

type Waiting = {
	readonly isUrgent: boolean;
	readonly go: () => void;
	readonly fail: (why: unknown) => void;
};

type Lane = {
	readonly endpoint: Endpoint;
	pace: Pace;
	readonly waiting: Waiting[];
	/** Ends the pause of the lane; undefined while it has none. */
	wake: AbortController | undefined;
	isMoving: boolean;
};

export type Pacer = {
	readonly pace: PaceView;
	readonly around: (send: Send) => Send;
	/** Rejects every waiting call. */
	readonly close: () => void;
};

/** @param scale Factor of intervals; with 0 only refused calls are rate-limited */
export function createPacer(time: Time, scale: number): Pacer {
	const lanes = new Map<string, Lane>();
	const view = createView(lanes);

	function laneOf(endpoint: Endpoint): Lane {
		const name = countName(endpoint);
		const known = lanes.get(name);
		if (known !== undefined) return known;
		const pace = startPace(endpoint, scale, time.now());
		const lane: Lane = {endpoint, pace, waiting: [], wake: undefined, isMoving: false};
		lanes.set(name, lane);
		return lane;
	}

	function change(lane: Lane, pace: Pace): void {
		if (pace === lane.pace) return;
		lane.pace = pace;
		view.changed();
	}

	const around =
		(send: Send): Send =>
		async call => {
			const lane = laneOf(call.endpoint);
			await enter(lane, call, time);
			try {
				const reply = await send(call);
				change(lane, speedUp(lane.pace));
				return reply;
			} catch (error) {
				if (error instanceof ApiError && error.status === 429) {
					change(lane, slowDown(lane.pace, error, time.now()));
				}
				throw error;
			}
		};

	function close(): void {
		for (const {endpoint, waiting, wake} of lanes.values()) {
			const closed = new MarketError(attemptOf(endpoint), 'the client was closed');
			for (const {fail} of waiting.splice(0)) fail(closed);
			wake?.abort();
		}
	}

	return {pace: view, around, close};
}

/** Resolves when the call may be made. */
async function enter(lane: Lane, {signal, isUrgent}: Call, time: Time): Promise<void> {
	signal?.throwIfAborted();
	const now = time.now();
	if (lane.waiting.length === 0 && waitFor(lane.pace, isUrgent, now) === 0) {
		lane.pace = countCall(lane.pace, now);
		return;
	}
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const waiting = {isUrgent, go: resolve, fail: reject};
	const leave = () => {
		const index = lane.waiting.indexOf(waiting);
		if (index !== -1) lane.waiting.splice(index, 1);
		reject(signal?.reason);
		lane.wake?.abort();
	};
	// Urgent calls go before background calls; each kind keeps its order.
	const behind = lane.waiting.findIndex(other => isUrgent && !other.isUrgent);
	lane.waiting.splice(behind === -1 ? lane.waiting.length : behind, 0, waiting);
	signal?.addEventListener('abort', leave, {once: true});
	if (behind !== -1) lane.wake?.abort();
	void move(lane, time);
	try {
		await promise;
	} finally {
		signal?.removeEventListener('abort', leave);
	}
}

/** Releases waiting calls, one after the other, at the lane's rate. */
async function move(lane: Lane, time: Time): Promise<void> {
	if (lane.isMoving) return;
	lane.isMoving = true;
	try {
		for (let [next] = lane.waiting; next !== undefined; [next] = lane.waiting) {
			const now = time.now();
			const waitMs = waitFor(lane.pace, next.isUrgent, now);
			if (waitMs > 0) {
				await pauseUntilWoken(lane, time, waitMs);
				continue;
			}
			lane.waiting.shift();
			lane.pace = countCall(lane.pace, now);
			next.go();
		}
	} catch (error) {
		for (const {fail} of lane.waiting.splice(0)) fail(error);
	} finally {
		lane.isMoving = false;
	}
}

async function pauseUntilWoken(lane: Lane, time: Time, waitMs: number): Promise<void> {
	const wake = new AbortController();
	lane.wake = wake;
	try {
		await time.pause(waitMs, wake.signal);
	} catch (error) {
		if (!wake.signal.aborted) throw error;
	} finally {
		lane.wake = undefined;
	}
}

function createView(lanes: ReadonlyMap<string, Lane>) {
	const listeners = new Set<() => void>();
	let reports: readonly PaceReport[] | undefined;
	return {
		read: () => (reports ??= [...lanes].map(([name, lane]) => report(name, lane))),
		subscribe(listener: () => void) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		changed() {
			reports = undefined;
			for (const listener of listeners) listener();
		},
	};
}

function report(endpoint: string, {endpoint: called, pace}: Lane): PaceReport {
	const call = attemptOf(called);
	const {usualSeconds, slowness, refusals} = pace;
	return {
		endpoint,
		call,
		intervalSeconds: intervalOf(pace),
		usualSeconds,
		slowness,
		reason:
			slowness > 1
				? `The service wants fewer calls (${call}): ${slowness.toFixed(1)} times slower, and soon faster again`
				: undefined,
		refusals,
	};
}

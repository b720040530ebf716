/** Watching an instance on its way to running. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Time} from '../exchange/time.ts';
import type {FindInstance} from './match-instance.ts';

export type WatchOptions = {
	readonly signal?: AbortSignal | undefined;
	/**
	 * Milliseconds between two polls.
	 *
	 * @default 10_000
	 */
	readonly interval?: number;
	/**
	 * Longest wait in milliseconds.
	 *
	 * @default 1_200_000
	 */
	readonly timeout?: number;
	/**
	 * Milliseconds for which a final state must be seen before it counts: an instance that was just
	 * started again shows its old state for a while.
	 *
	 * @default the interval: two consecutive polls
	 */
	readonly hopelessAfter?: number;
};

/** Result of a poll. `waiting` and `unseen` are followed by others; the rest are final. */
export type StartWatchResult = {readonly waitedMs: number} & (
	| {
			readonly kind: 'waiting';
			/** The service's own word; undefined if it has none yet. */
			readonly state: string | undefined;
			/** Undefined if the instance was not found: a list may be stale. */
			readonly instance: Instance | undefined;
	  }
	/** The instance could not be read. Its start continues, and so does the watch. */
	| {readonly kind: 'unseen'; readonly error: unknown}
	| {readonly kind: 'running'; readonly instance: Instance}
	/** The instance will not run by itself: it was stopped, its container ended, or its host is gone. */
	| {readonly kind: 'never runs'; readonly state: string; readonly instance: Instance}
	| {readonly kind: 'gone'}
	| {readonly kind: 'timed out'}
);

type Show = (
	id: number,
	options: {readonly signal?: AbortSignal | undefined},
) => Promise<Instance | undefined>;

export type WatchTools = {
	readonly show: Show;
	readonly find: FindInstance;
	readonly time: Time;
};

/** Polls an instance in regular intervals until its start has an outcome. */
export async function* watchStart(
	{show, find, time}: WatchTools,
	id: number,
	{signal, interval = 10_000, timeout = 1_200_000, hopelessAfter = interval}: WatchOptions = {},
): AsyncGenerator<StartWatchResult, void> {
	const startedAt = time.now();
	let hopelessSince: number | undefined;
	for (;;) {
		const polledAt = time.now();
		const waitedMs = polledAt - startedAt;
		const result = await see(show, id, signal);
		hopelessSince = result.kind === 'hopeless' ? (hopelessSince ?? polledAt) : undefined;
		const lastedMs = polledAt - (hopelessSince ?? Number.POSITIVE_INFINITY);
		const isLate = lastedMs >= hopelessAfter;
		const isOver = await isProven(find, id, {result, isLate, signal});
		const watched = {...watchedAs(result, isOver), waitedMs};
		yield watched;
		if (watched.kind !== 'waiting' && watched.kind !== 'unseen') return;
		if (waitedMs >= timeout) {
			yield {kind: 'timed out', waitedMs};
			return;
		}
		await time.pause(Math.min(interval, timeout - waitedMs), signal);
	}
}

type Belief = {
	readonly result: PollResult;
	readonly isLate: boolean;
	readonly signal: AbortSignal | undefined;
};

/** True if a state counts: one in a record must have lasted, a missing record must be proven. */
async function isProven(
	find: FindInstance,
	id: number,
	{result, isLate, signal}: Belief,
): Promise<boolean> {
	if (!isLate || result.kind !== 'hopeless' || result.instance !== undefined) return isLate;
	try {
		return (await find({id, signal})).kind === 'gone';
	} catch {
		signal?.throwIfAborted();
		return false;
	}
}

type PollResult =
	| {readonly kind: 'unseen'; readonly error: unknown}
	| {readonly kind: 'running'; readonly instance: Instance}
	| {readonly kind: 'waiting'; readonly instance: Instance}
	/** Undefined if the instance is missing. */
	| {readonly kind: 'hopeless'; readonly instance: Instance | undefined};

async function see(show: Show, id: number, signal: AbortSignal | undefined): Promise<PollResult> {
	try {
		const instance = await show(id, {signal});
		if (instance === undefined) return {kind: 'hopeless', instance};
		return {kind: outlookOf(instance), instance};
	} catch (error) {
		signal?.throwIfAborted();
		return {kind: 'unseen', error};
	}
}

/** States that no instance leaves by itself. */
const hopeless: ReadonlySet<unknown> = new Set(['exited', 'unknown', 'offline']);

/** Prospect of an instance that should run; an unknown status counts as waiting. */
export function outlookOf(instance: Instance): 'running' | 'waiting' | 'hopeless' {
	const {actual_status: state, intended_status, cur_state, next_state} = instance;
	if (intended_status === 'stopped') return 'hopeless';
	if (state === 'running') return 'running';
	// An instance that waits for its GPUs starts when it gets them.
	if (cur_state === 'stopped' && next_state === 'running') return 'waiting';
	return hopeless.has(state) ? 'hopeless' : 'waiting';
}

type WithoutTime<Of> = Of extends unknown ? Omit<Of, 'waitedMs'> : never;

function watchedAs(result: PollResult, isOver: boolean): WithoutTime<StartWatchResult> {
	if (result.kind === 'unseen' || result.kind === 'running') return result;
	const {kind, instance} = result;
	const state = instance === undefined ? undefined : stateOf(instance);
	if (kind === 'waiting' || !isOver) return {kind: 'waiting', state, instance};
	return instance === undefined
		? {kind: 'gone'}
		: {kind: 'never runs', state: state ?? 'stopped', instance};
}

function stateOf({actual_status: state, intended_status}: Instance): string | undefined {
	return intended_status === 'stopped' ? 'stopped' : (state ?? undefined);
}

/** Finding the outcome of pending rents: after a lost reply, and on the next start. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {ApiError} from '../exchange/errors.ts';
import type {Journal} from '../journal/journal.ts';
import type {InstanceList} from '../nouns/instance-list.ts';
import {pauseBeforeList, type ListInstances, matchInstance, type Match} from './match-instance.ts';
import {areNone, doublesOf} from './doubles.ts';
import {
	discoveryOf,
	rentOutcomeOf,
	type RentOutcome,
	learn,
	type PendingRent,
	type RentState,
} from './pending-rent.ts';
import type {Time} from '../exchange/time.ts';
import type {PendingRents} from './pending-rents.ts';

export type Settling = {
	readonly readList: ListInstances;
	readonly book: PendingRents;
	readonly journal: Journal;
	readonly time: Time;
	/** Milliseconds since 1970 on the service's clock. */
	readonly serviceNow: () => number;
	readonly service: string;
	readonly profile: string;
	/** Called when the pending-rents file cannot be written. */
	readonly onTrouble: ((error: unknown) => void) | undefined;
	/** Pending rents that this process is settling, by token. */
	readonly underWay: Map<string, Promise<RentOutcome>>;
	/** Tokens of rents that this client made, and whose outcome is about to be reported. */
	readonly toReport: Set<string>;
};

/** Time after which an instance missing from complete lists was never created. */
export const LONGEST_SEARCH_MS = 30_000;

export function isOurs({service, profile}: Settling, pending: PendingRent): boolean {
	return pending.service === service && pending.profile === profile;
}

/** Returns the same outcome to all callers that settle one pending rent at a time. */
export async function track(
	{underWay}: Settling,
	token: string,
	act: () => Promise<RentOutcome>,
): Promise<RentOutcome> {
	const result = act();
	underWay.set(token, result);
	try {
		return await result;
	} finally {
		underWay.delete(token);
	}
}

/** Writes a new state, and returns the outcome. */
export async function conclude(
	{book, onTrouble}: Settling,
	pending: PendingRent,
	{state, error}: {readonly state: RentState; readonly error?: unknown},
): Promise<RentOutcome> {
	try {
		return rentOutcomeOf(await book.learn(pending, state), error);
	} catch (failure) {
		// The outcome is known nevertheless. The file still says that the rent was sent: the next
		// start searches again.
		onTrouble?.(failure);
		return rentOutcomeOf(learn(pending, state), error);
	}
}

/**
 * An outcome with the other instances in a list that were created, or may be, for the same order.
 */
export async function withDoubles(
	{book}: Settling,
	outcome: RentOutcome,
	{pending, instances}: {readonly pending: PendingRent; readonly instances: readonly Instance[]},
): Promise<RentOutcome> {
	if (outcome.outcome !== 'created') return outcome;
	const rent = {...pending, state: outcome.pending.state};
	const rents = await book.all().catch(() => []);
	const doubles = doublesOf(rent, instances, rents);
	return areNone(doubles) ? outcome : {...outcome, doubles};
}

/** Writes a new state, and journals it, because there was no reply. */
export async function discover(
	settling: Settling,
	pending: PendingRent,
	learned: {readonly state: RentState; readonly error?: unknown},
): Promise<RentOutcome> {
	const outcome = await conclude(settling, pending, learned);
	await settling.journal.answer(discoveryOf(outcome.pending));
	return outcome;
}

async function recogniseIn(
	settling: Settling,
	pending: PendingRent,
	instances: readonly Instance[],
): Promise<Match> {
	const others = (await settling.book.all()).filter(other => isOurs(settling, other));
	return matchInstance(pending, instances, others, settling.time.now());
}

/** Searches for a pending rent in a list only by its mark. */
export async function findInstanceWithMark(
	settling: Settling,
	pending: PendingRent,
	instances: readonly Instance[],
): Promise<RentOutcome | undefined> {
	const found = await recogniseIn(settling, pending, instances);
	if (found.kind !== 'found' || found.proof !== 'mark') return undefined;
	const state = createdAs(found, settling.time.now());
	const outcome = await discover(settling, pending, {state});
	return withDoubles(settling, outcome, {pending, instances});
}

export type Search = {
	/** The time the order was sent, or its reply was lost. */
	readonly since: number;
	readonly signal: AbortSignal | undefined;
	readonly error?: unknown;
};

/** Lists the instances until the outcome is known, or searching is useless. */
export async function searchInstance(
	settling: Settling,
	pending: PendingRent,
	{since, signal, error}: Search,
): Promise<RentOutcome> {
	const {time, readList} = settling;
	const startedAt = time.now();
	let trouble = error;
	let candidates: readonly number[] = [];
	for (let polls = 0, misses = 0; ; polls++) {
		const polledAt = time.now();
		try {
			const list = await readList(signal);
			const found = await recogniseIn(settling, pending, list.instances);
			if (found.kind === 'found') {
				const outcome = await discover(settling, pending, {state: createdAs(found, time.now())});
				return await withDoubles(settling, outcome, {pending, instances: list.instances});
			}
			candidates = found.kind === 'several' ? found.ids : [];
			misses = isMissing(found, list) ? misses + 1 : 0;
		} catch (failure) {
			signal?.throwIfAborted();
			trouble = failure;
			misses = 0;
			if (isHopeless(failure)) break;
		}
		// Two consecutive lists must agree: one may be stale.
		if (misses > 1 && polledAt - since >= LONGEST_SEARCH_MS) {
			return discover(settling, pending, {state: notFound(time.now(), error), error});
		}
		if (time.now() - startedAt >= LONGEST_SEARCH_MS && misses === 0) break;
		await time.pause(pauseBeforeList(polls), signal);
	}
	const state = {kind: 'unknown', at: time.now(), candidates} as const;
	return discover(settling, pending, {state, error: trouble});
}

/** True if a complete list lacks the instance: an incomplete one proves nothing. */
function isMissing({kind}: Match, {isWhole}: InstanceList): boolean {
	return kind === 'none' && isWhole;
}

/** Settles a pending rent that was left open, or not found. */
export async function settle(
	settling: Settling,
	pending: PendingRent,
	signal: AbortSignal | undefined,
): Promise<RentOutcome> {
	const {state} = pending;
	if (state.kind === 'created') return rentOutcomeOf(pending);
	// One that was given up has been looked for long enough: two lists more show if it has come.
	const since = state.kind === 'not created' ? pending.notedAt : state.at;
	return searchInstance(settling, pending, {since, signal});
}

function createdAs({id, proof}: Match & {readonly kind: 'found'}, at: number): RentState {
	return {kind: 'created', at, id, proof};
}

function notFound(at: number, error: unknown): RentState {
	const says = error instanceof Error ? error.message : undefined;
	return {kind: 'not created', at, why: 'not found', says};
}

/** True if the key may not list, and will not be allowed to within half a minute. */
function isHopeless(error: unknown): boolean {
	return error instanceof ApiError && (error.isKeyRefused || error.status === 403);
}

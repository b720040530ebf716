/** Acting on an instance until it shows: what a service accepts has not happened yet. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {ApiError, failureOf} from '../exchange/errors.ts';
import {pauseBeforeList, type FindInstance, type Presence, type Wanted} from './match-instance.ts';
import type {Time} from '../exchange/time.ts';

export type Patience = {
	readonly signal?: AbortSignal | undefined;
	/**
	 * Time to look for the effect of an accepted request.
	 * @default 60_000
	 */
	readonly timeoutMs?: number;
};

export type Change = Patience & {
	readonly id: number;
	/** When the instance was made, as it was seen before: another with its id is not asked for. */
	readonly madeAt: number | undefined;
	readonly act: () => Promise<unknown>;
	/** Asks once more where it was accepted together with others, and looks show the instance all the same. */
	readonly actAlone?: () => Promise<unknown>;
	/** True once the instance has reached the wanted state. */
	readonly isDone: (instance: Instance) => boolean;
};

export type ConfirmedChange =
	| {readonly kind: 'done'; readonly instance: Instance}
	/** Its record and a list of all instances say so. */
	| {readonly kind: 'gone'}
	/** It is not shown, and nothing proves that it is gone. */
	| {readonly kind: 'unlisted'; readonly isAccepted: boolean}
	/** There it is, and nothing has happened so far. */
	| {readonly kind: 'pending'; readonly instance: Instance; readonly isAccepted: boolean}
	| {readonly kind: 'refused'; readonly error: ApiError}
	/** It cannot be looked at. */
	| {readonly kind: 'unknown'; readonly error: unknown; readonly isAccepted: boolean};

/** Most requests where replies are lost and nothing happens. */
const MOST_TRIES = 3;

/** Looks after which what was accepted together with others is asked for alone: some eight seconds. */
const LOOKS_TOGETHER = 4;

type Acted =
	| {readonly kind: 'accepted' | 'not found' | 'lost'; readonly error?: unknown}
	| {readonly kind: 'refused'; readonly error: ApiError};

/** Asks for something once, and once more only where the answer was lost and a look shows that nothing happened. */
export async function changeAndConfirm(
	find: FindInstance,
	time: Time,
	change: Change,
): Promise<ConfirmedChange> {
	const {id, madeAt, signal, timeoutMs = 60_000} = change;
	let acted = await tryOnce(change);
	// What waited for its turn among many is looked for as long as what did not.
	const startedAt = time.now();
	let tries = 1;
	let {actAlone} = change;
	for (let looks = 0; ; looks++) {
		if (acted.kind === 'refused') return acted;
		const isAccepted = acted.kind !== 'lost';
		// Only the key of the account that holds an instance may end it.
		const isOurs = acted.kind === 'accepted';
		const seen = await see(find, {id, isOurs, signal});
		const end = endOf(seen, change);
		if (end !== undefined) return end;
		if (isMeant(seen, madeAt)) {
			if (!isAccepted && tries < MOST_TRIES) {
				acted = await tryOnce(change);
				tries += 1;
				continue;
			}
			if (actAlone !== undefined && looks >= LOOKS_TOGETHER) {
				// It was accepted before, whatever is said of it this time.
				await tryOnce({...change, act: actAlone});
				actAlone = undefined;
			}
		}
		if (time.now() - startedAt >= timeoutMs) return gaveUp(seen, isAccepted);
		await time.pause(pauseBeforeList(looks), signal);
	}
}

function endOf(seen: Seen, {madeAt, isDone}: Change): ConfirmedChange | undefined {
	if (seen.kind === 'gone') return {kind: 'gone'};
	if (seen.kind !== 'there') return undefined;
	const {instance} = seen;
	if (madeAt !== undefined && !isMeant(seen, madeAt)) return {kind: 'gone'};
	return isDone(instance) ? {kind: 'done', instance} : undefined;
}

/** True for the instance that was seen before: a service may give its id to a new one. */
function isMeant(seen: Seen, madeAt: number | undefined): boolean {
	if (seen.kind !== 'there') return false;
	const {start_date: shown} = seen.instance;
	if (typeof shown !== 'number') return true;
	// Records may be rounded to the second.
	return madeAt !== undefined && Math.abs(shown - madeAt) <= 1;
}

async function tryOnce({act, signal}: Change): Promise<Acted> {
	try {
		await act();
		return {kind: 'accepted'};
	} catch (error) {
		signal?.throwIfAborted();
		// It is not there: whether that is so, the looks will show.
		if (error instanceof ApiError && error.status === 404 && !error.isKeyRefused) {
			return {kind: 'not found', error};
		}
		if (error instanceof ApiError && failureOf(error) === 'refused')
			return {kind: 'refused', error};
		return {kind: 'lost', error};
	}
}

type Seen = Presence | {readonly kind: 'unseen'; readonly error: unknown};

async function see(find: FindInstance, wanted: Wanted): Promise<Seen> {
	try {
		return await find(wanted);
	} catch (error) {
		wanted.signal?.throwIfAborted();
		return {kind: 'unseen', error};
	}
}

function gaveUp(seen: Seen, isAccepted: boolean): ConfirmedChange {
	if (seen.kind === 'there') return {kind: 'pending', instance: seen.instance, isAccepted};
	if (seen.kind === 'unlisted') return {kind: 'unlisted', isAccepted};
	const error = seen.kind === 'unseen' ? seen.error : undefined;
	return {kind: 'unknown', error, isAccepted};
}

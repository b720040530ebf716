/** Changes of an instance, confirmed by polls: a service accepts a change before it happens. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {ApiError, classifyFailure} from '../exchange/errors.ts';
import {isSameStart} from '../nouns/instance-list.ts';
import {
	pauseBeforeList,
	type FindInstance,
	type Presence,
	type WantedInstance,
} from './match-instance.ts';
import type {Time} from '../exchange/time.ts';

export type ConfirmationOptions = {
	readonly signal?: AbortSignal | undefined;
	/**
	 * Time to poll for the effect of an accepted request.
	 * @default 60_000
	 */
	readonly timeoutMs?: number;
};

export type ChangeToConfirm = ConfirmationOptions & {
	readonly id: number;
	/** Start date of the instance as seen before: nothing is sent to a new one with the same id. */
	readonly madeAt: number | undefined;
	readonly act: () => Promise<unknown>;
	/** Sends the change alone, if it was accepted for several and polls show no effect. */
	readonly actAlone?: () => Promise<unknown>;
	/** True once the instance has reached the wanted state. */
	readonly isDone: (instance: Instance) => boolean;
};

export type ConfirmedChange =
	| {readonly kind: 'done'; readonly instance: Instance}
	/** The instance's record and a list of all instances agree. */
	| {readonly kind: 'gone'}
	/** The instance is not listed, but nothing proves that it is gone. */
	| {readonly kind: 'unlisted'; readonly isAccepted: boolean}
	/** The instance exists, and nothing has happened so far. */
	| {readonly kind: 'pending'; readonly instance: Instance; readonly isAccepted: boolean}
	| {readonly kind: 'refused'; readonly error: ApiError}
	/** The instance cannot be looked up. */
	| {readonly kind: 'unknown'; readonly error: unknown; readonly isAccepted: boolean};

/** Most requests while replies are lost and nothing happens. */
const MOST_TRIES = 3;

/** Polls after which a change accepted for several is sent alone: some eight seconds. */
const POLLS_TOGETHER = 4;

type Acted =
	| {readonly kind: 'accepted' | 'not found' | 'lost'; readonly error?: unknown}
	| {readonly kind: 'refused'; readonly error: ApiError};

/**
 * Sends a change once, and again only if the reply was lost and a poll shows that nothing happened.
 */
export async function changeAndConfirm(
	find: FindInstance,
	time: Time,
	change: ChangeToConfirm,
): Promise<ConfirmedChange> {
	const {id, madeAt, signal, timeoutMs = 60_000} = change;
	let acted = await tryOnce(change);
	// Time spent waiting to send does not count towards the timeout.
	const startedAt = time.now();
	let tries = 1;
	let {actAlone} = change;
	for (let polls = 0; ; polls++) {
		if (acted.kind === 'refused') return acted;
		const isAccepted = acted.kind !== 'lost';
		// Only the key of the account that holds an instance may end it.
		const isOurs = acted.kind === 'accepted';
		const result = await see(find, {id, isOurs, signal});
		const end = endOf(result, change.isDone);
		if (end !== undefined) return end;
		if (isMeant(result, madeAt)) {
			if (!isAccepted && tries < MOST_TRIES) {
				acted = await tryOnce(change);
				tries += 1;
				continue;
			}
			if (actAlone !== undefined && polls >= POLLS_TOGETHER) {
				// The change was already accepted, whatever this reply says.
				await tryOnce({...change, act: actAlone});
				actAlone = undefined;
			}
		}
		if (time.now() - startedAt >= timeoutMs) return gaveUp(result, isAccepted);
		await time.pause(pauseBeforeList(polls), signal);
	}
}

function endOf(result: PollResult, isDone: ChangeToConfirm['isDone']): ConfirmedChange | undefined {
	if (result.kind === 'gone') return {kind: 'gone'};
	if (result.kind !== 'there') return undefined;
	const {instance} = result;
	return isDone(instance) ? {kind: 'done', instance} : undefined;
}

/** True for the same instance as before: a service may reuse its id for a new one. */
function isMeant(result: PollResult, madeAt: number | undefined): boolean {
	if (result.kind !== 'there') return false;
	const {start_date: shown} = result.instance;
	return typeof shown !== 'number' || isSameStart(shown, madeAt);
}

async function tryOnce({act, signal}: ChangeToConfirm): Promise<Acted> {
	try {
		await act();
		return {kind: 'accepted'};
	} catch (error) {
		signal?.throwIfAborted();
		// A 404 proves nothing yet: the polls will show whether the instance is gone.
		if (error instanceof ApiError && error.status === 404 && !error.isKeyRefused) {
			return {kind: 'not found', error};
		}
		if (error instanceof ApiError && classifyFailure(error) === 'refused')
			return {kind: 'refused', error};
		return {kind: 'lost', error};
	}
}

type PollResult = Presence | {readonly kind: 'unseen'; readonly error: unknown};

async function see(find: FindInstance, wanted: WantedInstance): Promise<PollResult> {
	try {
		return await find(wanted);
	} catch (error) {
		wanted.signal?.throwIfAborted();
		return {kind: 'unseen', error};
	}
}

function gaveUp(result: PollResult, isAccepted: boolean): ConfirmedChange {
	if (result.kind === 'there') return {kind: 'pending', instance: result.instance, isAccepted};
	if (result.kind === 'unlisted') return {kind: 'unlisted', isAccepted};
	const error = result.kind === 'unseen' ? result.error : undefined;
	return {kind: 'unknown', error, isAccepted};
}

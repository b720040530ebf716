/** Acting on an instance until it shows: what a service accepts has not happened yet. */
import type {Instance} from '../../contract/instance-record.ts';
import {ApiError} from '../errors.ts';
import {pauseBeforeLook} from './lookout.ts';
import type {Look} from './lookout.ts';
import {failureOf} from '../lost-answer.ts';
import type {Time} from '../time.ts';

export type Patience = {
	readonly signal?: AbortSignal | undefined;
	/**
	 * How long to look for what was accepted.
	 *
	 * @default 60_000
	 */
	readonly timeoutMs?: number;
};

export type Deed = Patience & {
	readonly id: number;
	readonly act: () => Promise<unknown>;
	/** Whether it has happened to an instance that is there. */
	readonly isDone: (instance: Instance) => boolean;
};

export type Brought =
	| {readonly kind: 'done'; readonly instance: Instance}
	/** Two looks in a row did not find it: one list may have left it out. */
	| {readonly kind: 'gone'}
	/** There it is, and nothing has happened so far. */
	| {readonly kind: 'pending'; readonly instance: Instance; readonly isAccepted: boolean}
	| {readonly kind: 'refused'; readonly error: ApiError}
	/** It cannot be looked at. */
	| {readonly kind: 'unknown'; readonly error: unknown; readonly isAccepted: boolean};

/** How often it is asked for, where nobody answers and nothing happens. */
const MOST_TRIES = 3;

type Acted =
	| {readonly kind: 'accepted' | 'lost'; readonly error?: unknown}
	| {readonly kind: 'refused'; readonly error: ApiError};

/** Asks for something once, and once more only where the answer was lost and a look shows that nothing happened. */
export async function bringAbout(look: Look, time: Time, deed: Deed): Promise<Brought> {
	const {id, isDone, signal, timeoutMs = 60_000} = deed;
	let acted = await tryOnce(deed);
	// What waited for its turn among many is looked for as long as what did not.
	const startedAt = time.now();
	let tries = 1;
	for (let looks = 0, misses = 0; ; looks++) {
		if (acted.kind === 'refused') return acted;
		const isAccepted = acted.kind === 'accepted';
		const seen = await see(look, id, signal);
		misses = seen.kind === 'missing' ? misses + 1 : 0;
		if (misses > 1) return {kind: 'gone'};
		if (seen.kind === 'there') {
			const {instance} = seen;
			if (isDone(instance)) return {kind: 'done', instance};
			if (!isAccepted && tries < MOST_TRIES) {
				acted = await tryOnce(deed);
				tries += 1;
				continue;
			}
		}
		// What was missed once is looked for a second time.
		if (time.now() - startedAt >= timeoutMs && misses === 0) return gaveUp(seen, isAccepted);
		await time.pause(pauseBeforeLook(looks), signal);
	}
}

async function tryOnce({act, signal}: Deed): Promise<Acted> {
	try {
		await act();
		return {kind: 'accepted'};
	} catch (error) {
		signal?.throwIfAborted();
		// It is not there: whether that is so, the looks will show.
		if (error instanceof ApiError && error.status === 404) return {kind: 'accepted', error};
		if (error instanceof ApiError && failureOf(error) === 'refused')
			return {kind: 'refused', error};
		return {kind: 'lost', error};
	}
}

type Seen =
	| {readonly kind: 'there'; readonly instance: Instance}
	| {readonly kind: 'missing'}
	| {readonly kind: 'unseen'; readonly error: unknown};

async function see(look: Look, id: number, signal: AbortSignal | undefined): Promise<Seen> {
	try {
		const instance = (await look(signal)).find(listed => listed.id === id);
		return instance === undefined ? {kind: 'missing'} : {kind: 'there', instance};
	} catch (error) {
		signal?.throwIfAborted();
		return {kind: 'unseen', error};
	}
}

function gaveUp(seen: Seen, isAccepted: boolean): Brought {
	if (seen.kind === 'there') return {kind: 'pending', instance: seen.instance, isAccepted};
	const error = seen.kind === 'unseen' ? seen.error : undefined;
	return {kind: 'unknown', error, isAccepted};
}

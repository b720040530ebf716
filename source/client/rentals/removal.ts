/** Removal of instances, which counts only if the record and a list agree. */
import {randomUUID} from 'node:crypto';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	changeAndConfirm,
	type ConfirmedChange,
	type ConfirmationOptions,
} from './confirmed-change.ts';
import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import {ApiError, classifyFailure} from '../exchange/errors.ts';
import {refusingFailures} from '../exchange/refusal.ts';
import {inParts, instanceActionCalls} from '../nouns/instance-actions.ts';
import {failureAnswer} from '../journal/journalled.ts';
import type {Journal, JournalOutcome} from '../journal/journal.ts';
import type {FindInstance} from './match-instance.ts';
import type {Time} from '../exchange/time.ts';
import {hasStopped} from '../nouns/instance-list.ts';

export type Removal =
	| {readonly outcome: 'gone'}
	| {
			readonly outcome: 'still listed';
			/** The service accepted the request. */
			readonly isAccepted: boolean;
			readonly instance: Instance;
	  }
	| NotDone;

export type Halt =
	| {readonly outcome: 'stopped'; readonly instance: Instance}
	| {readonly outcome: 'gone'}
	| {
			readonly outcome: 'still running';
			readonly isAccepted: boolean;
			readonly instance: Instance;
	  }
	| NotDone;

type NotDone =
	/** The service does not list the instance, but nothing proves that it is gone. */
	| {readonly outcome: 'unlisted'; readonly isAccepted: boolean}
	/** The service refused: nothing has changed. */
	| {readonly outcome: 'refused'; readonly error: ApiError}
	/** The instances cannot be listed at present. */
	| {readonly outcome: 'unknown'; readonly isAccepted: boolean; readonly error: unknown};

export type RemovalTools = {
	readonly find: FindInstance;
	readonly startOf: (id: number) => number | undefined;
	readonly time: Time;
	readonly journal: Journal;
	/** Calls that are journalled here, not by the client. */
	readonly plainCall: CallEndpoint;
};

type Act = (id: number, options?: CallOptions) => Promise<unknown>;

/** An instance to destroy, and the evidence that justifies it. */
export type Removed = {readonly id: number; readonly evidence?: string | undefined};

export type RemovalOptions = ConfirmationOptions & {
	readonly evidence?: string | undefined;
};

export function removalCalls(call: CallEndpoint, tools: RemovalTools) {
	const {find, startOf, time, journal} = tools;
	const actions = instanceActionCalls(call);
	const stop: Act = async (id, options) => actions.stop(id, options);
	const destroy: Act = async (id, options) =>
		call(contract.instances.destroy, {params: {id}}, options);

	/** Makes the change, and journals the result of the polls. */
	async function end(
		id: number,
		{evidence, ...patience}: RemovalOptions,
		does: {readonly act: Act; readonly isDone: (instance: Instance) => boolean},
	): Promise<ConfirmedChange> {
		const request = randomUUID();
		const act = async () => does.act(id, {signal: patience.signal, note: {request, evidence}});
		const brought = await changeAndConfirm(find, time, {
			...patience,
			id,
			madeAt: startOf(id),
			act,
			isDone: does.isDone,
		});
		if (brought.kind !== 'refused') {
			await journal.answer({request, outcome: journalOutcomes[brought.kind]});
		}
		return brought;
	}

	async function remove(id: number, patience: RemovalOptions = {}): Promise<Removal> {
		return removalOf(await end(id, patience, {act: destroy, isDone: () => false}));
	}

	const removeTogether = together(destroy, tools);

	return {
		/** Destroys an instance, and polls until it is proven to be gone. */
		remove,
		/**
		 * Destroys several instances: by one call if the service has it, otherwise one by one. Each
		 * is polled until it is proven to be gone.
		 *
		 * @returns the removal of each, by its id
		 */
		removeAll(
			removals: readonly Removed[],
			patience: ConfirmationOptions = {},
		): (id: number) => Promise<Removal> {
			const all = new Map(
				inParts(removals).flatMap(part =>
					part.length === 1
						? part.map(({id, evidence}) => [id, remove(id, {...patience, evidence})] as const)
						: removeTogether(part, patience),
				),
			);
			return async id => all.get(id) ?? remove(id, patience);
		},
		/** Stops an instance, and polls until the service reports it as stopped. */
		async halt(id: number, patience: RemovalOptions = {}): Promise<Halt> {
			return haltOf(await end(id, patience, {act: stop, isDone: hasStopped}));
		},
	};
}

function together(destroy: Act, {find, startOf, time, journal, plainCall}: RemovalTools) {
	const actions = instanceActionCalls(refusingFailures(plainCall));

	/** One call for several instances, each with its own line in the journal. */
	async function sendTogether(
		part: ReadonlyArray<Removed & {readonly request: string}>,
		signal: AbortSignal | undefined,
	): Promise<void> {
		const journalAll = async (write: (one: (typeof part)[number]) => Promise<void>) =>
			Promise.all(part.map(write));
		await journalAll(async ({id, request, evidence}) =>
			journal.change({
				request,
				action: 'instances.destroy',
				target: id,
				...(evidence !== undefined && {evidence}),
			}),
		);
		try {
			await actions.destroyMany(
				part.map(({id}) => id),
				{signal},
			);
			await journalAll(async ({request}) => journal.answer({request, outcome: 'done'}));
		} catch (error) {
			const answer = failureAnswer(error);
			await journalAll(async ({request}) => journal.answer({request, ...answer}));
			throw error;
		}
	}

	return (
		removals: readonly Removed[],
		patience: ConfirmationOptions,
	): ReadonlyArray<readonly [id: number, removal: Promise<Removal>]> => {
		const part = removals.map(removed => ({...removed, request: randomUUID()}));
		const {signal} = patience;
		const sent = sendTogether(part, signal);
		const follow = async ({id, request, evidence}: (typeof part)[number]) => {
			const actAlone = async () => destroy(id, {signal, note: {request, evidence}});
			let first: Promise<void> | undefined = sent;
			const act = async () => {
				const answer = first;
				first = undefined;
				if (answer === undefined || !(await wasTaken(answer))) await actAlone();
			};
			const madeAt = startOf(id);
			const change = {...patience, id, madeAt, act, actAlone, isDone: () => false};
			const brought = await changeAndConfirm(find, time, change);
			if (brought.kind !== 'refused') {
				await journal.answer({request, outcome: journalOutcomes[brought.kind]});
			}
			return removalOf(brought);
		};
		return part.map(one => [one.id, follow(one)]);
	};
}

/**
 * True if a call for several instances was accepted; false if the service only accepts one at a
 * time.
 */
async function wasTaken(answer: Promise<void>): Promise<boolean> {
	try {
		await answer;
		return true;
	} catch (error) {
		const isRefused = error instanceof ApiError && classifyFailure(error) === 'refused';
		if (isRefused && !error.isKeyRefused) return false;
		throw error;
	}
}

function removalOf(brought: ConfirmedChange): Removal {
	switch (brought.kind) {
		case 'gone':
			return {outcome: 'gone'};
		case 'pending':
			return stillThere('still listed', brought);
		case 'done':
			return stillThere('still listed', {...brought, isAccepted: true});
		case 'refused':
		case 'unlisted':
		case 'unknown':
			return notDone(brought);
	}
}

function haltOf(brought: ConfirmedChange): Halt {
	switch (brought.kind) {
		case 'done':
			return {outcome: 'stopped', instance: brought.instance};
		case 'gone':
			return {outcome: 'gone'};
		case 'pending':
			return stillThere('still running', brought);
		case 'refused':
		case 'unlisted':
		case 'unknown':
			return notDone(brought);
	}
}

function stillThere<Outcome extends string>(
	outcome: Outcome,
	{isAccepted, instance}: {readonly isAccepted: boolean; readonly instance: Instance},
) {
	return {outcome, isAccepted, instance};
}

function notDone(
	brought: ConfirmedChange & {readonly kind: 'refused' | 'unlisted' | 'unknown'},
): NotDone {
	if (brought.kind === 'refused') return {outcome: 'refused', error: brought.error};
	if (brought.kind === 'unlisted') return {outcome: 'unlisted', isAccepted: brought.isAccepted};
	return {outcome: 'unknown', isAccepted: brought.isAccepted, error: brought.error};
}

const journalOutcomes = {
	done: 'seen',
	gone: 'gone',
	pending: 'not seen',
	unlisted: 'unknown',
	unknown: 'unknown',
} as const satisfies Record<Exclude<ConfirmedChange['kind'], 'refused'>, JournalOutcome>;

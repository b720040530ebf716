/** Ends of instances that are looked at: gone is said when the record and a list agree. */
import {randomUUID} from 'node:crypto';
import type {Instance} from '../../contract/instance-record.ts';
import {bringAbout} from './bringing-about.ts';
import type {Brought, Patience} from './bringing-about.ts';
import type {CallEndpoint} from '../call.ts';
import type {ApiError} from '../errors.ts';
import {instanceActionCalls} from '../nouns/instance-actions.ts';
import type {Journal, JournalOutcome} from '../journal/journal.ts';
import type {FindInstance} from './presence.ts';
import type {Time} from '../time.ts';
import {hasStopped} from './stopped.ts';

export type Removal =
	| {readonly outcome: 'gone'}
	| {
			readonly outcome: 'still listed';
			/** Whether the service said that it will be done. */
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
	/** The service does not show it, and nothing proves that it is gone. */
	| {readonly outcome: 'unlisted'; readonly isAccepted: boolean}
	/** The service said no: nothing has changed. */
	| {readonly outcome: 'refused'; readonly error: ApiError}
	/** The instances cannot be listed at present. */
	| {readonly outcome: 'unknown'; readonly isAccepted: boolean; readonly error: unknown};

export type RemovalTools = {
	readonly find: FindInstance;
	readonly time: Time;
	readonly journal: Journal;
};

export type RemovalOptions = Patience & {
	/** Evidence for which it is done: a few words for the journal. */
	readonly evidence?: string | undefined;
};

export function removalCalls(call: CallEndpoint, {find, time, journal}: RemovalTools) {
	const actions = instanceActionCalls(call);

	/** Does it, and has the journal say what was seen of it. */
	async function end(
		id: number,
		{evidence, ...patience}: RemovalOptions,
		does: {readonly act: typeof actions.destroy; readonly isDone: (instance: Instance) => boolean},
	): Promise<Brought> {
		const request = randomUUID();
		const act = async () => does.act(id, {signal: patience.signal, note: {request, evidence}});
		const brought = await bringAbout(find, time, {...patience, id, act, isDone: does.isDone});
		if (brought.kind !== 'refused') {
			await journal.answer({request, outcome: seenAs[brought.kind]});
		}
		return brought;
	}

	return {
		/** Destroys an instance, and looks until it is proven to be gone. */
		async remove(id: number, patience: RemovalOptions = {}): Promise<Removal> {
			const brought = await end(id, patience, {act: actions.destroy, isDone: () => false});
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
		},
		/** Stops an instance, and looks until the service says that it has stopped. */
		async halt(id: number, patience: RemovalOptions = {}): Promise<Halt> {
			const brought = await end(id, patience, {
				act: async (of, options) => actions.stop(of, options),
				isDone: hasStopped,
			});
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
		},
	};
}

function stillThere<Outcome extends string>(
	outcome: Outcome,
	{isAccepted, instance}: {readonly isAccepted: boolean; readonly instance: Instance},
) {
	return {outcome, isAccepted, instance};
}

function notDone(brought: Brought & {readonly kind: 'refused' | 'unlisted' | 'unknown'}): NotDone {
	if (brought.kind === 'refused') return {outcome: 'refused', error: brought.error};
	if (brought.kind === 'unlisted') return {outcome: 'unlisted', isAccepted: brought.isAccepted};
	return {outcome: 'unknown', isAccepted: brought.isAccepted, error: brought.error};
}

const seenAs = {
	done: 'seen',
	gone: 'gone',
	pending: 'not seen',
	unlisted: 'unknown',
	unknown: 'unknown',
} as const satisfies Record<Exclude<Brought['kind'], 'refused'>, JournalOutcome>;

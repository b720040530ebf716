/** Ends of instances that are looked at: gone is what the service lists no longer. */
import {randomUUID} from 'node:crypto';
import type {Instance} from '../../contract/instance-record.ts';
import {bringAbout} from './bringing-about.ts';
import type {Brought, Patience} from './bringing-about.ts';
import type {CallEndpoint} from '../call.ts';
import type {ApiError} from '../errors.ts';
import {instanceActionCalls} from '../nouns/instance-actions.ts';
import type {Journal, JournalOutcome} from '../journal/journal.ts';
import type {Look} from './lookout.ts';
import type {Time} from '../time.ts';

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
	/** The service said no: nothing has changed. */
	| {readonly outcome: 'refused'; readonly error: ApiError}
	/** The instances cannot be listed at present. */
	| {readonly outcome: 'unknown'; readonly isAccepted: boolean; readonly error: unknown};

export type RemovalTools = {readonly look: Look; readonly time: Time; readonly journal: Journal};

export function removalCalls(call: CallEndpoint, {look, time, journal}: RemovalTools) {
	const actions = instanceActionCalls(call);

	/** Does it, and has the journal say what was seen of it. */
	async function end(
		id: number,
		patience: Patience,
		does: {readonly act: typeof actions.destroy; readonly isDone: (instance: Instance) => boolean},
	): Promise<Brought> {
		const request = randomUUID();
		const act = async () => does.act(id, {signal: patience.signal, note: {request}});
		const brought = await bringAbout(look, time, {...patience, id, act, isDone: does.isDone});
		if (brought.kind !== 'refused') {
			await journal.answer({request, outcome: seenAs[brought.kind]});
		}
		return brought;
	}

	return {
		/** Destroys an instance, and looks until the service lists it no longer. */
		async remove(id: number, patience: Patience = {}): Promise<Removal> {
			const brought = await end(id, patience, {act: actions.destroy, isDone: () => false});
			switch (brought.kind) {
				case 'gone':
					return {outcome: 'gone'};
				case 'pending':
					return stillThere('still listed', brought);
				case 'done':
					return stillThere('still listed', {...brought, isAccepted: true});
				case 'refused':
				case 'unknown':
					return notDone(brought);
			}
		},
		/** Stops an instance, and looks until the service says that it has stopped. */
		async halt(id: number, patience: Patience = {}): Promise<Halt> {
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
				case 'unknown':
					return notDone(brought);
			}
		},
	};
}

/** Whether its GPUs are given back, so that it costs no more than its disk. */
export function hasStopped({cur_state, intended_status, actual_status}: Instance): boolean {
	if (intended_status === 'running') return false;
	// A service that does not say who has the GPUs says at least what the container does.
	if (typeof cur_state === 'string') return cur_state !== 'running';
	return actual_status === 'exited' || actual_status === 'stopped';
}

function stillThere<Outcome extends string>(
	outcome: Outcome,
	{isAccepted, instance}: {readonly isAccepted: boolean; readonly instance: Instance},
) {
	return {outcome, isAccepted, instance};
}

function notDone(brought: Brought & {readonly kind: 'refused' | 'unknown'}): NotDone {
	if (brought.kind === 'refused') return {outcome: 'refused', error: brought.error};
	return {outcome: 'unknown', isAccepted: brought.isAccepted, error: brought.error};
}

const seenAs = {
	done: 'seen',
	gone: 'gone',
	pending: 'not seen',
	unknown: 'unknown',
} as const satisfies Record<Exclude<Brought['kind'], 'refused'>, JournalOutcome>;

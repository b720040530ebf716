/** Sentences about a pending rent, for the renter and for the journal. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {PendingRent} from './pending-rent.ts';

/** Outcome of a pending rent. A refusal by the service is an ApiError instead. */
export type RentOutcome =
	| {
			readonly outcome: 'created';
			readonly id: number;
			readonly pending: PendingRent;
			/** The key of the instance itself, which the service says once and nobody keeps. */
			readonly key?: string | undefined;
			/** Others that the service has made for the same order. */
			readonly doubles?: readonly Instance[];
	  }
	| {
			readonly outcome: 'not created';
			/** Nobody was reached; or the answer was lost, and no instance was found. */
			readonly why: 'never sent' | 'not found' | 'refused';
			readonly pending: PendingRent;
			readonly error: unknown;
	  }
	| {
			/** The instances cannot be listed, or several could be it. */
			readonly outcome: 'unknown';
			readonly candidates: readonly number[];
			readonly pending: PendingRent;
			readonly error: unknown;
	  };

export function outcomeOf(pending: PendingRent, error?: unknown): RentOutcome {
	const {state} = pending;
	switch (state.kind) {
		case 'created':
			return {outcome: 'created', id: state.id, pending};
		case 'not created':
			return {outcome: 'not created', why: state.why, pending, error};
		case 'unknown':
			return {outcome: 'unknown', candidates: state.candidates, pending, error};
		case 'sent':
			return {outcome: 'unknown', candidates: [], pending, error};
	}
}

/** Outcome of a lookup as a journal entry. */
export function discoveryOf({token: request, state}: PendingRent) {
	switch (state.kind) {
		case 'created':
			return {request, outcome: 'found', instance: state.id} as const;
		case 'not created':
			return {request, outcome: state.why} as const;
		case 'unknown':
		case 'sent':
			return {request, outcome: 'unknown'} as const;
	}
}

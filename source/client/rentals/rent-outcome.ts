/** What is said of a wish: to whoever rents, and to the journal. */
import type {Wish} from './wishes.ts';

/** What became of a wish. What the service refuses is an ApiError instead. */
export type RentOutcome =
	| {
			readonly outcome: 'created';
			readonly id: number;
			readonly wish: Wish;
			/** The key of the instance itself, which the service says once and nobody keeps. */
			readonly key?: string | undefined;
	  }
	| {
			readonly outcome: 'not created';
			/** Nobody was reached; or the answer was lost, and no instance was found. */
			readonly why: 'never sent' | 'not found' | 'refused';
			readonly wish: Wish;
			readonly error: unknown;
	  }
	| {
			/** The instances cannot be listed, or several could be it. */
			readonly outcome: 'unknown';
			readonly candidates: readonly number[];
			readonly wish: Wish;
			readonly error: unknown;
	  };

export function outcomeOf(wish: Wish, error?: unknown): RentOutcome {
	const {state} = wish;
	switch (state.kind) {
		case 'created':
			return {outcome: 'created', id: state.id, wish};
		case 'not created':
			return {outcome: 'not created', why: state.why, wish, error};
		case 'unknown':
			return {outcome: 'unknown', candidates: state.candidates, wish, error};
		case 'sent':
			return {outcome: 'unknown', candidates: [], wish, error};
	}
}

/** What was found out by looking, for the journal. */
export function discoveryOf({token: request, state}: Wish) {
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

/** Interprets a failed call: may the service have acted? */
import {ApiError, MarketError} from './errors.ts';

/**
 * `refused`: the service said no, and did nothing. `never sent`: it did not hear of it. `lost`: it
 * may have acted, or may do so still.
 */
export type Failure = 'refused' | 'never sent' | 'lost';

export function failureOf(error: unknown): Failure {
	if (!(error instanceof MarketError) || error.mayHaveActed) return 'lost';
	if (!(error instanceof ApiError)) return 'never sent';
	// Who is sent elsewhere after the change is told so in the same way as before it.
	return error.status >= 300 && error.status <= 399 ? 'lost' : 'refused';
}

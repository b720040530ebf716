/** Sentences of `rentty rent` about the outcome of an order. */
import {ReplyError} from '../client/exchange/errors.ts';
import type {RentOutcome} from '../client/rentals/rent-outcome.ts';
import {sentence} from '../renter/text/format.ts';
import {CommandError, exitCodeOf, exitCodes, failureMessage} from './failure.ts';

type Created = Extract<RentOutcome, {outcome: 'created'}>;
type Unknown = Extract<RentOutcome, {outcome: 'unknown'}>;

/** @throws CommandError where there is no instance, or nobody knows */
export function createdOf(outcome: RentOutcome): Created {
	switch (outcome.outcome) {
		case 'created':
			return outcome;
		case 'not created': {
			const {why, error} = outcome;
			const message =
				why === 'never sent'
					? failureMessage(error)
					: 'The answer was lost, and no such instance was found. It is safe to try again';
			const code = why === 'not found' ? exitCodes.timedOut : exitCodeOf(error);
			throw new CommandError(code, message, {cause: error});
		}
		case 'unknown':
			throw new CommandError(exitCodes.timedOut, unknownText(outcome), {cause: outcome.error});
	}
}

function unknownText({candidates, error, pending}: Unknown): string {
	const why = error instanceof ReplyError ? ` ${sentence(capitalised(error.why))}` : '';
	const [one, ...others] = candidates;
	const several = `One of ${candidates.join(', ')} may be it.`;
	const found = one === undefined ? '' : ` ${others.length > 0 ? several : `${one} may be it.`}`;
	return `It is not known whether ${pending.offerId} was rented.${why}${found} Nothing was destroyed. Do not rent again before rentty ps shows it.`;
}

function capitalised(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}

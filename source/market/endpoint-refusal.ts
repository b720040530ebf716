/** Refusals to create an instance: with the offer's number, and a number for the reason. */
import {refusals} from '../contract/errors.ts';
import {Refusal} from './refusal.ts';

/** Refusal in the form for creating instances; other errors as they are. */
export function creationRefusal(error: unknown, askId: string | undefined): unknown {
	if (!(error instanceof Refusal)) return error;
	// Here, a key that may not is told the same as a host whose offer it is not.
	const reason = error.reason === 'lacksPermission' ? 'notYours' : error.reason;
	const words = refusals[reason];
	if (!('number' in words)) return error;
	const text = `error ${words.status}/${words.number}: ${error.message}`;
	const ask_id = askId !== undefined && /^\d{1,15}$/.test(askId) ? Number(askId) : null;
	return new Refusal(reason, text, {fields: {ask_id}, cause: error});
}

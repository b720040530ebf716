/** How the making of an instance is refused: with the offer's number, and a number for the reason. */
import {refusals} from '../contract/errors.ts';
import {Refusal} from './refusal.ts';

/** What was thrown, in these words where it is a refusal that has a number. */
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

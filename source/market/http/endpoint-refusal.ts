/** Refusals in the forms that some endpoints have of their own. */
import type {Endpoint} from '../../contract/grammar/endpoint.ts';
import {refusals} from '../../contract/grammar/errors.ts';
import {Refusal} from '../base/refusal.ts';

/** Refusal in the form of an endpoint; other errors as they are. `id` is what the path names. */
export function endpointRefusal(
	error: unknown,
	{refusesAs}: Pick<Endpoint, 'refusesAs'>,
	id: string | undefined,
): unknown {
	if (!(error instanceof Refusal) || refusesAs === undefined) return error;
	return refusesAs === 'creation' ? creationRefusal(error, id) : billingRefusal(error);
}

/** To create an instance: with the offer's number, and a number for the reason. */
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

/** Of bills: who calls without a key that is known gets statuses of their own. */
function billingRefusal(error: Refusal): Refusal {
	const reasons = {loginRequired: 'billsWithoutKey', unknownKey: 'billsOfNobody'} as const;
	const {reason} = error;
	if (reason !== 'loginRequired' && reason !== 'unknownKey') return error;
	return new Refusal(reasons[reason], error.message, {cause: error});
}

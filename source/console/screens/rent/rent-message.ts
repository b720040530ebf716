/**
 * Message about a failed rental: what happened, why, the state of the user's money, and advice.
 */
import {messageOf, statusOf} from '../../../contract/rules/thrown.ts';
import {isRecord} from '../../../contract/grammar/json.ts';
import type {OrderRefusal} from '../../../renter/orders/agreed-order.ts';
import {isKeyRefused} from '../../../client/exchange/errors.ts';
import type {RentOutcome} from '../../../client/rentals/pending-rent.ts';
import {sentence} from '../../../renter/text/format.ts';
import {findRefusedFormField} from '../../../renter/orders/order-table.ts';
import {notRentedText} from '../../../renter/orders/repeated-rents.ts';

export type RentMessage = {
	readonly title: string;
	/** Reason, the state of the user's money, and advice: a sentence each. */
	readonly lines: readonly string[];
	/** Service's own words; shown on demand. */
	readonly serverSays: string | undefined;
	readonly field?: string | undefined;
};

/** Failed call in its own words, for any class of error. */
export type CallFailure = OrderRefusal & {readonly message: string};

export function readCallFailure(error: unknown): CallFailure {
	const fields = isRecord(error) ? error : {};
	return {
		message: messageOf(error),
		status: statusOf(error),
		code: knownText(fields['code']),
		serverSays: knownText(fields['serverSays']),
		isKeyRefused: isKeyRefused(error),
	};
}

function knownText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

const CREATED = 'Nothing was created, nothing is charged.';

/** Message about an offer that is gone, before or after the order. */
export function goneMessage(offerId: number, failure?: CallFailure): RentMessage {
	const serverSays = failure && (failure.serverSays ?? failure.message);
	if (failure?.status === 410) {
		return {
			title: `The machine could not start offer ${offerId} right now, so the rent was cancelled as you asked.`,
			lines: [CREATED, 'e allows waiting (cancel: no) if you would rather queue.'],
			serverSays,
			field: 'cancel',
		};
	}
	const sent = failure === undefined ? 'Nothing was sent, nothing is charged.' : CREATED;
	return {
		title: `Offer ${offerId} is gone.`,
		lines: [`Someone else took it or it was unlisted. ${sent}`],
		serverSays,
	};
}

/** Message about a limit that the rent would pass with what was rented since its review. */
export function limitPassedMessage({message}: Error): RentMessage {
	return {
		title: 'Something else was rented meanwhile.',
		lines: [message, 'Nothing was sent, nothing is charged.'],
		serverSays: undefined,
	};
}

export function refusedMessage(failure: CallFailure): RentMessage {
	const {status, code, message} = failure;
	const serverSays = failure.serverSays ?? message;
	const field = findRefusedFormField(failure.serverSays ?? '');
	const tell = (title: string, ...lines: readonly string[]) => ({title, lines, serverSays, field});
	if (failure.isKeyRefused) {
		return tell(
			'The key is not accepted any more.',
			'It was deleted or reset, or mistyped.',
			'Nothing was created. Running instances are not affected and keep charging.',
			'6 opens Profiles; e goes back to the form.',
		);
	}
	if (status === 403) {
		return tell(
			"This key may not create instances, or the offer is a host's own.",
			CREATED,
			'Another key helps: 6 opens Profiles; e goes back to the form.',
		);
	}
	if (status === 429) {
		return tell(
			'The service wants fewer calls, and did not take this one.',
			CREATED,
			'e goes back to the form; Enter there tries again.',
		);
	}
	if (code === 'no_ssh_key_for_vm') {
		const title = 'A VM needs a registered SSH key before it is rented; there is no way in later.';
		return {...tell(title, CREATED, '4 opens Keys; e goes back to the form.'), field: 'vm'};
	}
	if (code === 'invalid_price') {
		return {...tell('The service refused the bid.', CREATED, 'e edits the bid.'), field: 'price'};
	}
	const title =
		code === undefined ? sentence(message) : `The service refused the request: ${code}.`;
	const why = field === undefined ? 'It did not say which field.' : `It is about ${field}.`;
	const what = 'Enter shows what we sent and its answer; y copies both without secrets.';
	return tell(title, `${why} ${CREATED}`, `${what} e goes back to the form.`);
}

type NotCreated = Extract<RentOutcome, {readonly outcome: 'not created'}>;

/** Message about a rent whose instance was searched for and not found. */
export function notCreatedMessage(
	{why, error}: Pick<NotCreated, 'why' | 'error'>,
	offerId: number,
): RentMessage {
	const serverSays = error instanceof Error ? error.message : undefined;
	if (why === 'never sent') {
		return {
			title: 'The service was not reached.',
			lines: [`Nothing was sent, nothing is charged.`, 'e goes back to the form.'],
			serverSays,
		};
	}
	return {
		title: `The answer was lost, and no instance of offer ${offerId} was found for half a minute.`,
		lines: [
			`It ${notRentedText(why)}`,
			'e goes back to the form, with that order; another order may be a second instance.',
		],
		serverSays,
	};
}

type Unknown = Extract<RentOutcome, {readonly outcome: 'unknown'}>;

export function unknownOutcomeMessage({candidates, error}: Unknown, offerId: number): RentMessage {
	const several = candidates.length > 0 ? ` It may be one of ${candidates.join(', ')}.` : '';
	return {
		title: `We do not know if ${offerId} was rented.`,
		lines: [
			`${whyUnknown(error)}${several}`,
			'It may be charged. Do not rent again yet.',
			'R looks again; 2 shows your instances. The next start of rentty looks, too.',
		],
		serverSays: error instanceof Error ? error.message : undefined,
	};
}

function whyUnknown(error: unknown): string {
	const why =
		isRecord(error) && error['name'] === 'ReplyError' ? knownText(error['why']) : undefined;
	if (why === undefined) return 'The answer was lost, and the instances cannot be compared.';
	return sentence(why.slice(0, 1).toUpperCase() + why.slice(1));
}

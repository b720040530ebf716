/** Sends the order of `rentty rent` to one offer after the other, until one is rented. */
import type {Client} from '../../client/client.ts';
import {ApiError, ReplyError} from '../../client/exchange/errors.ts';
import type {Doubles, PendingRent, RentOutcome} from '../../client/rentals/pending-rent.ts';
import type {PresentRentals} from '../../client/rentals/renting.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {agreedOrder, isTaken} from '../../renter/orders/agreed-order.ts';
import {doublesText} from '../../renter/orders/doubles.ts';
import {notRentedText} from '../../renter/orders/repeated-rents.ts';
import {sentence} from '../../renter/text/format.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import type {Context} from '../base/command.ts';
import {CommandError, exitCodeOf, exitCodes, failureMessage} from '../base/failure.ts';
import type {Rented} from './follow-rental.ts';
import {NOTHING, hourlyPriceOf} from './checks.ts';
import type {Candidates} from './offers.ts';
import type {RentOrder} from './order.ts';
import {limitsAtRent} from '../leases/spending-limits.ts';

type Created = Extract<RentOutcome, {outcome: 'created'}>;
type Unknown = Extract<RentOutcome, {outcome: 'unknown'}>;

/** @throws CommandError if no instance was created, or that is unknown */
function createdOf(outcome: RentOutcome): Created {
	switch (outcome.outcome) {
		case 'created':
			return outcome;
		case 'not created': {
			const {why, error, pending} = outcome;
			const message =
				why === 'never sent'
					? failureMessage(error)
					: `The answer was lost, and no such instance was found. Offer ${pending.offerId} ${notRentedText(why)}`;
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

/** An offer that another program is renting from here. */
class RentedHere extends Error {
	override readonly name = 'RentedHere';
}

export type RentedOffer = Rented & {
	readonly offer: Offer;
	readonly key: string | undefined;
	readonly doubles: Doubles | undefined;
};

type Sending = {
	readonly candidates: Candidates;
	readonly order: RentOrder;
	/** An earlier rent by the same order that may still arrive. */
	readonly again: PendingRent | undefined;
};

/** Tries one offer after the other, the next only if no instance was created. */
export async function rentFirst(
	context: Context,
	client: Client,
	{candidates, order, again}: Sending,
): Promise<RentedOffer> {
	const {output} = context;
	let refusal: unknown;
	/** Rents from here that were sent since the search, by any program. */
	let since: readonly PendingRent[] = [];
	const otherRents = ({others}: PresentRentals) => {
		since = others.filter(candidates.isSince);
		return since;
	};
	for (let offer = candidates.next(); offer !== undefined; offer = candidates.next()) {
		try {
			// oxlint-disable-next-line no-await-in-loop -- never two at once
			return await rentOffer(context, client, {offer, order, again, otherRents: otherRents});
		} catch (error) {
			// Rents by the same words, sent at the same time, take other offers.
			if (error instanceof RentedHere) continue;
			if (!(error instanceof ApiError) || !isTaken(error)) throw error;
			refusal = error;
			if (candidates.offers.length > 1) output.say(`rentty: Offer ${offer.id} is gone.`);
			// A rent from here took the machine meanwhile: not a failed try.
			const {machine_id: machine} = offer;
			const isOurs = since.some(({machineId}) => machineId !== undefined && machineId === machine);
			if (!isOurs && !candidates.noteGone()) break;
		}
	}
	const why = await candidates.whyNone();
	throw new CommandError(exitCodes.notFound, `${why} ${NOTHING}`, {cause: refusal});
}

type One = Pick<Sending, 'order' | 'again'> & {
	readonly offer: Offer;
	/** Rents from here that were sent since the search. */
	readonly otherRents: (beside: PresentRentals) => readonly PendingRent[];
};

async function rentOffer(
	context: Context,
	client: Client,
	{offer, order, again, otherRents}: One,
): Promise<RentedOffer> {
	const {signal, output} = context;
	const onDoubt = () =>
		output.say(
			'rentty: The answer was lost. Looking whether it was rented, which may take half a minute.',
		);
	const perHour = hourlyPriceOf(offer, order);
	const agreed = agreedOrder({...order, offer, perHour});
	const hold = limitsAtRent(context, {perHour, label: shownLabel(order.creation.label.value)});
	const mayRent = (beside: PresentRentals) => {
		if (otherRents(beside).some(({offerId}) => offerId === offer.id)) throw new RentedHere();
		hold(beside);
	};
	const options = {signal, onDoubt, agreed, again, mayRent};
	const outcome = await client.instances.rent(offer, order.order, options);
	const {id, pending, key, doubles} = createdOf(outcome);
	const twice = doubles && doublesText(doubles);
	if (twice !== undefined) output.say(`rentty: ${twice}`);
	return {id, pending, offer, key, doubles};
}

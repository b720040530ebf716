/** Sends the order once, after yes, and finds out its outcome. */
import type {PendingRent, RentOutcome} from '../../../client/rentals/pending-rent.ts';
import {agreedOrder, isTaken} from '../../../renter/orders/agreed-order.ts';
import {unlikeText} from '../../../renter/orders/instance-comparisons.ts';
import {pricePerHour, sentence} from '../../../renter/text/format.ts';
import type {Reviewed, Renting} from './rent-state.ts';
import {showGone} from './reviewing.ts';
import {failureOf, tellNotCreated, tellRefused, tellUnknown} from './rent-message.ts';
import {noteRental} from '../../../renter/actions/replacement.ts';
import {armBoot} from '../../../renter/actions/stuck-boots.ts';

/** Sends what was reviewed. Nothing else can be sent until it is known what became of it. */
export async function send(renting: Renting, reviewed: Reviewed): Promise<void> {
	const {rent, services} = renting;
	const {phase} = rent;
	if (phase.get().kind !== 'review') return;
	phase.set({kind: 'sending', reviewed, isInDoubt: false, isWarned: false});
	try {
		const client = await services.client();
		const {priced, preview, lease} = reviewed;
		// Its time begins with the rental, and not with the look at the review.
		const {order, creation} = lease?.at(client.clock.now() / 1000) ?? {...preview, ...reviewed};
		const {offer} = priced;
		const {cost} = preview;
		const outcome = await client.instances.rent(offer, order, {
			agreed: agreedOrder({offer, order, creation, perHour: cost.running}),
			onDoubt() {
				const present = phase.get();
				if (present.kind === 'sending') phase.set({...present, isInDoubt: true});
			},
		});
		await conclude(renting, outcome, reviewed);
	} catch (error) {
		const failure = failureOf(error);
		if (isTaken(failure)) await showGone(renting, failure);
		else phase.set({kind: 'refused', message: tellRefused(failure)});
	}
}

async function conclude(renting: Renting, outcome: RentOutcome, reviewed: Reviewed): Promise<void> {
	const {phase, facts} = renting.rent;
	const {offer} = facts.get();
	facts.set({...facts.get(), isInDoubt: outcome.outcome === 'unknown'});
	switch (outcome.outcome) {
		case 'created':
			return land(renting, outcome, reviewed);
		case 'not created':
			return phase.set({kind: 'refused', message: tellNotCreated(outcome, offer.id)});
		case 'unknown': {
			const message = tellUnknown(outcome, offer.id);
			return phase.set({kind: 'unknown', message, pending: outcome.pending, reviewed});
		}
	}
}

/** Looks once more for an instance of which it is not known whether there is one. */
export async function lookAgain(
	renting: Renting,
	{pending, reviewed}: {readonly pending: PendingRent; readonly reviewed: Reviewed},
): Promise<void> {
	const {rent, services, say} = renting;
	say({text: 'Looking for it, half a minute at most.', isError: false});
	try {
		const client = await services.client();
		const outcome = await client.pendingRents.settle(pending);
		if (rent.phase.get().kind === 'unknown') await conclude(renting, outcome, reviewed);
		if (outcome.outcome === 'unknown') say({text: 'It is still not known.', isError: true});
	} catch (error) {
		say({text: sentence(failureOf(error).message), isError: true});
	}
}

type Created = Extract<RentOutcome, {readonly outcome: 'created'}>;

/** For so long the list may take to show what was rented; then it is gone to all the same. */
const LISTED_MS = 3000;

/** Goes to the instance, which is watched there. */
async function land(
	{rent, services, router, place, say}: Renting,
	created: Created,
	{preview, order, priced}: Reviewed,
): Promise<void> {
	const {id, doubles = []} = created;
	const cost = preview.cost.allIn;
	const price = cost === undefined ? '' : ` for ${pricePerHour(cost)}`;
	const more = await noteRental(services, created, {...priced, order, perHour: cost});
	await Promise.race([
		services.fleet.refresh().catch(() => undefined),
		new Promise<void>(resolve => services.time.timers.after(LISTED_MS, resolve)),
	]);
	armBoot(services, id, {values: preview.values, facts: rent.facts.get()});
	if (router.stack.get().at(-1) === place) router.replace({name: 'instance', id});
	else rent.phase.set({kind: 'created', id});
	const unlike = services.renting.orders.get().get(id);
	const how = unlike === undefined ? `${price}.` : `. ${unlikeText(unlike)} x destroys it.`;
	const isError = unlike !== undefined || doubles.length > 0;
	say({text: `Rented: instance ${id}${how}${more}`, isError});
}

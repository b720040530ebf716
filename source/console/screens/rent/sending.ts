/** Sends the order once, after yes, and finds out its outcome. */
import type {RentOutcome} from '../../../client/rentals/rent-outcome.ts';
import type {PendingRent} from '../../../client/rentals/pending-rent.ts';
import {agreedOrder} from '../../../renter/orders/agreed-order.ts';
import {doublesText} from '../../../renter/orders/doubles.ts';
import {isTaken} from '../../../renter/orders/order-refusal.ts';
import {unlikeText} from '../../../renter/orders/instance-comparisons.ts';
import {pricePerHour, sentence} from '../../../renter/text/format.ts';
import {tellKey} from '../../../renter/nouns/instance-keys.ts';
import type {Reviewed, Renting} from './rent-state.ts';
import {showGone} from './reviewing.ts';
import {failureOf, tellNotCreated, tellRefused, tellUnknown} from './rent-message.ts';
import type {Client} from '../../../client/client.ts';
import type {Services} from '../../services/services.tsx';
import {evidenceFor} from '../../../renter/fleet/sweepable.ts';
import type {RentFacts} from '../../../renter/orders/rent-facts.ts';
import {rentReplacement, orderedInstance, bootOf} from '../../../renter/orders/replacement.ts';
import {urlOf} from '../../../renter/profiles/target.ts';
import type {Preview} from '../../../renter/orders/preview.ts';

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
	{id, key, pending, doubles}: Created,
	{preview, order, priced}: Reviewed,
): Promise<void> {
	const cost = preview.cost.allIn;
	const price = cost === undefined ? '' : ` for ${pricePerHour(cost)}`;
	const aboutKey = key === undefined ? '' : await tellKey(services, id, key);
	services.fleet.noteRented(orderedInstance(id, {...priced, order, perHour: cost}));
	await Promise.race([
		services.fleet.refresh().catch(() => undefined),
		new Promise<void>(resolve => services.time.timers.after(LISTED_MS, resolve)),
	]);
	services.renting.orders.begin(id, pending);
	armBoot({services, values: preview.values, facts: rent.facts.get()}, id);
	if (router.stack.get().at(-1) === place) router.replace({name: 'instance', id});
	else rent.phase.set({kind: 'created', id});
	const unlike = services.renting.orders.get().get(id);
	const how = unlike === undefined ? `${price}.` : `. ${unlikeText(unlike)} x destroys it.`;
	const twice = doublesText(doubles);
	const more = twice === undefined ? '' : ` ${twice}`;
	const isError = unlike !== undefined || twice !== undefined;
	say({text: `Rented: instance ${id}${how}${more}${aboutKey}`, isError});
}

type ArmedActions = {
	readonly services: Pick<
		Services,
		'client' | 'switcher' | 'fleet' | 'settings' | 'renting' | 'terminal'
	>;
	/** Form's choices: what to do, how often, and up to which price. */
	readonly values: Preview['values'];
	/** The offer that was rented, and those that were tried before it. */
	readonly facts: RentFacts;
};

/** Watches a boot until it is over, or its renter takes that back. Nothing is done unwatched: it lasts as long as the program. */
function armBoot(armed: ArmedActions, id: number): void {
	const {services, values} = armed;
	const {fleet} = services;
	if ((values['stuck'] ?? 'ask') === 'ask' || values['target'] === 'stopped') return;
	let wasListed = false;
	const stop = fleet.state.subscribe(look);
	const forget = services.renting.armed.note(id, stop);
	look();

	function look(): void {
		const row = fleet.state.get().rows.find(({instance}) => instance.id === id);
		const boot = bootOf(row, wasListed);
		wasListed ||= row !== undefined;
		if (boot === 'under way') return;
		stop();
		forget();
		if (boot === 'failed') void giveUp(armed, id);
	}
}

async function giveUp(armed: ArmedActions, id: number): Promise<void> {
	const {services, values} = armed;
	const tell = (state: string, text: string) =>
		services.terminal.notify.tell({
			kind: 'replaced',
			about: `instance ${id}`,
			state,
			text,
			instance: id,
		});
	tell('given up', `Instance ${id} never came to run: it is being destroyed, as you armed it.`);
	try {
		const client = await services.client();
		const row = services.fleet.state.get().rows.find(({instance}) => instance.id === id);
		const evidence = row && evidenceFor(row);
		const {outcome} = await client.instances.remove(id, {evidence});
		await services.fleet.refresh().catch(() => undefined);
		if (outcome !== 'gone') {
			const what = `Instance ${id} never came to run, and is not known to be gone: it may be charged.`;
			tell('not gone', `${what} Nothing else was rented. 2 shows it; x destroys it.`);
		} else if (values['stuck'] === 'destroy+next') {
			tell('replaced', `Instance ${id} is gone. ${await rentNext(client, armed)}`);
		} else {
			tell(
				'gone',
				`Instance ${id} never came to run, and is gone. Nothing more is charged for it.`,
			);
		}
	} catch (error) {
		const why = sentence(failureOf(error).message);
		tell('failed', `In the place of instance ${id}: ${why} 2 shows what there is.`);
	}
}

/** Rents the next equal offer, once, and arms it; answers what came of it. */
async function rentNext(client: Client, armed: ArmedActions): Promise<string> {
	const {services, values, facts} = armed;
	const {fleet, settings, renting} = services;
	const showKey = async (id: number, key: string) => tellKey(services, id, key);
	const placed = await rentReplacement(
		{
			client,
			url: urlOf(services.switcher.target),
			fleet,
			settings,
			orders: renting.orders,
			showKey,
		},
		{values, facts},
	);
	if (placed.id !== undefined) armBoot({...armed, facts: placed.facts}, placed.id);
	return placed.says;
}

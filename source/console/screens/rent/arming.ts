/** Destroys an instance that never came to run, and rents the next in its place, where its renter armed that. */
import type {Client} from '../../../client/client.ts';
import {agreedOrder} from '../../../renter/orders/agreed-order.ts';
import {pricePerHour, sentence} from '../../../renter/format.ts';
import type {Services} from '../../services.tsx';
import {evidenceFor} from '../../../renter/fleet/sweepable.ts';
import {readOffer} from '../../../renter/orders/asking.ts';
import {checksOf, refusalIn} from '../../../renter/orders/checks.ts';
import type {Priced, RentFacts} from '../../../renter/orders/rent-facts.ts';
import {overBudget} from '../../../renter/orders/over-budget.ts';
import {bootOf} from '../../../renter/orders/if-stuck.ts';
import {tellKey} from './instance-key.ts';
import {
	ceilingOf,
	nextOffers,
	nextUnavailable,
	searchNext,
} from '../../../renter/orders/next-offers.ts';
import {orderedInstance} from '../../../renter/orders/ordered-instance.ts';
import {previewOf, type Preview} from '../../../renter/orders/preview.ts';
import {failureOf} from './telling.ts';

export type Armed = {
	readonly services: Pick<Services, 'client' | 'fleet' | 'settings' | 'renting' | 'terminal'>;
	/** What the form said, with what to do, how often, and up to which price. */
	readonly values: Preview['values'];
	/** The offer that was rented, and those that were tried before it. */
	readonly facts: RentFacts;
};

/** Watches a boot until it is over, or its renter takes that back. Nothing is done unwatched: it lasts as long as the program. */
export function armBoot(armed: Armed, id: number): void {
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

async function giveUp(armed: Armed, id: number): Promise<void> {
	const {services, values} = armed;
	const tell = (state: string, text: string) =>
		services.terminal.notify.tell({about: `instance ${id}`, state, text});
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
async function rentNext(client: Client, armed: Armed): Promise<string> {
	const {services, values} = armed;
	const next = await findNext(client, armed);
	if (typeof next === 'string') return `Nothing was rented in its place: ${next}.`;
	const facts = {...armed.facts, ...next, tried: [...armed.facts.tried, armed.facts.offer.id]};
	const preview = previewOf(facts, values);
	const why = whyNot({...armed, facts}, preview);
	if (why !== undefined || preview.order === undefined) {
		return `Nothing was rented in its place: ${why ?? 'the form is not right'}.`;
	}
	const {creation, order, cost} = preview;
	const {offer} = next;
	const agreed = agreedOrder({offer, order, creation, perHour: cost.running});
	const rented = await client.instances.rent(offer, order, {agreed});
	if (rented.outcome === 'not created') return 'The next one could not be rented.';
	if (rented.outcome === 'unknown') {
		return `We do not know if ${next.offer.id} was rented in its place; it may be charged. 2 shows it.`;
	}
	const perHour = preview.cost.allIn;
	const ordered = {...next, order: preview.order, perHour};
	services.fleet.noteRented(orderedInstance(rented.id, ordered));
	const aboutKey = rented.key === undefined ? '' : await tellKey(services, rented.id, rented.key);
	await services.fleet.refresh().catch(() => undefined);
	services.renting.orders.begin(rented.id, rented.pending);
	armBoot({...armed, facts}, rented.id);
	return `In its place instance ${rented.id} is rented for ${pricePerHour(perHour)}.${aboutKey}`;
}

/** The next equal offer within the renter's limits, with its price of now; or why there is none. */
async function findNext(
	client: Client,
	{services, facts, values}: Armed,
): Promise<Priced | string> {
	const pricedGb = services.settings.get().diskGb;
	const found = await searchNext(client, facts, pricedGb);
	const [next] = nextOffers(facts, found, {values, pricedGb});
	const why = nextUnavailable(next, facts, values);
	if (why !== undefined || next === undefined) return why ?? 'there is no equal offer at present';
	return (await readOffer(client, next.offer.id)) ?? `offer ${next.offer.id} is gone, too`;
}

/** Why it is not rented without being asked about: what is refused, and what is dearer than agreed. */
function whyNot({services, facts, values}: Armed, preview: Preview): string | undefined {
	const {burn} = services.fleet.state.get();
	const perHour = preview.cost.allIn;
	const refusal = refusalIn(checksOf({facts, preview, burn}));
	if (refusal !== undefined) return refusal.text;
	const limit = ceilingOf(previewOf({...facts, ...facts.first}, values).cost.allIn, values);
	if (perHour === undefined || limit === undefined || perHour > limit) {
		return 'its price moved over your ceiling';
	}
	const problem = overBudget(services.settings.get().spend, {perHour, fleetAtMost: burn.atMost});
	return problem === undefined ? undefined : 'it would pass your budget';
}

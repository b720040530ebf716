/** Renting an equal offer in the place of an instance, within a ceiling that was agreed to before. */
import {messageOf} from '../../contract/rules/thrown.ts';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import type {Fleet} from '../fleet/fleet.ts';
import {pricePerHour} from '../text/format.ts';
import type {Settings} from '../settings/default-settings.ts';
import {leaseOf, termsLeft} from '../leases/held.ts';
import {LeaseTermsError, writeTerms} from '../leases/lease-terms.ts';
import {leasedRent, type LeasingService} from './leased-rent.ts';
import {agreedOrder} from './agreed-order.ts';
import {doublesText} from './doubles.ts';
import {readOffer} from './order-requests.ts';
import {checksOf, refusalIn} from './checks.ts';
import {ceilingOf, nextOffers, nextUnavailable, searchNext} from './next-offers.ts';
import type {Values} from './order-fields.ts';
import type {InstanceComparisons} from './instance-comparisons.ts';
import {overBudget} from './over-budget.ts';
import {previewOf, type Preview} from './preview.ts';
import {beginFacts, offerOf, type Priced, type RentFacts} from './rent-facts.ts';
import {initialValues} from './rent-values.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import {whyLeft} from '../fleet/sweepable.ts';

/** Actions without a question: none, unless the renter wants it for this one rental. */
export const stuckChoices = ['ask', 'destroy', 'destroy+next'] as const;

const words: Readonly<Record<string, string>> = {
	destroy: 'destroy it',
	'destroy+next': 'destroy + next',
};

export function stuckText(choice: string, bootMinutes: number): string {
	return `${words[choice] ?? 'ask me'} after ${bootMinutes} min`;
}

/** Review's line about it; undefined where nothing is done without a question. */
export function stuckMeans({stuck: choice = '', tries, ceiling}: Values): string | undefined {
	if (words[choice] === undefined) return undefined;
	const then =
		choice === 'destroy+next'
			? `; then an equal one is rented, ${tries} at most, none more than +${ceiling} % dearer`
			: '';
	return `what never ran and is stuck or dead is DESTROYED without a question${then}. Only while rentty runs`;
}

type Boot = 'under way' | 'over' | 'failed';

/** Progress of a boot. It is over when the instance ran, and when somebody ended it. */
export function bootOf(row: FleetRow | undefined, wasListed: boolean): Boot {
	if (row === undefined) return wasListed ? 'over' : 'under way';
	if (row.seen.hasRun || endings.has(row.condition)) return 'over';
	return failures.has(row.condition) && whyLeft(row) === undefined ? 'failed' : 'under way';
}

const endings = new Set<FleetRow['condition']>(['stopped', 'destroying', 'undead', 'gone']);
const failures = new Set<FleetRow['condition']>(['stuck', 'dead']);

export type Replacing = LeasingService & {
	readonly fleet: Pick<Fleet, 'state' | 'noteRented' | 'refresh'>;
	readonly settings: {readonly get: () => Settings};
	readonly orders: Pick<InstanceComparisons, 'begin'>;
	/** Hands an instance's own key to the renter; answers what else is to be said. */
	readonly showKey: (id: number, key: string) => Promise<string>;
};

/** A replacement: the form's values with the price ceiling, and the offer it equals. */
export type Replacement = {
	readonly values: Values;
	readonly facts: RentFacts;
	/** The machine that failed, which nothing is rented on again. */
	readonly avoids?: number | null | undefined;
};

export type Replaced = {
	/** The outcome in a sentence or two. */
	readonly says: string;
	/** Undefined where nothing was rented, or where that is not known. */
	readonly id: number | undefined;
	readonly facts: RentFacts;
};

type Like = {
	readonly template: Template | undefined;
	readonly settings: Settings;
	/** Milliseconds on the service's clock. */
	readonly now: number;
};

/** An order like an instance's, at most as dear as the instance is, and with what is left of its lease. */
export function likeInstance(instance: Instance, {template, settings, now}: Like): Replacement {
	const offer = offerOf(instance);
	const priced = {offer, pricedGb: instance.disk_space ?? settings.diskGb};
	const values = initialValues({template, like: instance, isBid: false, settings, offer});
	const facts = beginFacts(settings, priced, {template, like: instance});
	const {machine_id: avoids} = instance;
	const ends = endsOf(instance, now);
	return {values: {...values, ends, tries: '1', ceiling: '0'}, facts, avoids};
}

function endsOf(instance: Instance, now: number): string {
	const terms = termsLeft(instance, now);
	if (terms !== undefined) return writeTerms(terms);
	return leaseOf(instance).lease?.isKept === true ? 'none keep' : 'none';
}

/** Rents the next equal offer, once. */
export async function rentReplacement(placing: Replacing, place: Replacement): Promise<Replaced> {
	const {client, fleet, orders, showKey} = placing;
	const {values, facts: before} = place;
	const nothing = (why: string): Replaced => {
		return {says: `Nothing was rented in its place: ${why}.`, id: undefined, facts: before};
	};
	const next = await findNext(placing, place);
	if (typeof next === 'string') return nothing(next);
	const facts = {...before, ...next, tried: [...before.tried, before.offer.id]};
	const preview = previewOf(facts, values);
	const why = whyNot(placing, {values, facts}, preview);
	if (why !== undefined || preview.order === undefined) {
		return nothing(why ?? 'the form is not right');
	}
	const leased = await leaseTerms(placing, preview, preview.order);
	if (typeof leased === 'string') return nothing(leased);
	const {cost} = preview;
	const {order, creation} = leased;
	const {offer} = next;
	const agreed = agreedOrder({offer, order, creation, perHour: cost.running});
	const rented = await client.instances.rent(offer, order, {agreed});
	if (rented.outcome === 'not created') return nothing('the next offer could not be rented');
	if (rented.outcome === 'unknown') {
		const says = `We do not know if ${offer.id} was rented in its place; it may be charged. 2 shows it.`;
		return {says, id: undefined, facts};
	}
	const perHour = cost.allIn;
	fleet.noteRented(orderedInstance(rented.id, {...next, order, perHour}));
	const aboutKey = rented.key === undefined ? '' : await showKey(rented.id, rented.key);
	await fleet.refresh().catch(() => undefined);
	orders.begin(rented.id, rented.pending);
	const twice = doublesText(rented.doubles);
	const more = twice === undefined ? '' : ` ${twice}`;
	const says = `In its place instance ${rented.id} is rented for ${pricePerHour(perHour)}.${more}${aboutKey}`;
	return {says, id: rented.id, facts};
}

/** The order with the lease of the form, from this moment on; or why it can have none. */
async function leaseTerms(placing: Replacing, preview: Preview, order: InstanceOrder) {
	try {
		const lease = await leasedRent(placing, preview, order);
		const now = placing.client.clock.now() / 1000;
		return lease?.at(now) ?? {order, creation: preview.creation};
	} catch (error) {
		if (error instanceof LeaseTermsError) return `its end: ${messageOf(error)}`;
		throw error;
	}
}

/** The next equal offer within the renter's limits, with its price of now; or why there is none. */
async function findNext(
	{client, settings}: Replacing,
	{facts, values, avoids}: Replacement,
): Promise<Priced | string> {
	const pricedGb = settings.get().diskGb;
	const found = await searchNext(client, facts, pricedGb);
	const others = found.filter(({machine_id: machine}) => !machine || machine !== avoids);
	const [next] = nextOffers(facts, others, {values, pricedGb});
	const why = nextUnavailable(next, facts, values);
	if (why !== undefined || next === undefined) return why ?? 'there is no equal offer at present';
	return (await readOffer(client, next.offer.id)) ?? `offer ${next.offer.id} is gone, too`;
}

/** Why it is not rented without being asked about: what is refused, and what is dearer than agreed. */
function whyNot(
	{fleet, settings}: Replacing,
	{values, facts}: Replacement,
	preview: Preview,
): string | undefined {
	const {burn} = fleet.state.get();
	const perHour = preview.cost.allIn;
	const refusal = refusalIn(checksOf({facts, preview, burn}));
	if (refusal !== undefined) return refusal.text;
	const limit = ceilingOf(previewOf({...facts, ...facts.first}, values).cost.allIn, values);
	if (perHour === undefined || limit === undefined || perHour > limit) {
		return 'its price moved over your ceiling';
	}
	const problem = overBudget(settings.get().spend, {perHour, fleetAtMost: burn.atMost});
	return problem === undefined ? undefined : 'it would pass your budget';
}

type Ordered = {
	readonly offer: Offer;
	readonly order: InstanceOrder;
	/** Dollars an hour with its disk. */
	readonly perHour: number | undefined;
};

export function orderedInstance(id: number, {offer, order, perHour}: Ordered): Instance {
	const {gpu_name, num_gpus, machine_id, host_id, geolocation} = offer;
	return {
		id,
		label: order.label,
		image_uuid: order.image,
		template_hash_id: order.templateHash,
		disk_space: order.disk,
		dph_total: perHour,
		gpu_name,
		num_gpus,
		machine_id,
		host_id,
		geolocation,
	};
}

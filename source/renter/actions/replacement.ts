/** Rents an equal offer to replace an instance, up to a previously agreed price. */
import {messageOf} from '../../contract/rules/thrown.ts';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {Client} from '../../client/client.ts';
import type {RentOutcome} from '../../client/rentals/pending-rent.ts';
import type {Fleet} from '../fleet/fleet.ts';
import {leaseOf, termsLeft} from '../leases/held.ts';
import {LeaseTermsError, writeTerms} from '../leases/lease-terms.ts';
import {storeInstanceKey} from '../nouns/instance-keys.ts';
import {agreedOrder} from '../orders/agreed-order.ts';
import {doublesText} from '../orders/doubles.ts';
import {checksOf, refusalIn} from '../orders/checks.ts';
import type {InstanceComparisons} from '../orders/instance-comparisons.ts';
import {leasedRent, type LeasingService} from '../orders/leased-order.ts';
import {ceilingOf, nextOffers, nextUnavailable, searchNext} from '../orders/next-offers.ts';
import type {OrderValues} from '../orders/rent-order.ts';
import {findTemplate, readOffer} from '../orders/order-requests.ts';
import {OverBudgetError, refusingOver, type BudgetLimits} from '../orders/limits-beside.ts';
import {rentOnce} from '../orders/repeated-rents.ts';
import {shownLabel} from '../words/lease.ts';
import {overBudget} from '../instance/cost.ts';
import {previewOf, type Preview} from '../orders/preview.ts';
import {initialFacts, offerOfInstance, type Priced, type RentFacts} from '../orders/rent-facts.ts';
import {initialValues} from '../orders/rent-values.ts';
import {targetUrlOf, type Target} from '../profiles/target.ts';
import type {Settings} from '../settings/default-settings.ts';
import {pricePerHour} from '../text/format.ts';
import type {Notify} from '../words/alert.ts';
import {whyOf} from './instance-actions.ts';

/** The program's parts that renting needs: lists, comparisons, notifications, and the handover of keys. */
export type Renter = {
	readonly client: () => Promise<Client>;
	readonly switcher: {readonly target: Target};
	readonly fleet: Pick<Fleet, 'state' | 'noteRented' | 'refresh'>;
	readonly settings: {readonly get: () => Settings};
	readonly renting: {
		readonly orders: Pick<InstanceComparisons, 'start'>;
		readonly limits: () => BudgetLimits;
	};
	readonly terminal: {readonly notify: Pick<Notify, 'send'>};
} & Parameters<typeof storeInstanceKey>[0];

/** A replacement: the form's values with the price ceiling, and the offer it equals. */
type Replacement = {
	readonly values: OrderValues;
	readonly facts: RentFacts;
	/** The machine that failed, to be avoided. */
	readonly avoids?: number | null | undefined;
};

type Replaced = {
	/** The outcome in a sentence or two. */
	readonly outcome: string;
	/** Undefined if no instance was created, or that is unknown. */
	readonly id: number | undefined;
	readonly facts: RentFacts;
};

function endsOf(instance: Instance, now: number): string {
	const terms = termsLeft(instance, now);
	if (terms !== undefined) return writeTerms(terms);
	return leaseOf(instance).lease?.isKept === true ? 'none keep' : 'none';
}

/** Rents the next equal offer, once. */
export async function rentReplacement(
	renter: Renter,
	client: Client,
	replacement: Replacement,
): Promise<Replaced> {
	const {values, facts: before} = replacement;
	const nothing = (why: string): Replaced => {
		return {outcome: `Nothing was rented in its place: ${why}.`, id: undefined, facts: before};
	};
	const next = await findNext(renter, client, replacement);
	if (typeof next === 'string') return nothing(next);
	const facts = {...before, ...next, tried: [...before.tried, before.offer.id]};
	const preview = previewOf(facts, values);
	const why = whyNot(renter, {values, facts}, preview);
	if (why !== undefined || preview.order === undefined) {
		return nothing(why ?? 'the form is not right');
	}
	const service = {client, url: targetUrlOf(renter.switcher.target)};
	const leased = await leaseTerms(service, preview, preview.order);
	if (typeof leased === 'string') return nothing(leased);
	const {cost} = preview;
	const {order, creation} = leased;
	const {offer} = next;
	const agreed = agreedOrder({offer, order, creation, perHour: cost.running});
	const asked = {perHour: cost.allIn, label: shownLabel(creation.label.value)};
	const mayRent = refusingOver(renter.renting.limits(), asked);
	const rented = await rentOnce(client, offer, order, {agreed, mayRent}).catch((error: unknown) =>
		ifOver(error),
	);
	if (rented === 'over') return nothing('it would pass your budget');
	if (rented.outcome === 'not created') return nothing('the next offer could not be rented');
	if (rented.outcome === 'unknown') {
		const outcome = `We do not know if ${offer.id} was rented in its place; it may be charged. 2 shows it.`;
		return {outcome, id: undefined, facts};
	}
	const perHour = cost.allIn;
	const more = await noteRental(renter, rented, {...next, order, perHour});
	await renter.fleet.refresh().catch(() => undefined);
	const outcome = `In its place instance ${rented.id} is rented for ${pricePerHour(perHour)}.${more}`;
	return {outcome, id: rented.id, facts};
}

function ifOver(error: unknown): 'over' {
	if (error instanceof OverBudgetError) return 'over';
	throw error;
}

type Created = Extract<RentOutcome, {readonly outcome: 'created'}>;

/** Lists a new instance, compares it with its order, and hands over its key; returns further remarks. */
export async function noteRental(
	renter: Renter,
	{id, key, pending, doubles}: Created,
	ordered: Ordered,
): Promise<string> {
	renter.fleet.noteRented(orderedInstance(id, ordered));
	await (await renter.client()).pendingRents.markReported(pending);
	renter.renting.orders.start(id, pending);
	const twice = doubles && doublesText(doubles);
	const aboutKey = key === undefined ? '' : await storeInstanceKey(renter, id, key);
	return `${twice === undefined ? '' : ` ${twice}`}${aboutKey}`;
}

/** The order with the form's lease, which counts from now; or the reason against one. */
async function leaseTerms(service: LeasingService, preview: Preview, order: InstanceOrder) {
	try {
		const lease = await leasedRent(service, preview, order);
		const now = service.client.clock.now() / 1000;
		return lease?.at(now) ?? {order, creation: preview.creation};
	} catch (error) {
		if (error instanceof LeaseTermsError) return `its end: ${messageOf(error)}`;
		throw error;
	}
}

/** The next equal offer within the renter's limits, at its present price; or why there is none. */
async function findNext(
	{settings}: Renter,
	client: Client,
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

/** Reason not to rent without confirmation: a refused order, or a price above the agreed one. */
function whyNot(
	{fleet, settings}: Renter,
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
	const problem = overBudget(settings.get().spend, {perHour, fleet: burn});
	return problem === undefined ? undefined : 'it would pass your budget';
}

type Ordered = {
	readonly offer: Offer;
	readonly order: InstanceOrder;
	/** Dollars an hour with its disk. */
	readonly perHour: number | undefined;
};

function orderedInstance(id: number, {offer, order, perHour}: Ordered): Instance {
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

/**
 * Rents an equal offer for each instance that is gone, one after the other: two must not use the
 * same offer.
 */
export async function replaceAll(renter: Renter, gone: readonly Instance[]): Promise<void> {
	for (const instance of gone) {
		const {id} = instance;
		try {
			// oxlint-disable-next-line no-await-in-loop -- one after the other
			const outcome = await replaceOne(renter, instance);
			announceReplacement(renter, id, {
				state: 'replaced',
				text: `Instance ${id} is gone. ${outcome}`,
			});
		} catch (error) {
			const text = `In the place of instance ${id}: ${whyOf(error)} 2 shows what there is.`;
			announceReplacement(renter, id, {state: 'replaced', text});
		}
	}
}

/** Rents an order like an instance's, at most at its price, and with the rest of its lease. */
async function replaceOne(renter: Renter, instance: Instance): Promise<string> {
	const client = await renter.client();
	const {template_hash_id: hash} = instance;
	const template = hash ? await findTemplate(client, hash) : undefined;
	const settings = renter.settings.get();
	const offer = offerOfInstance(instance);
	const priced = {offer, pricedGb: instance.disk_space ?? settings.diskGb};
	const like = initialValues({template, like: instance, isBid: false, settings, offer});
	const facts = initialFacts(settings, priced, {template, like: instance});
	const ends = endsOf(instance, client.clock.now());
	const values = {...like, ends, tries: '1', ceiling: '0'};
	const replacement = {values, facts, avoids: instance.machine_id};
	return (await rentReplacement(renter, client, replacement)).outcome;
}

export function announceReplacement(
	{terminal: {notify}}: Renter,
	id: number,
	{state, text}: {readonly state: string; readonly text: string},
): void {
	notify.send({kind: 'replaced', about: `instance ${id}`, state, text, instance: id});
}

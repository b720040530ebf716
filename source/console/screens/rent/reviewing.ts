/** From the form to the review: changing facts are read again, and checked. */
import {messageOf} from '../../../contract/rules/thrown.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {goToField, withFieldProblem} from '../../ui/form-state.ts';
import {sentence} from '../../../renter/text/format.ts';
import type {Message} from '../../ui/message.ts';
import {readAround, readOffer} from '../../../renter/orders/order-requests.ts';
import {checksOf, refusalIn} from '../../../renter/orders/checks.ts';
import type {OrderCheck} from '../../../renter/orders/check.ts';
import type {Priced} from '../../../renter/orders/rent-facts.ts';
import {templateChange, rentSpec} from './rent-form.ts';
import {overBudget} from '../../../renter/instance/cost.ts';
import {nextOffers, searchNext} from '../../../renter/orders/next-offers.ts';
import {previewOf, type Preview} from '../../../renter/orders/preview.ts';
import type {InstanceOrder} from '../../../contract/nouns/creation-request.ts';
import {LeaseTermsError} from '../../../renter/leases/lease-terms.ts';
import {leasedRent} from '../../../renter/orders/leased-order.ts';
import {targetUrlOf} from '../../../renter/profiles/target.ts';
import {goneMessage, type CallFailure} from './rent-message.ts';
import type {Rent, Renting} from './rent-state.ts';

/** Time for which a read price counts as present. */
const FRESH_MS = 10_000;

const underWay = new WeakMap<Rent, Promise<Priced | undefined>>();

/** Reads the offer and its price; undefined if it is gone. Simultaneous calls share the answer. */
export async function refreshOffer({rent, services}: Renting): Promise<Priced | undefined> {
	const already = underWay.get(rent);
	if (already !== undefined) return already;
	const reading = read();
	underWay.set(rent, reading);
	try {
		return await reading;
	} finally {
		underWay.delete(rent);
	}

	async function read(): Promise<Priced | undefined> {
		const {id} = rent.facts.get().offer;
		const priced = await readOffer(await services.client(), id);
		const facts = rent.facts.get();
		if (priced === undefined || facts.offer.id !== id) return priced;
		rent.facts.set({...facts, ...priced, readAt: services.time.now().getTime()});
		startBid(rent, priced.offer);
		return priced;
	}
}

/** Lists lack the winning bid, so the field gets it as soon as it is known. */
function startBid({form}: Rent, {min_bid: least}: Offer): void {
	const {values, initial} = form.get();
	if (typeof least !== 'number' || initial['price'] !== '' || values['price'] !== '') return;
	const price = String(least);
	form.set({...form.get(), initial: {...initial, price}, values: {...values, price}});
}

/** Reads the facts for the checks while the form is open. */
export async function readAll(renting: Renting): Promise<void> {
	await Promise.all([refreshOffer(renting), refreshAround(renting)]).catch(() => {
		// The user's next step reads again, and reports its own failure.
	});
	renting.services.fleet.refresh().catch(() => undefined);
}

/** Reads the other facts for the checks: the account, its keys, its volumes. */
export async function refreshAround({rent, services}: Renting): Promise<void> {
	const client = await services.client();
	const {volume} = rent.form.get().values;
	const around = await readAround(services.terminal, client, {
		withVolumes: volume === 'link',
		// Own machines are read until it is known that there are none: they cost nothing, whatever their price.
		withMachines: services.hasMachines.get() !== false,
	});
	rent.facts.set({...rent.facts.get(), ...around, isAsked: true});
}

/** Goes on to the review; a problem is shown at its field instead. */
export async function review(renting: Renting): Promise<void> {
	const {rent, services, say} = renting;
	const {form, facts, phase} = rent;
	const shownPrice = previewOf({...facts.get(), ...facts.get().shown}, form.get().values).cost
		.allIn;
	phase.set({kind: 'reading'});
	const isStill = () => phase.get().kind === 'reading';
	try {
		const moved = await readAnew(renting);
		if (!isStill()) return;
		if (moved === 'gone') return await showGone(renting, undefined);
		if (moved !== undefined) return backToForm(renting, {text: moved, isError: true});
	} catch (error) {
		if (!isStill()) return;
		const why = messageOf(error);
		return backToForm(renting, {text: `${sentence(why)} Nothing was sent.`, isError: true});
	}
	const preview = previewOf(facts.get(), form.get().values);
	const {burn} = services.fleet.state.get();
	const checks = checksOf({facts: facts.get(), preview, burn});
	const refusal = refusalIn(checks);
	if (refusal !== undefined) return refuseAt(renting, refusal);
	if (preview.order === undefined) return backToForm(renting, undefined);
	const lease = await leaseOf(renting, preview, preview.order);
	if (!isStill() || lease === 'refused') return;
	const spending = {perHour: preview.cost.allIn, fleet: burn};
	const problem = overBudget(services.settings.get().spend, spending);
	const {offer, pricedGb} = facts.get();
	const {order} = preview;
	const reviewed = {order, preview, checks, overBudget: problem, lease, shownPrice};
	phase.set({kind: 'review', reviewed: {...reviewed, priced: {offer, pricedGb}}});
	say({text: '', isError: false});
}

/** The lease of the form; a problem is shown at its field. */
async function leaseOf(renting: Renting, preview: Preview, order: InstanceOrder) {
	const {client, switcher} = renting.services;
	try {
		const service = {client: await client(), url: targetUrlOf(switcher.target)};
		return await leasedRent(service, preview, order);
	} catch (error) {
		const isTerms = error instanceof LeaseTermsError;
		if (isTerms) refuseAt(renting, {level: 'no', text: error.message, field: 'ends'});
		else
			backToForm(renting, {text: `${sentence(messageOf(error))} Nothing was sent.`, isError: true});
		return 'refused';
	}
}

/** Reads price, template and the facts for the checks. Returns the first problem. */
async function readAnew(renting: Renting): Promise<string | undefined> {
	const {rent, services} = renting;
	const {readAt} = rent.facts.get();
	const client = await services.client();
	const isFresh = readAt !== undefined && services.time.now().getTime() - readAt < FRESH_MS;
	const {fleet, settings} = services;
	const isFleetUnknown = fleet.state.get().checkedAt === undefined;
	const [priced, changed] = await Promise.all([
		isFresh ? rent.facts.get() : refreshOffer(renting),
		templateChange(renting, client),
		refreshAround(renting),
		isFleetUnknown && settings.get().spend.fleetMaxPerHour !== null ? fleet.refresh() : undefined,
	]);
	return priced === undefined ? 'gone' : changed;
}

function backToForm({rent, say}: Renting, message: Message | undefined): void {
	rent.phase.set({kind: 'form'});
	if (message !== undefined) say(message);
}

/** Shows at its field a value that the service would refuse. */
function refuseAt(renting: Renting, {text, field}: OrderCheck): void {
	const {form} = renting.rent;
	const spec = rentSpec(form.get().values);
	if (field !== undefined && spec.fields.some(({id}) => id === field)) {
		form.set(withFieldProblem(goToField(spec, form.get(), field), field, text));
	}
	backToForm(renting, {text: `Nothing was sent: ${sentence(text)}`, isError: true});
}

/** Shows that the offer is gone, and searches others. */
export async function showGone(renting: Renting, failure: CallFailure | undefined): Promise<void> {
	const {rent, services} = renting;
	const {facts, form, phase} = rent;
	const {offer} = facts.get();
	const message = goneMessage(offer.id, failure);
	const {diskGb} = services.settings.get();
	const gone = {kind: 'gone', message, next: undefined, pricedGb: diskGb} as const;
	phase.set(gone);
	const {values} = form.get();
	const found = await services
		.client()
		.then(async client => searchNext(client, facts.get(), diskGb))
		.catch(() => []);
	if (phase.get() !== gone) return;
	phase.set({...gone, next: nextOffers(facts.get(), found, {values, pricedGb: diskGb})});
}

/** Goes on with the next equal offer: to its review, and no further. */
export async function takeNext(renting: Renting): Promise<void> {
	const {facts, phase} = renting.rent;
	const present = phase.get();
	const next = present.kind === 'gone' ? present.next?.[0] : undefined;
	if (present.kind !== 'gone' || next === undefined) return;
	const priced = {offer: next.offer, pricedGb: present.pricedGb};
	const {tried, offer} = facts.get();
	facts.set({
		...facts.get(),
		...priced,
		shown: priced,
		readAt: undefined,
		tried: [...tried, offer.id],
	});
	await review(renting);
}

const tabNames = ['offers', 'instances', 'templates'] as const;

/** Shows another tab, which keeps the draft; the present one would drop it, so the user is asked. */
export function goToTab(
	{router}: Renting,
	index: number,
	askFirst: (go: () => void) => void,
): void {
	const name = tabNames[index] ?? 'offers';
	const go = () => router.visit({name});
	if (router.stack.get()[0]?.destination.name === name) askFirst(go);
	else go();
}

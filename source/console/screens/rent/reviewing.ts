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
import {LeaseTermsError} from '../../../renter/leases/lease-terms.ts';
import {leasedRent} from '../../../renter/orders/leased-order.ts';
import {targetUrlOf} from '../../../renter/profiles/target.ts';
import {goneMessage, type CallFailure} from './rent-message.ts';
import {movedFrom, type Rent, type Renting, type Reviewed} from './rent-state.ts';

/** Time for which a read price counts as present. */
const FRESH_MS = 10_000;

type Reading = {readonly id: number; readonly answer: Promise<Priced | undefined>};

const underWay = new WeakMap<Rent, Reading>();

/** Reads the offer and its price; undefined if it is gone. Simultaneous calls about it share the answer. */
export async function refreshOffer({rent, services}: Renting): Promise<Priced | undefined> {
	const {id} = rent.facts.get().offer;
	const already = underWay.get(rent);
	if (already?.id === id) return already.answer;
	const reading = {id, answer: read()};
	underWay.set(rent, reading);
	try {
		return await reading.answer;
	} finally {
		if (underWay.get(rent) === reading) underWay.delete(rent);
	}

	async function read(): Promise<Priced | undefined> {
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
	const {rent, say} = renting;
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
	const reviewed = await judge(renting, {values: form.get().values, shownPrice, isStill});
	if (reviewed === undefined) return;
	phase.set({kind: 'review', reviewed});
	say({text: '', isError: false});
}

type Judging = {
	readonly values: Preview['values'];
	readonly shownPrice: number | undefined;
	/** False once the user has gone on or back meanwhile. */
	readonly isStill: () => boolean;
};

/** The review by the facts that were read last; a problem is shown at its field instead. */
async function judge(
	renting: Renting,
	{values, shownPrice, isStill}: Judging,
): Promise<Reviewed | undefined> {
	const {rent, services} = renting;
	const facts = rent.facts.get();
	const preview = previewOf(facts, values);
	const {burn} = services.fleet.state.get();
	const checks = checksOf({facts, preview, burn});
	const refusal = refusalIn(checks);
	const {order} = preview;
	if (refusal !== undefined) refuseAt(renting, refusal);
	else if (order === undefined) backToForm(renting, undefined);
	if (refusal !== undefined || order === undefined) return undefined;
	const lease = await leaseOf(renting, {preview, order, isStill});
	if (!isStill() || lease === 'refused') return undefined;
	const spending = {perHour: preview.cost.allIn, fleet: burn};
	const problem = overBudget(services.settings.get().spend, spending);
	const priced = {offer: facts.offer, pricedGb: facts.pricedGb};
	return {order, preview, checks, overBudget: problem, lease, shownPrice, priced};
}

/** The price now of what is reviewed, in dollars an hour. */
function presentPrice({facts}: Rent, {preview}: Reviewed): number | undefined {
	return previewOf(facts.get(), preview.values).cost.allIn;
}

/** Reads the price while a review is open, and reviews anew what has moved; true if the offer is gone. */
export async function refreshReview(renting: Renting): Promise<boolean> {
	const {rent} = renting;
	const {phase} = rent;
	const isGone = (await refreshOffer(renting)) === undefined;
	const present = phase.get();
	if (isGone || present.kind !== 'review') return isGone;
	const {preview, shownPrice} = present.reviewed;
	if (isSamePrice(present.reviewed, presentPrice(rent, present.reviewed))) return false;
	const isStill = () => phase.get() === present;
	const reviewed = await judge(renting, {values: preview.values, shownPrice, isStill});
	if (reviewed !== undefined) phase.set({kind: 'review', reviewed});
	return false;
}

/** Time after which a price is read again before it is agreed to, as after a night asleep. */
const STALE_MS = 30_000;

/**
 * The review that was agreed to, if it still holds; an old price is read again. A review that has changed is
 * shown anew instead.
 */
export async function recheckReviewed(renting: Renting): Promise<Reviewed | undefined> {
	const {rent, services} = renting;
	const before = rent.phase.get();
	if (before.kind !== 'review') return undefined;
	const {reviewed} = before;
	const {readAt = 0} = rent.facts.get();
	const isRecent = services.time.now().getTime() - readAt < STALE_MS;
	if (isRecent && isSamePrice(reviewed, presentPrice(rent, reviewed))) return reviewed;
	await review(renting);
	const after = rent.phase.get();
	if (after.kind !== 'review') return undefined;
	const isSame =
		isSamePrice(reviewed, after.reviewed.preview.cost.allIn) &&
		JSON.stringify(after.reviewed.order) === JSON.stringify(reviewed.order) &&
		(after.reviewed.overBudget === undefined || reviewed.overBudget !== undefined);
	return isSame ? after.reviewed : undefined;
}

const isSamePrice = ({preview}: Reviewed, perHour: number | undefined): boolean =>
	movedFrom(preview.cost.allIn, perHour) === undefined;

type Leasing = Pick<Judging, 'isStill'> & Pick<Reviewed, 'preview' | 'order'>;

/** The lease of the form; a problem is shown at its field. */
async function leaseOf(renting: Renting, {preview, order, isStill}: Leasing) {
	const {client, switcher} = renting.services;
	try {
		const service = {client: await client(), url: targetUrlOf(switcher.target)};
		return await leasedRent(service, preview, order);
	} catch (error) {
		// What was sent meanwhile is not taken back to its form.
		if (!isStill()) return 'refused';
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

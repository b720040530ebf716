/** Finds offers for `rentty rent`, and refuses orders that cannot or must not be sent. */
import type {Client} from '../client/client.ts';
import {plainNumber, priceOverLimit} from '../renter/text/format.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {costOf} from '../contract/nouns/offer-cost.ts';
import {anyOffers, type OfferSearch} from '../contract/nouns/offer-search.ts';
import {parseLine} from '../renter/offers/words/parse.ts';
import {shownLabel} from '../renter/words/lease.ts';
import type {Offer} from '../contract/nouns/offers.ts';
import {isAskedFor, searchOffers} from '../renter/offers/local-filter.ts';
import type {WordSearch} from '../renter/offers/words/fields.ts';
import {isFree} from '../renter/offers/search.ts';
import {ownRents} from '../renter/offers/own-rents.ts';
import {defaultConditions} from '../renter/offers/words/request.ts';
import {isRegistered} from '../renter/connect/keys.ts';
import {firstRecord} from '../renter/text/unreadable.ts';
import {refuseOverBudget} from './budget-file.ts';
import {type Context, numberOf} from './command.ts';
import {CommandError, exitCodes} from './failure.ts';
import {byCost, explainZero, readWanted, type Wanted} from './offers.ts';
import type {Order} from './rent-order.ts';
import {isWithin, refuseOverLimits} from './spending-limits.ts';
import {refuseUnreadable, tellUnreadable} from './output.ts';

const NOTHING = 'Nothing was created, and nothing is charged.';

/** The offers to try one after the other, and the answer to those that were all gone. */
export type Candidates = {
	readonly offers: readonly Offer[];
	readonly whyNone: () => Promise<string>;
};

/** The one that was named, or the cheapest that match. */
export async function offersToRent(
	context: Context,
	client: Client,
	order: Order,
): Promise<Candidates> {
	const {words, signal} = context;
	const [first = ''] = words;
	if (words.length === 1 && isOfferId(first)) {
		const offers = [await offerOf(client, Number(first), {order, signal})];
		return {offers, whyNone: async () => `Offer ${first} is gone: somebody else was quicker.`};
	}
	const wanted = await readWanted(context, client);
	// Without a bid the order is on demand, at another price than these offers.
	if (wanted.search.pricing === 'bid' && order.order.price === undefined) {
		throw new UsageError('The words look for bids: --bid DOLLARS says how much. Nothing was sent.');
	}
	return matchingOffers(context, client, {order, wanted});
}

type Matching = {readonly order: Order; readonly wanted: Wanted};

async function matchingOffers(
	{settings, signal, output, now, ...given}: Context,
	client: Client,
	{order, wanted}: Matching,
): Promise<Candidates> {
	const {tries, ceilingPercent} = settings.fallback;
	const over = numberOf(given, 'over') ?? ceilingPercent;
	const diskGb = order.creation.disk.value;
	const pricing = order.order.price === undefined ? wanted.search.pricing : 'bid';
	const own = ownRents(await client.journal.read().catch(() => []), now());
	const search = {...wanted.search, filter: freeOnly(wanted), pricing, diskGb};
	const find = async (limit: number) => {
		const wide = {...search, limit};
		const {offers, unreadable} = await searchOffers(client, wide, {job: wanted.job, signal});
		const asked = offers.filter(offer => isAskedFor(search.filter, offer));
		const others = asked.filter(({id}) => !own.has(id));
		const odd = offers.length - asked.length;
		return {offers: byCost(others, {...wanted.job, diskGb}), unreadable, odd};
	};
	const {offers: found, unreadable, odd} = await find(tries + 1 + own.size);
	const [cheapest] = found;
	if (odd > 0) output.say(`rentty: ${oddText(odd)}`);
	if (cheapest === undefined) {
		refuseUnreadable(unreadable, 'offers', NOTHING);
		const why = await explainZero(client, {...wanted, search}, signal);
		throw new CommandError(exitCodes.notFound, `${why} ${NOTHING}`);
	}
	tellUnreadable(output, unreadable, 'offers');
	const costOfOne = (offer: Offer) => priceOf(offer, order) ?? Number.POSITIVE_INFINITY;
	const least = costOfOne(cheapest);
	const most = least * (1 + over / 100);
	const offers = found
		.filter(offer => offer === cheapest || costOfOne(offer) <= most)
		.slice(0, tries + 1);
	const tried = new Set(offers.map(({id}) => id));
	const whyNone = async () => {
		const others = (await find(MOST_COUNTED)).offers.filter(({id}) => !tried.has(id));
		const [next] = others.map(offer => costOfOne(offer) / least - 1);
		const left = {others: others.length, isNextDearer: next === undefined || next > over / 100};
		return limitsText({gone: offers.length, over, next: next ?? 0, ...left});
	};
	return {offers, whyNone};
}

function oddText(odd: number): string {
	const are = odd === 1 ? 'offer that the service found is' : 'offers that the service found are';
	return `${odd} ${are} not what was asked for, and left out.`;
}

/** As many as are counted of those that match beside the ones that were gone. */
const MOST_COUNTED = 1000;

/** Words such as `any` lift the usual conditions: what is taken can be looked at, and not rented. */
function freeOnly({search: {filter}}: Wanted): WordSearch['filter'] {
	if (filter.some(({field}) => field === 'rentable' || field === 'rented')) return filter;
	return [...filter, ...defaultConditions(['rentable'])];
}

type Limits = {
	readonly gone: number;
	/** Percent above the cheapest. */
	readonly over: number;
	readonly others: number;
	/** Share by which the next one is dearer than the first. */
	readonly next: number;
	readonly isNextDearer: boolean;
};

/** "2 within +5 % were gone. 228 dearer match: --over 10 tries them as well." */
function limitsText({gone, over, others, next, isNextDearer}: Limits): string {
	const within = `${gone} within +${over} % ${gone === 1 ? 'was' : 'were'} gone`;
	if (others === 0) return `${within}, and no other matches.`;
	const amount = others >= MOST_COUNTED ? `at least ${others}` : String(others);
	if (isNextDearer) {
		const enough = Math.ceil((next * 100) / 5 - 1e-9) * 5;
		const help = Number.isFinite(enough) ? `: --over ${enough} tries them as well` : '';
		return `${within}. ${amount} dearer match${others === 1 ? 'es' : ''}${help}.`;
	}
	return `${within}, and no more are tried (setting fallback.tries). ${amount} others match: the same command again tries them.`;
}

/** The offer with an id, at the prices of this order. */
async function offerOf(
	client: Client,
	id: number,
	{order, signal}: {readonly order: Order; readonly signal: AbortSignal},
): Promise<Offer> {
	const diskGb = order.creation.disk.value;
	const filter = [{field: 'id', operator: 'eq', value: id} as const];
	const pricing = order.order.price === undefined ? 'on-demand' : 'bid';
	const search = {...anyOffers, filter, limit: 1, pricing} as const;
	const find = async (wanted: Partial<OfferSearch>) => {
		const {offers, unreadable} = await client.offers.search(wanted, {signal});
		return firstRecord(`find offer ${id}`, offers, unreadable);
	};
	const offer = await find({...search, diskGb});
	if (offer !== undefined) return offer;
	// A disk that is too large hides the offer as well.
	const small = await find(search);
	if (small !== undefined) refuseDisk(small, order);
	return refuseGone(id);
}

function refuseGone(id: number): never {
	const message = `There is no offer ${id}: somebody took it, or it is not listed. ${NOTHING}`;
	throw new CommandError(exitCodes.notFound, message);
}

/** Says that the offer which the words name is not there. @throws CommandError */
export async function refuseMissingOffer({words, signal}: Context, client: Client): Promise<void> {
	const [first = '', ...others] = words;
	if (others.length > 0 || !isOfferId(first)) return;
	const filter = [{field: 'id', operator: 'eq', value: Number(first)} as const];
	const found = await client.offers.search({...anyOffers, filter, limit: 1}, {signal});
	if (found.offers.length + found.unreadable.count === 0) refuseGone(Number(first));
}

/** A number alone, unless it is what a GPU is called: 4090. */
function isOfferId(word: string): boolean {
	return /^\d{1,15}$/.test(word) && parseLine(word).problems.length > 0;
}

/** Hourly price of the instance, without traffic. */
export function priceOf(offer: Offer, {order, creation, own}: Order): number | undefined {
	if (isFree(offer, own)) return 0;
	const diskGb = creation.disk.value;
	const cost = costOf(offer, {diskGb, hours: 1, inGbPerHour: 0, outGbPerHour: 0});
	if (typeof order.price !== 'number') return cost.running;
	// A bid is for the machine; its disk comes on top.
	return cost.disk === undefined ? undefined : order.price + cost.disk;
}

/** Checks before anything is sent. @throws UsageError, CommandError */
export async function checkRent(
	context: Context,
	client: Client,
	{offer, order}: {readonly offer: Offer; readonly order: Order},
): Promise<void> {
	refuseBid(offer, order);
	refuseDisk(offer, order);
	await refuseSpending(context, priceOf(offer, order));
	await refuseOverBudget(context, client, {
		perHour: priceOf(offer, order),
		label: shownLabel(order.creation.label.value),
	});
	await warnOfKeys(context, client, order);
}

function refuseBid({min_bid: least}: Offer, {order: {price}}: Order): void {
	if (typeof price !== 'number' || typeof least !== 'number' || price >= least) return;
	throw new UsageError(
		`The bid ${price} is below the least of ${plainNumber(least)} $/h. Nothing was sent.`,
	);
}

function refuseDisk({disk_space: free}: Offer, {creation: {disk}}: Order): void {
	if (typeof free !== 'number' || disk.value <= free) return;
	throw new UsageError(
		`The disk of ${disk.value} GB is more than the ${Math.floor(free)} GB of the offer. Nothing was sent.`,
	);
}

/** Refuses a price beyond `--max-price` or the settings' limit. */
async function refuseSpending(context: Context, perHour: number | undefined): Promise<void> {
	const most = numberOf(context, 'max-price');
	const price = perHour === undefined ? 'an unknown price' : priceOverLimit(perHour);
	if (most !== undefined && !isWithin(perHour, most)) {
		const why = `It costs ${price}, more than --max-price ${most}.`;
		throw new CommandError(exitCodes.overBudget, `${why} ${NOTHING}`);
	}
	await refuseOverLimits(context, {perHour, nothing: NOTHING});
}

async function warnOfKeys(
	{output, signal}: Context,
	client: Client,
	{order, creation}: Order,
): Promise<void> {
	if (creation.launch.value.mode === 'args') return;
	const keys = await client.sshKeys.list({signal}).catch(() => {
		signal.throwIfAborted();
		// A key that may not list SSH keys: the service checks them.
		return undefined;
	});
	if (keys === undefined || keys.unreadable.count > 0 || keys.keys.some(isRegistered)) return;
	const help = 'rentty keys add ~/.ssh/id_ed25519.pub registers one';
	if (order.vm === true) {
		throw new UsageError(
			`A VM needs a registered SSH key before it is rented: ${help}. ${NOTHING}`,
		);
	}
	output.say(`rentty: No SSH key is registered, so nobody can enter by SSH: ${help}.`);
}

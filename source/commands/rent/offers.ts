/** Finds the offers that `rentty rent` tries. */
import type {Client} from '../../client/client.ts';
import type {PendingRent} from '../../client/rentals/pending-rent.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {anyOffers, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import {parseLine} from '../../renter/offers/words/parse.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {isAskedFor, searchOffers} from '../../renter/offers/local-filter.ts';
import type {WordSearch} from '../../renter/offers/words/fields.ts';
import {ownRents} from '../../renter/offers/own-rents.ts';
import {defaultConditions} from '../../renter/offers/words/request.ts';
import {firstRecord} from '../../renter/text/unreadable.ts';
import {type Context, readNumberOption} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {byCost, explainZero, readRequestedSearch, type RequestedSearch} from '../offers.ts';
import {NOTHING, hourlyPriceOf, refuseDisk} from './checks.ts';
import type {RentOrder} from './order.ts';
import {refuseUnreadable, warnOfUnreadable} from '../base/output.ts';

export type Candidates = {
	/** All of them, the cheapest first. */
	readonly offers: readonly Offer[];
	/** The next that was not tried; undefined if none is left. */
	readonly next: () => Offer | undefined;
	/** Notes that one was gone; false if no more are to be tried. */
	readonly noteGone: () => boolean;
	readonly whyNone: () => Promise<string>;
	/** True for a rent from here that was sent since the offers were searched, by any program. */
	readonly isSince: (rent: PendingRent) => boolean;
};

type Tried = {
	readonly offers: readonly Offer[];
	/** Count of others that are tried where one is gone. */
	readonly tries: number;
	/** Tokens of the rents that were known when the offers were searched. */
	readonly known: ReadonlySet<string>;
};

function candidatesOf(
	{offers, tries, known}: Tried,
	whyNone: (gone: number) => Promise<string>,
): Candidates {
	const left = [...offers];
	let gone = 0;
	return {
		offers,
		next: () => left.shift(),
		noteGone() {
			gone += 1;
			return gone <= tries;
		},
		whyNone: async () =>
			gone === 0 ? 'What matches is being rented from here by another program.' : whyNone(gone),
		isSince: ({token, state: {kind}}) => !known.has(token) && kind !== 'not created',
	};
}

async function knownRents({pendingRents}: Client): Promise<ReadonlySet<string>> {
	// An unreadable file is reported before each command.
	const rents = await pendingRents.all().catch(() => []);
	return new Set(rents.map(({token}) => token));
}

type Ordering = {readonly order: RentOrder; readonly count: number};

/** The one that was named, or the cheapest that match. */
export async function offersToRent(
	context: Context,
	client: Client,
	{order, count}: Ordering,
): Promise<Candidates> {
	const {words, signal} = context;
	const [first = ''] = words;
	if (words.length === 1 && isOfferId(first)) {
		if (count > 1)
			throw new UsageError(`Offer ${first} is one: --count needs words that find more.`);
		const known = await knownRents(client);
		const offers = [await offerOf(client, Number(first), {order, signal})];
		const why = `Offer ${first} is gone: somebody else was quicker.`;
		return candidatesOf({offers, tries: 0, known}, async () => why);
	}
	const wanted = await readRequestedSearch(context, client);
	// Without a bid the order is on demand, at another price than these offers.
	if (wanted.search.pricing === 'bid' && order.order.price === undefined) {
		throw new UsageError('The words look for bids: --bid DOLLARS says how much. Nothing was sent.');
	}
	return matchingOffers(context, client, {order, count, wanted});
}

type Matching = Ordering & {readonly wanted: RequestedSearch};

/** Offers beside those that are wanted, for those that others rent from here at the same time. */
const SPARE = 16;

async function matchingOffers(
	{settings, signal, output, now, ...given}: Context,
	client: Client,
	{order, count, wanted}: Matching,
): Promise<Candidates> {
	const {tries, ceilingPercent} = settings.fallback;
	const over = readNumberOption(given, 'over') ?? ceilingPercent;
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
	const known = await knownRents(client);
	const {offers: found, unreadable, odd} = await find(count + tries + SPARE + own.size);
	const [cheapest] = found;
	if (odd > 0) output.say(`rentty: ${oddText(odd)}`);
	if (cheapest === undefined) {
		refuseUnreadable(unreadable, 'offers', NOTHING);
		const why = await explainZero(client, {...wanted, search}, signal);
		throw new CommandError(exitCodes.notFound, `${why} ${NOTHING}`);
	}
	warnOfUnreadable(output, unreadable, 'offers');
	const costOfOne = (offer: Offer) => hourlyPriceOf(offer, order) ?? Number.POSITIVE_INFINITY;
	// A free machine of one's own is no measure for the other offers.
	const measured = count === 1 ? cheapest : (found.find(one => costOfOne(one) > 0) ?? cheapest);
	const least = costOfOne(measured);
	// The price that was allowed holds for those that are tried after it, too.
	const allowed = readNumberOption(given, 'max-price') ?? Number.POSITIVE_INFINITY;
	const most = Math.min(least * (1 + over / 100), allowed);
	const offers = found.filter(
		offer => [cheapest, measured].includes(offer) || costOfOne(offer) <= most,
	);
	const shares = found.map(offer => costOfOne(offer) / least - 1);
	if (offers.length < count) throw tooFew({count, found: offers.length, over, shares});
	return candidatesOf({offers, tries, known}, async gone => {
		const tried = new Set(offers.slice(0, gone).map(({id}) => id));
		const others = (await find(MOST_COUNTED)).offers.filter(({id}) => !tried.has(id));
		const [next] = others.map(offer => costOfOne(offer) / least - 1);
		const left = {others: others.length, isNextDearer: next === undefined || next > over / 100};
		return limitsText({gone, over, next: next ?? 0, ...left});
	});
}

type Few = {
	readonly count: number;
	readonly found: number;
	/** Percent above the cheapest. */
	readonly over: number;
	/** Shares by which offers are dearer than the cheapest. */
	readonly shares: readonly number[];
};

/** "5 offers are within +5 % of the cheapest, and 12 are wanted: --over 40 takes dearer ones." */
function tooFew({count, found, over, shares}: Few): CommandError {
	const share = shares[count - 1];
	const enough = share === undefined ? Number.NaN : percentFor(share);
	const help = Number.isFinite(enough) ? `: --over ${enough} takes dearer ones` : '';
	const are = found === 1 ? 'offer is' : 'offers are';
	const why = `${found} ${are} within +${over} % of the cheapest, and ${count} are wanted${help}.`;
	return new CommandError(exitCodes.notFound, `${why} ${NOTHING}`);
}

/** Whole fives of percent that include a share. */
function percentFor(share: number): number {
	return Math.ceil((share * 100) / 5 - 1e-9) * 5;
}

function oddText(odd: number): string {
	const are = odd === 1 ? 'offer that the service found is' : 'offers that the service found are';
	return `${odd} ${are} not what was asked for, and left out.`;
}

/** As many as are counted of those that match beside the ones that were gone. */
const MOST_COUNTED = 1000;

/** Words such as `any` lift the usual conditions: taken offers can be viewed, not rented. */
function freeOnly({search: {filter}}: RequestedSearch): WordSearch['filter'] {
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
		const enough = percentFor(next);
		const help = Number.isFinite(enough) ? `: --over ${enough} tries them as well` : '';
		return `${within}. ${amount} dearer match${others === 1 ? 'es' : ''}${help}.`;
	}
	return `${within}, and no more are tried (setting fallback.tries). ${amount} others match: the same command again tries them.`;
}

/** The offer with an id, at the prices of this order. */
async function offerOf(
	client: Client,
	id: number,
	{order, signal}: {readonly order: RentOrder; readonly signal: AbortSignal},
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

/** Says that the named offer is missing. @throws CommandError */
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

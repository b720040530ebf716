/** Finds offers for `rentty rent`, and refuses orders that cannot or must not be sent. */
import type {Client} from '../client/client.ts';
import {spendProblem} from '../renter/instance/cost.ts';
import {plainNumber, priceOverLimit, pricePerHour} from '../renter/text/format.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {costOf} from '../contract/nouns/offer-cost.ts';
import {anyOffers, type OfferSearch} from '../contract/nouns/offer-search.ts';
import {parseLine} from '../renter/offers/words/parse.ts';
import type {Offer} from '../contract/nouns/offers.ts';
import {isFree} from '../renter/offers/search.ts';
import {isRegistered} from '../renter/connect/keys.ts';
import {firstRecord} from '../renter/text/unreadable.ts';
import {refuseOverBudget} from './budget-file.ts';
import {type Context, numberOf} from './command.ts';
import {CommandError, exitCodes} from './failure.ts';
import {openFleetLooks} from './fleet-look.ts';
import {byCost, explainZero, readWanted} from './offers.ts';
import type {Order} from './rent-order.ts';
import {refuseUnreadable, tellUnreadable} from './output.ts';

const NOTHING = 'Nothing was created, and nothing is charged.';

/** The offers to try, one after the other: the one that was named, or the cheapest that match. */
export async function offersToRent(
	context: Context,
	client: Client,
	order: Order,
): Promise<readonly Offer[]> {
	const {words, settings, signal} = context;
	const [first = ''] = words;
	const diskGb = order.creation.disk.value;
	if (words.length === 1 && isOfferId(first)) {
		return [await offerOf(client, Number(first), {order, signal})];
	}
	const wanted = await readWanted(context, client);
	// Without a bid the order is on demand, at another price than these offers.
	if (wanted.search.pricing === 'bid' && order.order.price === undefined) {
		throw new UsageError('The words look for bids: --bid DOLLARS says how much. Nothing was sent.');
	}
	const pricing = order.order.price === undefined ? wanted.search.pricing : 'bid';
	const {tries, ceilingPercent} = settings.fallback;
	const search = {...wanted.search, pricing, diskGb, limit: tries + 1};
	const {offers, unreadable} = await client.offers.search(search, {signal});
	const found = byCost(offers, {...wanted.job, diskGb});
	const [cheapest] = found;
	if (cheapest === undefined) {
		refuseUnreadable(unreadable, 'offers', NOTHING);
		const why = await explainZero(client, {...wanted, search}, signal);
		throw new CommandError(exitCodes.notFound, `${why} ${NOTHING}`);
	}
	tellUnreadable(context.output, unreadable, 'offers');
	const ceiling = (priceOf(cheapest, order) ?? 0) * (1 + ceilingPercent / 100);
	return found.filter(
		offer => (priceOf(offer, order) ?? Number.POSITIVE_INFINITY) <= ceiling || offer === cheapest,
	);
}

/** One offer, as it is for this order. */
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
	const message = `Offer ${id} is gone: somebody took it, or it is not listed. ${NOTHING}`;
	throw new CommandError(exitCodes.notFound, message);
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
		label: order.creation.label.value,
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
		throw refusedFor(`It costs ${price}, more than --max-price ${most}.`);
	}
	const {spend} = context.settings;
	if (isWithin(perHour, numberOf(context, 'spend') ?? -1)) return;
	// Without a limit for all instances, the list is not needed.
	const fleet = spend.fleetMaxPerHour === null ? undefined : await openFleetLooks(context).look();
	const problem = spendProblem(spend, {perHour, fleetAtMost: fleet?.burn.atMost ?? 0});
	if (problem === undefined) return;
	const what = problem.of === 'rental' ? 'It costs' : 'All instances together would cost';
	const wouldBe = Number.isFinite(problem.wouldBe) ? priceOverLimit(problem.wouldBe) : price;
	const limit = pricePerHour(problem.limit);
	const help = '--spend DOLLARS allows it once.';
	throw refusedFor(`${what} ${wouldBe}, more than the ${limit} that the settings allow.`, help);
}

/** True if the price is known and within the limit. */
function isWithin(perHour: number | undefined, most: number): boolean {
	return perHour !== undefined && perHour <= most;
}

function refusedFor(why: string, help?: string): CommandError {
	const said = [why, NOTHING, ...(help === undefined ? [] : [help])];
	return new CommandError(exitCodes.overBudget, said.join(' '));
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

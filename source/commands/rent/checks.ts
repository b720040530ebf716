/** Refuses orders of `rentty rent` that cannot or must not be sent. */
import type {Client} from '../../client/client.ts';
import {costOf} from '../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {isFree} from '../../renter/offers/search.ts';
import {plainNumber, priceOverLimit} from '../../renter/text/format.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import {refuseOverBudget} from '../leases/budget-file.ts';
import {type Context, readNumberOption} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {mayHaveKey} from '../base/recent-facts.ts';
import type {RentOrder} from './order.ts';
import {isPriceWithin, refuseOverLimits} from '../leases/spending-limits.ts';

export const NOTHING = 'Nothing was created, and nothing is charged.';

function costAnHour(offer: Offer, {creation}: RentOrder) {
	const diskGb = creation.disk.value;
	return costOf(offer, {diskGb, hours: 1, inGbPerHour: 0, outGbPerHour: 0});
}

/** Hourly price of the instance while it is stopped: that of its disk. */
export function stoppedPriceOf(offer: Offer, order: RentOrder): number | undefined {
	return isFree(offer, order.own) ? 0 : costAnHour(offer, order).disk;
}

/** Hourly price of the running instance, without traffic. */
export function hourlyPriceOf(offer: Offer, rentOrder: RentOrder): number | undefined {
	const {order, own} = rentOrder;
	if (isFree(offer, own)) return 0;
	const cost = costAnHour(offer, rentOrder);
	if (typeof order.price !== 'number') return cost.running;
	// A bid is for the machine; its disk comes on top.
	return cost.disk === undefined ? undefined : order.price + cost.disk;
}

/** Checks before anything is sent. @throws UsageError, CommandError */
export async function checkRent(
	context: Context,
	client: Client,
	{offer, order}: {readonly offer: Offer; readonly order: RentOrder},
): Promise<void> {
	refuseBid(offer, order);
	refuseDisk(offer, order);
	await refuseSpending(context, hourlyPriceOf(offer, order));
	await refuseOverBudget(context, client, {
		perHour: hourlyPriceOf(offer, order),
		label: shownLabel(order.creation.label.value),
	});
	await warnOfKeys(context, client, order);
}

function refuseBid({min_bid: least}: Offer, {order: {price}}: RentOrder): void {
	if (typeof price !== 'number' || typeof least !== 'number' || price >= least) return;
	throw new UsageError(
		`The bid ${price} is below the least of ${plainNumber(least)} $/h. Nothing was sent.`,
	);
}

export function refuseDisk({disk_space: free}: Offer, {creation: {disk}}: RentOrder): void {
	if (typeof free !== 'number' || disk.value <= free) return;
	throw new UsageError(
		`The disk of ${disk.value} GB is more than the ${Math.floor(free)} GB of the offer. Nothing was sent.`,
	);
}

/** Refuses a price beyond `--max-price` or the settings' limit. */
async function refuseSpending(context: Context, perHour: number | undefined): Promise<void> {
	const most = readNumberOption(context, 'max-price');
	const price = perHour === undefined ? 'an unknown price' : priceOverLimit(perHour);
	if (most !== undefined && !isPriceWithin(perHour, most)) {
		const why = `It costs ${price}, more than --max-price ${most}.`;
		throw new CommandError(exitCodes.overBudget, `${why} ${NOTHING}`);
	}
	await refuseOverLimits(context, {perHour, nothing: NOTHING});
}

async function warnOfKeys(
	context: Context,
	client: Client,
	{order, creation}: RentOrder,
): Promise<void> {
	if (creation.launch.value.mode === 'args') return;
	if (await mayHaveKey(context, client)) return;
	const help = 'rentty keys add ~/.ssh/id_ed25519.pub registers one';
	if (order.vm === true) {
		throw new UsageError(
			`A VM needs a registered SSH key before it is rented: ${help}. ${NOTHING}`,
		);
	}
	context.output.say(`rentty: No SSH key is registered, so nobody can enter by SSH: ${help}.`);
}

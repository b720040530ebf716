/**
 * Price increases of machines. A rental keeps its prices until its renter accepts the new ones,
 * which then apply from the end of the present contract.
 */
import {Refusal} from '../base/refusal.ts';
import {openEnd} from '../base/contract-end.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import type {PriceIncreaseRow} from '../database/provider-tables.ts';
import {findPresent, instancesOn, updateInstance} from '../lifecycle/instances-store.ts';
import {offersOn} from '../offers/store.ts';
import {
	answerIncrease,
	endIncreases,
	dueIncreases,
	increasesOf,
	insertIncrease,
	findLastNotice,
	openIncreases,
	type IncreaseOfRental,
} from './store.ts';
import type {OfferRow} from '../database/schema.ts';
import {writing} from '../database/writing.ts';
import {billInstance} from '../lifecycle/change.ts';
import {formatInstanceName, notifyAccount} from '../notifications/notify-renter.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Minimum interval between notifications of increases to the renter of a rental. */
const NOTIFY_EVERY_SECONDS = DAY;

const prices = ['gpu_micros', 'storage_micros', 'up_micros', 'down_micros'] as const;

type Prices = Pick<InstanceRow, (typeof prices)[number]>;

/**
 * Updates the increases of a machine's rentals to its offers' present prices. Call it in the
 * transaction that changes the offers.
 */
export async function noteIncreases(
	database: Database,
	machineId: number,
	now: number,
): Promise<void> {
	const rentals = (await instancesOn(database, machineId)).filter(
		({end_date: end, account_id, host_account_id}) => end > now && account_id !== host_account_id,
	);
	const offers = new Map((await offersOn(database, machineId)).map(offer => [offer.id, offer]));
	const ids = rentals.map(({id}) => id);
	const known = await increasesOf(database, ids);
	for (const rental of rentals) {
		const theirs = known.filter(({instance_id: id}) => id === rental.id);
		const offer = offers.get(rental.ask_id);
		const wanted = offer?.listed === 1 ? pricesOf(rental, offer) : undefined;
		// Increases with accepted prices need no new answer; the latest accepted prices hold the
		// longest.
		const accepted = theirs.find(({state}) => state === 'accepted');
		const isBack = wanted !== undefined && prices.every(name => wanted[name] <= rental[name]);
		const agreed = accepted === undefined || isBack ? rental : accepted;
		const isHigher = wanted !== undefined && prices.some(name => wanted[name] > agreed[name]);
		const isKnown = (increase: PriceIncreaseRow) =>
			wanted !== undefined &&
			stands(increase, offer) &&
			prices.every(name => wanted[name] === increase[name]);
		const stale = theirs.filter(row =>
			row.state === 'accepted' ? isBack : row.state === 'open' && !(isHigher && isKnown(row)),
		);
		await endIncreases(
			database,
			stale.map(({id}) => id),
		);
		if (!isHigher || theirs.some(isKnown)) continue;
		await announce(database, rental, {...wanted, offered_until: endOf(offer)}, now);
	}
}

const endOf = (offer: OfferRow | undefined) => offer?.end_date ?? null;

/**
 * True if an earlier announcement still holds: it was rejected, or the offer does not end before
 * the announced end.
 */
function stands({state, offered_until: until}: PriceIncreaseRow, offer: OfferRow | undefined) {
	return (
		state === 'rejected' || (state === 'open' && (until ?? Infinity) <= (endOf(offer) ?? Infinity))
	);
}

type Announced = Prices & Pick<PriceIncreaseRow, 'offered_until'>;

async function announce(database: Database, rental: InstanceRow, terms: Announced, now: number) {
	const lastNotifiedAt = await findLastNotice(database, rental.id);
	const isNotifiedLately = lastNotifiedAt > now - NOTIFY_EVERY_SECONDS;
	const times = {
		created_at: now,
		holds_from: null,
		told_at: isNotifiedLately ? lastNotifiedAt : now,
	};
	await insertIncrease(database, {instance_id: rental.id, state: 'open', ...times, ...terms});
	if (isNotifiedLately) return;
	await notifyAccount(database, rental.account_id, {
		kind: 'client:price_increase_pending',
		subject: `${formatInstanceName(rental)} shall cost more`,
		message: 'It keeps its price until its end. Accept the increase to keep it for longer.',
		at: now,
	});
}

/** Prices of an offer for an instance, whose bid stays the renter's own. */
function pricesOf(rental: InstanceRow, offer: OfferRow): Prices {
	return {
		gpu_micros: rental.is_bid === 1 ? rental.gpu_micros : offer.dph_base_micros,
		storage_micros: offer.storage_cost_micros,
		up_micros: offer.inet_up_cost_micros ?? 0,
		down_micros: offer.inet_down_cost_micros ?? 0,
	};
}

const MOST_INCREASES = 1000;

/** Open increases of an account, and whether there are more of them. */
export async function listIncreases(
	database: Database,
	accountId: number,
	now: number,
): Promise<{readonly increases: readonly IncreaseOfRental[]; readonly isCut: boolean}> {
	const found = await openIncreases(database, {accountId, now, limit: MOST_INCREASES + 1});
	return {increases: found.slice(0, MOST_INCREASES), isCut: found.length > MOST_INCREASES};
}

type Answer = {
	readonly id: number;
	readonly accountId: number;
	readonly isAccepted: boolean;
	readonly now: number;
};

/**
 * Accepts or rejects an increase, and returns the instance's id. After an acceptance, the instance
 * goes on until the end of its offer, at the new prices from its present end on.
 *
 * @throws Refusal if the account has no open increase with this id
 */
export async function decideIncrease(
	database: Database,
	{id, accountId, isAccepted, now}: Answer,
): Promise<number> {
	return writing(database, async transaction => {
		const {increases} = await listIncreases(transaction, accountId, now);
		const increase = increases.find(one => one.id === id);
		if (increase === undefined) {
			throw new Refusal('noPriceIncrease', `There is no price increase ${id} that waits.`);
		}
		const {instance_id: instanceId, rental, offered_until: until} = increase;
		const end = until ?? openEnd(now).end;
		if (isAccepted && end <= rental.end_date) {
			// The offer ends no later than the contract, so the new prices would never hold.
			await endIncreases(transaction, [id]);
		} else if (isAccepted) {
			await answerIncrease(transaction, id, {state: 'accepted', holds_from: rental.end_date});
			await updateInstance(transaction, instanceId, {end_date: end});
		} else await answerIncrease(transaction, id, {state: 'rejected', holds_from: null});
		return instanceId;
	});
}

/**
 * Applies accepted increases that have come due, after charging earlier usage at the old prices.
 */
export async function applyIncreases(database: Database, now: number): Promise<void> {
	for (const {id, instance_id: instanceId, ...due} of await dueIncreases(database, now).execute()) {
		await writing(database, async transaction => {
			const rental = await findPresent(transaction, instanceId);
			// The provider may have withdrawn the increase meanwhile.
			const accepted = (await increasesOf(transaction, [instanceId])).filter(
				({state}) => state === 'accepted',
			);
			await endIncreases(transaction, [id]);
			if (rental === undefined || !accepted.some(one => one.id === id)) return;
			await billInstance(transaction, rental, due.holds_from ?? now);
			const {storage_micros, up_micros, down_micros} = due;
			const gpu_micros = rental.is_bid === 1 ? rental.gpu_micros : due.gpu_micros;
			const terms = {gpu_micros, storage_micros, up_micros, down_micros};
			await updateInstance(transaction, instanceId, terms);
		});
	}
}

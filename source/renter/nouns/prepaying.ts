/** Paying ahead for an instance: the gain of a sum, and a single payment. */
import type {Client} from '../../client/client.ts';
import {classifyFailure} from '../../client/exchange/errors.ts';
import {depositFor, keptAtEnd, HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {isoDay, money, percent} from '../text/format.ts';

/** Gain of paying a sum ahead. Money is in dollars. */
type Prepayment = {
	/** Sum paid ahead in all, with the rest of earlier payments. */
	readonly total: number;
	/** Discount from 0 to 1 on computing and disk. */
	readonly rate: number;
	/** Time in seconds since 1970 until which the sum lasts if the instance runs all the time. */
	readonly until: number;
	/** Dollars that a destroy refunds at once, and after half of the sum is used. */
	readonly back: number;
	readonly backAtHalf: number;
};

type Payable = Pick<
	Instance,
	'credit_balance' | 'credit_discount_max' | 'dph_total' | 'end_date' | 'id' | 'is_bid'
>;

/** Reason why an instance cannot be paid ahead; undefined if it can, as far as known. */
export function notPrepayable({is_bid, credit_discount_max: most}: Payable): string | undefined {
	if (is_bid === true) return 'it was rented by a bid';
	return typeof most === 'number' && most > 0 ? undefined : 'its machine gives no discount for it';
}

/** Gain of paying a sum; undefined if the service does not send the price. */
export function prepaymentOf(instance: Payable, sum: number, now: number): Prepayment | undefined {
	const {dph_total: hourly, credit_discount_max: most, credit_balance: left} = instance;
	if (typeof hourly !== 'number' || hourly <= 0 || typeof most !== 'number') return undefined;
	const total = (left ?? 0) + sum;
	const {months, rate} = depositFor(total, hourly, most);
	const half = total / 2;
	const received = rate < 1 ? (half * rate) / (1 - rate) : 0;
	return {
		total,
		rate,
		until: now + months * HOURS_PER_MONTH * 3600,
		back: total,
		backAtHalf: half - keptAtEnd(half * 1e6, received * 1e6) / 1e6,
	};
}

/** Reason against a sum; undefined if it may be paid. */
export function refuseSum(instance: Payable, sum: number, now: number): string | undefined {
	if (!Number.isFinite(sum) || sum < 0.01 || sum > 1e6) {
		return 'A sum is a number of dollars, of at least 0.01.';
	}
	const end = instance.end_date;
	const paid = prepaymentOf(instance, sum, now);
	if (paid === undefined || typeof end !== 'number' || paid.until <= end) return undefined;
	return `That lasts longer than the rental, which ends on ${isoDay(end)}.`;
}

export function prepayFacts(
	instance: Payable,
	sum: number,
	now: number,
): ReadonlyArray<readonly [title: string, text: string]> {
	const paid = prepaymentOf(instance, sum, now);
	const before = instance.credit_balance ?? 0;
	const added = before > 0 ? `, beside ${money(before)} that is left of earlier` : '';
	const sumFact = ['Sum', `${money(sum)} from the credit${added}`] as const;
	if (paid === undefined) return [sumFact];
	return [
		sumFact,
		[
			'Discount',
			`${percent(paid.rate)} % off computing and disk while it lasts; traffic costs the same`,
		],
		['Lasts', `until ${isoDay(paid.until)} where it runs all the time`],
		[
			'Destroyed early',
			`${money(paid.back)} comes back at once, ${money(paid.backAtHalf)} after half is used: what is left, less 1.05 times the discount received`,
		],
	];
}

type Paid =
	| {
			readonly kind: 'paid';
			readonly months?: number | undefined;
			readonly rate?: number | undefined;
	  }
	/** The service refused or was not reached: nothing was paid. */
	| {readonly kind: 'not paid'; readonly error: unknown}
	/** The reply was lost, and no poll shows the sum yet: it may still be taken. */
	| {readonly kind: 'unknown'; readonly error: unknown};

type Paying = {
	readonly instance: Pick<Payable, 'id'>;
	/** Dollars. */
	readonly sum: number;
	readonly signal?: AbortSignal | undefined;
	/** Waits before each poll after a lost reply, in milliseconds. */
	readonly pollsMs?: readonly number[];
	readonly pause: (ms: number) => Promise<unknown>;
};

const POLLS_MS = [500, 2000, 5000];

/** Pays a sum by one request. After a lost reply it only polls, and never pays a second time. */
export async function payAhead(client: Client, paying: Paying): Promise<Paid> {
	const {instance, sum, signal, pollsMs = POLLS_MS, pause} = paying;
	let before: number | undefined;
	try {
		// Read now: another payment during the review would look like this one.
		before = leftOf(await client.instances.show(instance.id, {signal}));
		const {months, discountRate} = await client.instances.prepay(instance.id, sum, {signal});
		return {kind: 'paid', months, rate: discountRate};
	} catch (error) {
		if (before === undefined || classifyFailure(error) !== 'lost') return {kind: 'not paid', error};
		for (const ms of pollsMs) {
			await pause(ms);
			const record = await client.instances.show(instance.id).catch(() => undefined);
			// A part of the sum may already be used up.
			if (leftOf(record) - before > sum / 2)
				return {kind: 'paid', rate: record?.credit_discount ?? undefined};
		}
		return {kind: 'unknown', error};
	}
}

function leftOf(instance: Instance | undefined): number {
	return instance?.credit_balance ?? 0;
}

export function paidText({id}: Payable, sum: number, paid: Paid): string {
	if (paid.kind === 'paid') {
		const off = typeof paid.rate === 'number' ? `, at ${percent(paid.rate)} % off` : '';
		return `${money(sum)} is paid ahead for instance ${id}${off}.`;
	}
	if (paid.kind === 'not paid') return `Nothing was paid for instance ${id}`;
	return `Whether ${money(sum)} was paid for instance ${id} is not known, and no look shows it so far. Look at what is paid ahead before you pay again`;
}

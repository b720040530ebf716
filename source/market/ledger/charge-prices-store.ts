/** Prices of charges: sums of charges with new usage, and the accounts that pay. */
import type {ChargeRow, ChargesTable} from '../database/instance-tables.ts';

export type ChargedSource = {
	readonly accountId: number;
	readonly source: ChargesTable['source'];
	readonly sourceId: number;
};

export type ChargedUsage = Pick<ChargesTable, 'item' | 'day' | 'quantity'> & {
	readonly rateMicros: number;
	readonly from: number;
	readonly until: number;
	/** Total cost of a quantity. */
	readonly priceOf: (quantity: number) => number;
	/** Total cost without the deposit's discount. */
	readonly fullPriceOf?: (quantity: number) => number;
};

/** Money paid ahead for a source, whose usage has a discount while some is left. */
type Deposit = {
	readonly micros: number;
	/** Charged time, in milliseconds since 1970. */
	readonly fromMs: number;
	readonly untilMs: number;
	/** Usage at the discount before a moment, and at the full price from then on. */
	readonly usagesAt: (ms: number) => {
		readonly before: readonly ChargedUsage[];
		readonly after: readonly ChargedUsage[];
	};
};

/** Uncharged usage of a source, priced as if a deposit covered all of it. */
export type Bill = ChargedSource & {
	readonly usages: readonly ChargedUsage[];
	readonly deposit?: Deposit | undefined;
};

export type PricedCharge = {
	readonly row: Omit<ChargeRow, 'id'>;
	/** Additional cost, and the part of it that a deposit pays. */
	readonly addedMicros: number;
	readonly prepaidMicros: number;
	readonly discountMicros: number;
};

/** Most debt of an account: charges beyond it are not made. */
export const MOST_DEBT_MICROS = 100_000_000;

/** Interval of checks for accounts without credit, whose GPU use is stopped. */
export const CREDIT_CHECK_SECONDS = 5;

function costUntilNextCreditCheck(hourlyMicros: number): number {
	return Math.ceil((hourlyMicros * CREDIT_CHECK_SECONDS) / 3600);
}

/**
 * Most debt that usage may cause: none for traffic, because a renter's peer can cause any amount,
 * and for GPUs the cost until the next check.
 */
export function mostDebtMicros({
	item,
	rateMicros,
}: Pick<ChargedUsage, 'item' | 'rateMicros'>): number {
	if (item === 'bwu' || item === 'bwd') return 0;
	return item === 'gpu'
		? Math.min(MOST_DEBT_MICROS, costUntilNextCreditCheck(rateMicros))
		: MOST_DEBT_MICROS;
}

/** A charge with the part of new usage that the money covers; undefined for none. */
export function withinMeans(
	before: Sum | undefined,
	usage: ChargedUsage,
	leftMicros: number,
): Sum | undefined {
	const whole = sumOf(before, usage);
	const added = whole.amount_micros - (before?.amount_micros ?? 0);
	if (added === 0 || added <= leftMicros) return whole;
	const quantity = Math.floor(usage.quantity * (Math.max(0, leftMicros) / added));
	return quantity === 0 ? undefined : sumOf(before, {...usage, quantity});
}

type Sum = Pick<ChargeRow, 'quantity' | 'amount_micros' | 'first_at' | 'last_at'>;

export function sumOf(
	{quantity: before, first_at, last_at}: Partial<Sum> = {},
	{quantity, from, until, priceOf}: ChargedUsage,
): Sum {
	const total = Math.min((before ?? 0) + quantity, MOST);
	return {
		quantity: total,
		amount_micros: priceOf(total),
		first_at: first_at ?? from,
		last_at: Math.max(last_at ?? until, until),
	};
}

type Key = Pick<ChargesTable, 'source' | 'source_id' | 'item' | 'day' | 'rate_micros'>;

/** A charge that was made, and charges by their keys. */
export type ChargedSum = Sum & Pick<ChargeRow, 'prepaid_micros'>;
type KnownCharges = ReadonlyMap<string, ChargedSum>;

export function chargeKeyOf(
	{source, sourceId}: Omit<ChargedSource, 'accountId'>,
	{item, day, rateMicros}: ChargedUsage,
): Key {
	return {source, source_id: sourceId, item, day, rate_micros: rateMicros};
}

export function chargeKey({source, source_id, item, day, rate_micros}: Key): string {
	return `${source} ${source_id} ${item} ${day} ${rate_micros}`;
}

/** Largest exact number, which only a host's false traffic could reach. */
const MOST = Number.MAX_SAFE_INTEGER;

type Charged = {
	readonly key: Key;
	readonly accountId: number;
	/** Rest of a deposit. */
	readonly deposit: number;
};

type Sums = {readonly start: ChargedSum | undefined; readonly present: Sum};

/** A charge with new usage, paid from a deposit first. */
export function pricedCharge(
	{key, accountId, deposit}: Charged,
	{fullPriceOf}: ChargedUsage,
	{start, present}: Sums,
): PricedCharge {
	const addedMicros = present.amount_micros - (start?.amount_micros ?? 0);
	const prepaidMicros = Math.min(deposit, addedMicros);
	const full =
		fullPriceOf === undefined
			? addedMicros
			: fullPriceOf(present.quantity) - fullPriceOf(start?.quantity ?? 0);
	const prepaid_micros = (start?.prepaid_micros ?? 0) + prepaidMicros;
	return {
		row: {...key, account_id: accountId, ...present, prepaid_micros},
		addedMicros,
		prepaidMicros,
		discountMicros: full - addedMicros,
	};
}

/** A charge that two usages add to. */
export function together(before: PricedCharge | undefined, after: PricedCharge): PricedCharge {
	if (before === undefined) return after;
	return {
		row: after.row,
		addedMicros: before.addedMicros + after.addedMicros,
		prepaidMicros: before.prepaidMicros + after.prepaidMicros,
		discountMicros: before.discountMicros + after.discountMicros,
	};
}

/**
 * Usage of a bill at its prices. A deposit is empty at the first moment at which the usage costs as
 * much, however often it is charged before.
 */
export function usagesOf({deposit, ...bill}: Bill, known: KnownCharges): readonly ChargedUsage[] {
	const costOf = (usages: readonly ChargedUsage[]) =>
		usages.reduce((sum, usage) => {
			const before = known.get(chargeKey(chargeKeyOf(bill, usage)));
			return sum + sumOf(before, usage).amount_micros - (before?.amount_micros ?? 0);
		}, 0);
	if (deposit === undefined || costOf(bill.usages) < deposit.micros) return bill.usages;
	let [before, empty] = [deposit.fromMs, deposit.untilMs];
	while (empty - before > 1) {
		const middle = Math.floor((before + empty) / 2);
		if (costOf(deposit.usagesAt(middle).before) < deposit.micros) before = middle;
		else empty = middle;
	}
	const usages = deposit.usagesAt(empty);
	return [...usages.before, ...usages.after];
}

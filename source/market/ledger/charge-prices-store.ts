/** Prices of what is charged: the sums of charges with what was used since, and who pays for it. */
import type {ChargeRow, ChargesTable} from '../database/instance-tables.ts';

/** Something that is charged for. */
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
	/** Its cost without the discount for what is paid ahead. */
	readonly fullPriceOf?: (quantity: number) => number;
};

/** Money that was paid ahead for a source: its usage is cheaper while some is left. */
export type Deposit = {
	readonly micros: number;
	/** The stretch of time that is charged, in milliseconds since 1970. */
	readonly fromMs: number;
	readonly untilMs: number;
	/** Usage at the discount before a moment, and at the full price from then on. */
	readonly usagesAt: (ms: number) => {
		readonly before: readonly ChargedUsage[];
		readonly after: readonly ChargedUsage[];
	};
};

/** Usage of one source that is not charged yet: with a deposit, as if that lasted. */
export type Bill = ChargedSource & {
	readonly usages: readonly ChargedUsage[];
	readonly deposit?: Deposit | undefined;
};

/** A charge as it stands with what was used since. */
export type PricedCharge = {
	readonly row: Omit<ChargeRow, 'id'>;
	/** Additional cost, and the part of it that a deposit pays. */
	readonly addedMicros: number;
	readonly prepaidMicros: number;
	/** Discount that it had. */
	readonly discountMicros: number;
};

/** Lowest balance of an account: charges beyond it are not made. */
export const MOST_DEBT_MICROS = 100_000_000;

/** So often at least it is looked whose credit is used up, and who uses GPUs without any is stopped. */
export const LOOK_EVERY_SECONDS = 5;

/** Cost of what is used of GPUs between two looks at credit. */
export function costUntilLook(hourlyMicros: number): number {
	return Math.ceil((hourlyMicros * LOOK_EVERY_SECONDS) / 3600);
}

/** True of credit that is used up, or would be before somebody looks at it. */
export function isTooLittle(creditMicros: number, hourlyMicros: number): boolean {
	return creditMicros <= 0 || creditMicros < costUntilLook(hourlyMicros);
}

/**
 * Debt that a use may leave. Traffic is counted by others than who pays for it, and leaves none; GPUs
 * leave what they cost until somebody looks, at any price.
 */
export function mostDebtMicros({
	item,
	rateMicros,
}: Pick<ChargedUsage, 'item' | 'rateMicros'>): number {
	if (item === 'bwu' || item === 'bwd') return 0;
	return item === 'gpu' ? Math.min(MOST_DEBT_MICROS, costUntilLook(rateMicros)) : MOST_DEBT_MICROS;
}

/** A charge with as much of what was used since as there is money for; undefined for none of it. */
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

/** A charge with what was used since. */
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

export type Key = Pick<ChargesTable, 'source' | 'source_id' | 'item' | 'day' | 'rate_micros'>;

/** A charge that was made, and all of them by their keys. */
export type ChargedSum = Sum & Pick<ChargeRow, 'prepaid_micros'>;
export type KnownCharges = ReadonlyMap<string, ChargedSum>;

export function keyOf(
	{source, sourceId}: Omit<ChargedSource, 'accountId'>,
	{item, day, rateMicros}: ChargedUsage,
): Key {
	return {source, source_id: sourceId, item, day, rate_micros: rateMicros};
}

export function chargeKey({source, source_id, item, day, rate_micros}: Key): string {
	return `${source} ${source_id} ${item} ${day} ${rate_micros}`;
}

/** Largest exact number. Only made-up traffic of a host ever comes near it. */
const MOST = Number.MAX_SAFE_INTEGER;

type Charged = {
	readonly key: Key;
	readonly accountId: number;
	/** Money of a deposit that is left. */
	readonly deposit: number;
};

type Sums = {readonly start: ChargedSum | undefined; readonly present: Sum};

/** What a charge comes to with a usage, of which a deposit pays what it can. */
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
 * Usage of a bill at its prices: a deposit is empty at the first moment at which what was used costs
 * as much, however often it is charged until then.
 */
export function usagesOf({deposit, ...bill}: Bill, known: KnownCharges): readonly ChargedUsage[] {
	const costOf = (usages: readonly ChargedUsage[]) =>
		usages.reduce((sum, usage) => {
			const before = known.get(chargeKey(keyOf(bill, usage)));
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

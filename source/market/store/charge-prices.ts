/** Prices of what is charged: the sums of charges with what was used since. */
import type {ChargeRow, ChargesTable} from './instance-tables.ts';

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
};

/** Usage of one source that is not charged yet. */
export type Bill = ChargedSource & {readonly usages: readonly ChargedUsage[]};

/** A charge as it stands with what was used since. */
export type PricedCharge = {
	readonly row: Omit<ChargeRow, 'id'>;
	/** Additional cost. */
	readonly addedMicros: number;
};

/** Lowest balance of an account: charges beyond it are not made. */
export const MOST_DEBT_MICROS = 100_000_000;

/** Traffic is counted by others than who pays for it, and never makes debts. */
export function mostDebtMicros(item: ChargedUsage['item']): number {
	return item === 'bwu' || item === 'bwd' ? 0 : MOST_DEBT_MICROS;
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

export type Sum = Pick<ChargeRow, 'quantity' | 'amount_micros' | 'first_at' | 'last_at'>;

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

export function chargeKey({source, source_id, item, day, rate_micros}: Key): string {
	return `${source} ${source_id} ${item} ${day} ${rate_micros}`;
}

/** Largest exact number. Only made-up traffic of a host ever comes near it. */
const MOST = Number.MAX_SAFE_INTEGER;

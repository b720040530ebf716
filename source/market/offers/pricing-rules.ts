/** Prices of an offer record. Searches have the same formulas in `table-rules.ts`. */
import type {Pricing} from '../../contract/nouns/offer-search.ts';
import type {OfferFacts} from '../database/schema.ts';
import {GB_PER_TB, HOURS_PER_MONTH, discountAfter} from '../../contract/nouns/offer-cost.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

/** Columns of a price, with money in micro-dollars. */
export const priceColumns = [
	'dph_base_micros',
	'min_bid_micros',
	'storage_cost_micros',
	'inet_up_cost_micros',
	'inet_down_cost_micros',
	'credit_discount_max',
	'gpu_total_ram',
	'dlperf',
	'total_flops',
] as const satisfies ReadonlyArray<keyof OfferFacts>;

export type PriceFacts = Pick<OfferFacts, (typeof priceColumns)[number]>;

export type PriceTerms = {readonly pricing: Pricing; readonly diskGb: number};

/** Hourly price of the GPUs alone; null for an offer that is not available on these terms. */
export function baseMicros(
	offer: Pick<PriceFacts, 'dph_base_micros' | 'min_bid_micros'>,
	pricing: Pricing,
): number | null {
	return pricing === 'bid' ? offer.min_bid_micros : offer.dph_base_micros;
}

/** Months paid ahead in the shown price of reserved offers. */
const RESERVED_MONTHS = 1;

/** Dollars an hour for one GB at a monthly price. */
export function gbHour(micros: number | null): number | null {
	const month = toDollars(micros);
	return month === null ? null : month / HOURS_PER_MONTH;
}

/** All prices of an offer in dollars, by their API names. */
export function pricesOf(offer: PriceFacts, {pricing, diskGb}: PriceTerms) {
	const base = toDollars(baseMicros(offer, pricing));
	if (base === null) throw new RangeError('an offer that takes no bids has no price by bid');
	const storage = offer.storage_cost_micros / MICROS_PER_DOLLAR;
	const diskHour = (storage * diskGb) / HOURS_PER_MONTH;
	const total = base + diskHour;
	const discountRate =
		pricing === 'reserved' ? discountAfter(RESERVED_MONTHS, offer.credit_discount_max ?? 0) : 0;
	const discount = total * discountRate;
	const up = toDollars(offer.inet_up_cost_micros);
	const down = toDollars(offer.inet_down_cost_micros);
	return {
		dph_base: base,
		dph_total: total,
		dph_total_adj: total,
		min_bid: toDollars(offer.min_bid_micros),
		is_bid: pricing === 'bid',
		storage_cost: storage,
		storage_total_cost: diskHour,
		vram_costperhour: ratio(total, offer.gpu_total_ram),
		dlperf_per_dphtotal: ratio(offer.dlperf, total),
		flops_per_dphtotal: ratio(offer.total_flops, total),
		inet_up_cost: up,
		inet_down_cost: down,
		internet_up_cost_per_tb: up === null ? null : up * GB_PER_TB,
		internet_down_cost_per_tb: down === null ? null : down * GB_PER_TB,
		credit_discount_max: offer.credit_discount_max,
		discount_rate: discountRate,
		discounted_hourly: discount,
		discounted_dph_total: total - discount,
		search: pricePartsOf(base, diskHour, discount),
		// Price in the present state, in which no GPU is in use.
		instance: pricePartsOf(0, diskHour, 0),
	};
}

export type OfferPrices = ReturnType<typeof pricesOf>;

/** A price part by part, by API names. */
export function pricePartsOf(gpuCostPerHour: number, diskHour: number, discountTotalHour: number) {
	const totalHour = gpuCostPerHour + diskHour;
	return {
		gpuCostPerHour,
		diskHour,
		totalHour,
		discountTotalHour,
		discountedTotalPerHour: totalHour - discountTotalHour,
	};
}

export function toDollars(micros: number | null): number | null {
	return micros === null ? null : micros / MICROS_PER_DOLLAR;
}

export function ratio(value: number | null, by: number | null): number | null {
	return value === null || by === null || by === 0 ? null : value / by;
}

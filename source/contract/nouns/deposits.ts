/** Paying ahead: for how long, at what discount, and what is returned. Money is in micro-dollars. */
import {HOURS_PER_MONTH} from '../grammar/units.ts';

export type Deposited = {
	/** Months of running all the time that a deposit pays for. */
	readonly months: number;
	/** Discount on computing and disk, from 0 to 1. */
	readonly rate: number;
};

/**
 * Months that a deposit pays for: the longer, the higher the discount, so that a month has half of
 * the most, and three months three quarters of it. Infinite where the price would be nothing.
 *
 * @param most The advertised discount, from 0 to 1.
 */
export function depositFor(micros: number, hourlyMicros: number, most: number): Deposited {
	const monthly = hourlyMicros * HOURS_PER_MONTH;
	// The months m of which `monthly * m * (1 - most * m / (m + 1))` is the price.
	const more = monthly - micros;
	const root = Math.sqrt(more * more + 4 * monthly * (1 - most) * micros);
	const months = (2 * micros) / (more + root);
	return {months, rate: discountAfter(months, most)};
}

/** Price of so many months, paid ahead. */
export function priceOfMonths(months: number, hourlyMicros: number, most: number): number {
	return hourlyMicros * HOURS_PER_MONTH * months * (1 - discountAfter(months, most));
}

/** The discount for paying so many months ahead. */
export function discountAfter(months: number, most: number): number {
	return most * (months / (months + 1));
}

/** A price at a discount. */
export function discounted(micros: number, rate: number): number {
	return Math.round(micros * (1 - rate));
}

/** Share of the discount received that an early end costs. */
const EARLY_END = 1.05;

/** The part of a deposit that its renter does not get back at an early end. */
export function keptAtEnd(leftMicros: number, discountMicros: number): number {
	return Math.min(leftMicros, Math.round(discountMicros * EARLY_END));
}

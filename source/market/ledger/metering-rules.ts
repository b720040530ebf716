/** Costs of time and traffic. Money is in whole micro-dollars; time is in whole milliseconds. */
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import type {ChargeItem} from '../database/instance-tables.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {DAY_MS, HOUR_MS} from '../../contract/rules/durations.ts';

const BYTES_PER_GB = 1_000_000_000;

/** Usage of a charge: an item on a day at a rate, whose quantity only grows. */
export type MeteredUsage = {
	readonly item: ChargeItem;
	/** Days since 1970 in UTC. */
	readonly day: number;
	/** Micro-dollars an hour, per GB and month, or per GB. */
	readonly rateMicros: number;
	/** Milliseconds, GB-milliseconds, bytes or micro-dollars. */
	readonly quantity: number;
	/** Time of the usage, in seconds since 1970. */
	readonly from: number;
	readonly until: number;
};

/** Quantity of each item that its rate is for. */
const units: Readonly<Record<ChargeItem, number>> = {
	gpu: HOUR_MS,
	disk: HOURS_PER_MONTH * HOUR_MS,
	bwd: BYTES_PER_GB,
	bwu: BYTES_PER_GB,
	end: MICROS_PER_DOLLAR,
};

/** Hours, GB-months or GB in a quantity of an item: the unit of its rate. */
export function unitsOf(item: ChargeItem, quantity: number): number {
	return quantity / units[item];
}

/** Cost of a quantity of an item, rounded once, so that no fractions are lost. */
export function amountMicros(item: ChargeItem, quantity: number, rateMicros: number): number {
	// A double is exact enough away from a half, and takes a tenth of the time.
	const amount = quantity * (rateMicros / units[item]) + 0.5;
	const whole = Math.floor(amount);
	const isClear = amount < 1e9 && amount - whole > 1e-6 && amount - whole < 1 - 1e-6;
	return isClear ? whole : exactMicros(item, quantity, rateMicros);
}

function exactMicros(item: ChargeItem, quantity: number, rateMicros: number): number {
	// BigInt: a month of a large disk in GB-milliseconds exceeds a double.
	const exact = BigInt(quantity) * BigInt(rateMicros);
	const unit = BigInt(units[item]);
	return Number((exact + unit / 2n) / unit);
}

export type Meters = {readonly compute: boolean; readonly disk: boolean};

export type ChargeRates = {
	/** Micro-dollars an hour. */
	readonly gpuMicros: number;
	/** Micro-dollars per GB and month. */
	readonly storageMicros: number;
	readonly diskGb: number;
};

/**
 * Usage of a time in one state, day by day. Adjoining times cost as much as
 * one.
 */
export function meterUsage(
	from: number,
	until: number,
	meters: Meters,
	rates: ChargeRates,
): readonly MeteredUsage[] {
	return daysBetween(from, until).flatMap(({day, startMs, endMs, ...span}) => {
		const used: MeteredUsage[] = [];
		if (meters.compute)
			used.push({
				...span,
				day,
				item: 'gpu',
				rateMicros: rates.gpuMicros,
				quantity: endMs - startMs,
			});
		if (meters.disk) {
			const quantity = diskQuantity(startMs, endMs, rates.diskGb);
			used.push({...span, day, item: 'disk', rateMicros: rates.storageMicros, quantity});
		}
		return used.filter(({quantity}) => quantity > 0);
	});
}

/** GB-milliseconds of a disk, from rounded totals at both ends, for disks have fractions of a GB. */
export function diskQuantity(startMs: number, endMs: number, gb: number): number {
	return Math.round(endMs * gb) - Math.round(startMs * gb);
}

/** Traffic in bytes, charged on the day of its report. */
export function meterTraffic(
	item: 'bwd' | 'bwu',
	bytes: number,
	rateMicros: number,
	at: number,
): readonly MeteredUsage[] {
	if (bytes <= 0) return [];
	return [{item, day: dayNumberOf(at), rateMicros, quantity: bytes, from: at, until: at}];
}

/** Bytes since an earlier count. A smaller count is that of a host that has lost its last ones. */
export function trafficSince(before: number, count: number): number {
	return Math.max(0, count - before);
}

export function dayNumberOf(at: number): number {
	return Math.floor(toMs(at) / DAY_MS);
}

/** Days of a time, with its part of each in milliseconds. */
function daysBetween(from: number, until: number) {
	const [fromMs, untilMs] = [toMs(from), toMs(until)];
	const days = [];
	for (let start = fromMs; start < untilMs;) {
		const day = Math.floor(start / DAY_MS);
		const midnight = day * DAY_MS;
		const end = Math.min(untilMs, midnight + DAY_MS);
		days.push({
			day,
			from: start / 1000,
			until: end / 1000,
			startMs: start - midnight,
			endMs: end - midnight,
		});
		start = end;
	}
	return days;
}

/** Milliseconds of a moment. Moments are rounded, not durations, so that no millisecond is lost. */
export function toMs(seconds: number): number {
	return Math.round(seconds * 1000);
}

/** Costs of time and traffic. Money is in whole micro-dollars; time is in whole milliseconds. */
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import type {ChargeItem} from '../database/instance-tables.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

const MS_PER_HOUR = 3_600_000;
export const MS_PER_DAY = 24 * MS_PER_HOUR;
const BYTES_PER_GB = 1_000_000_000;

/** Usage charged as one: an item on a day at a rate. Its quantity only grows. */
export type Usage = {
	readonly item: ChargeItem;
	/** Days since 1970 in UTC. */
	readonly day: number;
	/** Micro-dollars an hour, per GB and month, or per GB. */
	readonly rateMicros: number;
	/** Milliseconds, GB-milliseconds, bytes or micro-dollars. */
	readonly quantity: number;
	/** The seconds since 1970 between which it was used. */
	readonly from: number;
	readonly until: number;
};

/** Quantity of each item that its rate is for. */
const units: Readonly<Record<ChargeItem, number>> = {
	gpu: MS_PER_HOUR,
	disk: HOURS_PER_MONTH * MS_PER_HOUR,
	bwd: BYTES_PER_GB,
	bwu: BYTES_PER_GB,
	end: MICROS_PER_DOLLAR,
};

/** Hours, GB-months or GB in a quantity of an item: the unit of its rate. */
export function unitsOf(item: ChargeItem, quantity: number): number {
	return quantity / units[item];
}

/** Cost of a quantity of an item: rounded once, so that no fraction is lost on the way. */
export function amountMicros(item: ChargeItem, quantity: number, rateMicros: number): number {
	// A double is off by far less than this, and takes a tenth of the time.
	const amount = quantity * (rateMicros / units[item]) + 0.5;
	const whole = Math.floor(amount);
	const isClear = amount < 1e9 && amount - whole > 1e-6 && amount - whole < 1 - 1e-6;
	return isClear ? whole : exactMicros(item, quantity, rateMicros);
}

function exactMicros(item: ChargeItem, quantity: number, rateMicros: number): number {
	// In integers without bounds: a month of a large disk in GB-milliseconds is beyond a double.
	const exact = BigInt(quantity) * BigInt(rateMicros);
	const unit = BigInt(units[item]);
	return Number((exact + unit / 2n) / unit);
}

export type Meters = {readonly compute: boolean; readonly disk: boolean};

export type Rates = {
	/** Micro-dollars an hour. */
	readonly gpuMicros: number;
	/** Micro-dollars per GB and month. */
	readonly storageMicros: number;
	readonly diskGb: number;
};

/**
 * Usage of a stretch of time in one state, a day at a time. Adjoining stretches cost as much as
 * one.
 */
export function usageOf(
	from: number,
	until: number,
	meters: Meters,
	rates: Rates,
): readonly Usage[] {
	return daysBetween(from, until).flatMap(({day, startMs, endMs, ...span}) => {
		const used: Usage[] = [];
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

/** GB-milliseconds of a disk. Both ends are rounded, not what lies between: disks have fractions of a GB, too. */
export function diskQuantity(startMs: number, endMs: number, gb: number): number {
	return Math.round(endMs * gb) - Math.round(startMs * gb);
}

/** Bytes that went through, charged on the day on which they were told of. */
export function trafficOf(
	item: 'bwd' | 'bwu',
	bytes: number,
	rateMicros: number,
	at: number,
): readonly Usage[] {
	if (bytes <= 0) return [];
	return [{item, day: dayOf(at), rateMicros, quantity: bytes, from: at, until: at}];
}

/** The bytes behind an earlier count. One that is smaller than that is of a container made anew. */
export function trafficSince(before: number, count: number): number {
	return count >= before ? count - before : count;
}

export function dayOf(at: number): number {
	return Math.floor(toMs(at) / MS_PER_DAY);
}

/** The days that a stretch of time has a part in, with its ends as milliseconds of that day. */
function daysBetween(from: number, until: number) {
	const [fromMs, untilMs] = [toMs(from), toMs(until)];
	const days = [];
	for (let start = fromMs; start < untilMs;) {
		const day = Math.floor(start / MS_PER_DAY);
		const midnight = day * MS_PER_DAY;
		const end = Math.min(untilMs, midnight + MS_PER_DAY);
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

/** Moments are rounded, not lengths: what ends here begins there, and no millisecond is lost. */
export function toMs(seconds: number): number {
	return Math.round(seconds * 1000);
}

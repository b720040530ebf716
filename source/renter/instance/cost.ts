/** What an instance has cost since it was made: as far as that is certain, and at most. Dollars, without traffic. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {money} from '../text/format.ts';
import {madeAt, runningSince, lengthOf, type LookSpan} from './times.ts';

export type Cost = {
	readonly atLeast: number;
	/** Undefined where the price is not known, or since when it is there. */
	readonly atMost: number | undefined;
};

type Costed = {
	readonly instance: Instance;
	/** The service's time in milliseconds. */
	readonly now: number;
	/** The looks in a row that showed its present state. */
	readonly seen?: {readonly state: LookSpan | undefined} | undefined;
};

/**
 * Disk for all of its time, and GPUs for the time in which it is known to have run; at most for all
 * the time in which it was not seen to stand. No record says when it ran before its present start.
 */
export function costSoFar({instance, now, seen}: Costed): Cost {
	const {gpus, disk} = pricesOf(instance);
	const made = madeAt(instance, now);
	const {ranMs, stoodMs} = watchedTimes({instance, now, seen});
	// Nothing runs for longer than it is there.
	const ageMs = made === undefined ? ranMs : now - made;
	const perHour = {gpus: (gpus ?? 0) * (1 - paidShare(instance)), disk: disk ?? 0};
	const atLeast = (ageMs * perHour.disk + Math.min(ageMs, ranMs) * perHour.gpus) / HOUR_MS;
	if (made === undefined || gpus === undefined || disk === undefined) {
		return {atLeast, atMost: undefined};
	}
	const mayHaveRunMs = Math.max(0, ageMs - stoodMs);
	return {atLeast, atMost: (ageMs * disk + mayHaveRunMs * gpus) / HOUR_MS};
}

/** For how long it certainly ran until this moment, and for how long it certainly did not. */
function watchedTimes({instance, now, seen}: Costed) {
	const watchedMs = lengthOf(seen?.state);
	if (instance.actual_status !== 'running') return {ranMs: 0, stoodMs: watchedMs};
	const ranMs = Math.max(watchedMs, now - (runningSince(instance, now) ?? now));
	return {ranMs, stoodMs: 0};
}

/** Share of its price that falls away because it is paid ahead. */
function paidShare({credit_discount: discount}: Instance): number {
	return Math.min(1, Math.max(0, discount ?? 0));
}

/** Prices an hour of its GPUs while it runs, and of its disk; of all three that are sent, two tell the third. */
function pricesOf({dph_base: base, dph_total: total, storage_total_cost: storage}: Instance) {
	const disk = storage ?? (isPrice(total) && isPrice(base) ? Math.max(0, total - base) : undefined);
	const gpus = base ?? (isPrice(total) && isPrice(disk) ? Math.max(0, total - disk) : undefined);
	return {gpus: isPrice(gpus) ? gpus : undefined, disk: isPrice(disk) ? disk : undefined};
}

function isPrice(value: number | null | undefined): value is number {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** "$21.00 to $25.00", "$0.44" where both are the same to read, and "at least $1.33"; undefined for nothing known. */
export function costWords({atLeast, atMost}: Cost): string | undefined {
	if (atMost === undefined) return atLeast === 0 ? undefined : `at least ${money(atLeast)}`;
	const [least, most] = [money(atLeast), money(atMost)];
	return least === most ? most : `${least} to ${most}`;
}

/** Dollars that are paid ahead for instances and not used up. */
export function paidAhead(rows: ReadonlyArray<Pick<Costed, 'instance'>>): number {
	return rows.reduce((sum, {instance}) => sum + (instance.credit_balance ?? 0), 0);
}

const HOUR_MS = 3_600_000;

/** Use of a cap by the instances of its keys, and the limit that it exceeds. */
import type {Cap, CapUse} from '../../contract/grammar/caps.ts';
import {STOPPED_SECONDS} from '../../contract/nouns/leases.ts';
import type {InstanceRow, LeaseRow} from '../database/instance-tables.ts';
import {gpuIndexesOfMask} from '../base/gpu-mask.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {DAY, HOUR} from '../../contract/rules/durations.ts';

/** A present instance of a cap, with its lease and what it was charged in all. */
type CappedInstance = Pick<
	InstanceRow,
	'id' | 'intended' | 'gpu_mask' | 'gpu_micros' | 'storage_micros' | 'disk_gb' | 'billed_until'
> & {
	readonly lease: Omit<LeaseRow, 'instance_id' | 'changed_at'> | undefined;
	readonly chargedMicros: number;
};

export type CapFacts = {
	readonly instances: readonly CappedInstance[];
	/** Charges of all its instances, gone ones included, in micro-dollars. */
	readonly chargedMicros: number;
	readonly chargedTodayMicros: number;
	readonly now: number;
};

export function capUseOf({instances, now, ...charged}: CapFacts): CapUse {
	const midnight = (Math.floor(now / DAY) + 1) * DAY;
	const sum = (of: (instance: CappedInstance) => number) =>
		instances.reduce((total, instance) => total + of(instance), 0);
	const open = sum(one => costBetween(one, one.billed_until, now));
	const today = charged.chargedTodayMicros + open + sum(one => comingCost(one, now, midnight));
	const tomorrow = sum(one => comingCost(one, midnight, midnight + DAY));
	const all = charged.chargedMicros + open + sum(one => comingCost(one, now, Infinity));
	return {
		dollars_an_hour: sum(hourlyMicros) / MICROS_PER_DOLLAR,
		dollars_a_day: Math.max(today, tomorrow) / MICROS_PER_DOLLAR,
		dollars: all / MICROS_PER_DOLLAR,
		instances: instances.length,
		gpus: sum(({gpu_mask: mask}) => gpuIndexesOfMask(mask).length),
	};
}

/** Micro-dollars an hour: of a stopped instance, of its disk alone. */
function hourlyMicros(instance: CappedInstance): number {
	const disk = (instance.storage_micros * instance.disk_gb) / 720;
	return instance.intended === 'running' ? instance.gpu_micros + disk : disk;
}

function costBetween(instance: CappedInstance, from: number, until: number): number {
	if (until <= from) return 0;
	return (hourlyMicros(instance) * (until - from)) / HOUR;
}

/** Cost from a moment until another, or until the end of the lease if that is sooner. */
function comingCost(instance: CappedInstance, from: number, until: number): number {
	const hourly = hourlyMicros(instance);
	if (hourly === 0) return 0;
	const cost = costBetween(instance, from, Math.min(until, leaseEnd(instance)));
	const {lease, chargedMicros} = instance;
	if (lease?.max_cost_micros == null || lease.keep === 1 || lease.action !== 'destroy') return cost;
	return Math.min(cost, Math.max(0, lease.max_cost_micros - chargedMicros));
}

/** The latest moment at which a lease destroys its instance. */
function leaseEnd({lease}: CappedInstance): number {
	if (lease?.ends_at == null || lease.action === 'stop') return Infinity;
	const stopped = lease.action === 'stop-destroy' ? STOPPED_SECONDS : 0;
	return lease.ends_at + lease.grace_seconds + stopped;
}

/** Seconds by which an end may be late: clients count whole seconds, on a clock of their own. */
const CLOCKS_APART = 10;

/** Problem of an instance's lease under a cap; undefined for none. */
export function leaseProblem(
	{lease_hours: hours}: Cap,
	lease: CappedInstance['lease'],
	now: number,
): string | undefined {
	if (hours === undefined) return undefined;
	const end = lease?.ends_at == null ? Infinity : lease.ends_at + lease.grace_seconds;
	if (end <= now + hours * HOUR + CLOCKS_APART) return undefined;
	return `The cap of this key wants leases of at most ${hours} hours: ends_at can be ${Math.floor(now + hours * HOUR)}.`;
}

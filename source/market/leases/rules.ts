/** Leases: when each ends its instance, how it is stored and shown. */
import {STOPPED_SECONDS, type LeaseOrder, type LeaseRecord} from '../../contract/nouns/leases.ts';
import {Refusal} from '../base/refusal.ts';
import type {LeaseRow} from '../database/instance-tables.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

/** Row of a lease. A deadline in the past is refused as a typing error. */
export function leaseRow(order: LeaseOrder, instanceId: number, now: number): LeaseRow {
	const {ends_at: endsAt, max_cost: cost, action, grace_seconds: grace, keep} = order;
	if (typeof endsAt === 'number' && endsAt <= now) {
		throw new Refusal('badArguments', 'ends_at has passed already');
	}
	return {
		instance_id: instanceId,
		ends_at: endsAt ?? null,
		max_cost_micros: typeof cost === 'number' ? Math.round(cost * MICROS_PER_DOLLAR) : null,
		action: action ?? 'destroy',
		grace_seconds: grace ?? 0,
		keep: keep === true ? 1 : 0,
		changed_at: now,
	};
}

export function shownLease(row: LeaseRow | undefined): LeaseRecord | null {
	if (row === undefined) return null;
	const {ends_at, max_cost_micros: micros, action, grace_seconds, keep} = row;
	const max_cost = micros === null ? null : micros / MICROS_PER_DOLLAR;
	return {ends_at, max_cost, action, grace_seconds, keep: keep === 1};
}

export type LeaseEnd = {
	readonly act: 'stop' | 'destroy';
	readonly rule: 'deadline' | 'cost';
};

/** Due action of a lease at a moment; undefined for none. */
export function leaseEnd(lease: PresentLease, now: number): LeaseEnd | undefined {
	const {ends_at: endsAt, isRunning, grace_seconds: grace, action} = lease;
	if (endsAt !== null) {
		const isSecond = action === 'stop-destroy' && !isRunning;
		const act = actOf(lease);
		const due = endsAt + grace + (isSecond ? STOPPED_SECONDS : 0);
		if (act !== undefined && due <= now) return {act, rule: 'deadline'};
	}
	const {max_cost_micros: most, costMicros} = lease;
	if (most === null || lease.keep === 1 || costMicros < most) return undefined;
	// After "stop first", the deadline ends the stopped instance.
	const act = action === 'destroy' || isRunning ? actOf(lease) : undefined;
	return act && {act, rule: 'cost'};
}

function actOf({action, isRunning}: PresentLease): LeaseEnd['act'] | undefined {
	switch (action) {
		case 'stop':
			return isRunning ? 'stop' : undefined;
		case 'destroy':
			return 'destroy';
		case 'stop-destroy':
			return isRunning ? 'stop' : 'destroy';
	}
}

/** Lease after a stop by cost: the instance is destroyed an hour later. */
export function leaseRowAfterStop(lease: LeaseRow, rule: LeaseEnd['rule'], now: number) {
	if (lease.action !== 'stop-destroy' || rule === 'deadline') return undefined;
	const ends_at = now + STOPPED_SECONDS;
	return {...lease, ends_at, max_cost_micros: null, action: 'destroy', grace_seconds: 0} as const;
}

/** A lease of a present instance; `isRunning` also means waiting to run. */
export type PresentLease = LeaseRow & {readonly isRunning: boolean; readonly costMicros: number};

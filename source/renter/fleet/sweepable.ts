/** Instances that a sweep may destroy: their trouble is proven by evidence, and none is new. */
import {evidenceOf, isTrouble, loadingLimits, type Sight} from '../instance/condition.ts';
import {madeAt, MINUTE_MS, spokenTime} from '../instance/times.ts';
import type {FleetRow} from './fleet-state.ts';

/** Reason why a troubled instance is kept; undefined where it may be swept. */
export function whyLeft(row: Sight): string | undefined {
	const {ageMs} = evidenceOf(row);
	const limitMs = row.limits.bootMinutes * MINUTE_MS;
	const isNew = ageMs < limitMs;
	return isNew ? `made ${spokenTime(ageMs)} ago, a sweep waits ${spokenTime(limitMs)}` : undefined;
}

/** True if a sweep destroys it. */
export function isSweepable(row: FleetRow): boolean {
	return isTrouble(row.condition) && whyLeft(row) === undefined;
}

/**
 * True if it is older than a boot may take and does not run, but was not observed so for long enough to
 * be called stuck or dead.
 */
export function mayBeLost(row: FleetRow): boolean {
	const {instance, condition, limits, usualMs} = row;
	const isUnproven = ['provisioning', 'loading', 'slow', 'failing'].includes(condition);
	const limitMs =
		(instance.actual_status ?? null) === null
			? limits.nullStuckMinutes * MINUTE_MS
			: loadingLimits(limits, usualMs).stuckMs;
	return isUnproven && evidenceOf(row).ageMs >= limitMs;
}

/** The evidence for what an instance is said to be: "made 14 min ago, loading for 13 min (26 looks)". */
export function evidenceFor(row: Sight): string {
	const {instance, seen, now} = row;
	const {ageMs, stateMs} = evidenceOf(row);
	const {setbacks} = seen;
	const looks = seen.state?.looks ?? 0;
	const since = madeAt(instance, now) === undefined ? 'first seen' : 'made';
	const again =
		setbacks === 0 ? '' : `, begun again ${setbacks === 1 ? 'once' : `${setbacks} times`}`;
	const count = looks === 1 ? '1 look' : `${looks} looks`;
	const state = instance.actual_status ?? 'provisioning';
	return `${since} ${spokenTime(ageMs)} ago, ${state} for ${spokenTime(stateMs)} (${count})${again}`;
}

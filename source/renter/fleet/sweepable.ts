/** Instances that a sweep may destroy: their trouble is proven by evidence, and none is new. */
import {evidenceOf, evidenceText, spokenTime} from './evidence.ts';
import {isTrouble, loadingLimits, type Sight} from './condition.ts';
import type {FleetRow} from './fleet-state.ts';

const MINUTE_MS = 60_000;

/** A silent host may be heard again: its instances are given up when it stays away. */
const AWAY_MS = MINUTE_MS;

const silent = new Set<string | null>(['offline', 'unknown']);

/** Reason why a troubled instance is kept; undefined where it may be swept. */
export function whyLeft(row: Pick<FleetRow, 'condition'> & Sight): string | undefined {
	const {ageMs, state, stateMs, looks} = evidenceOf(row);
	const limitMs = row.limits.bootMinutes * MINUTE_MS;
	if (ageMs < limitMs) return `made ${spokenTime(ageMs)} ago, a sweep waits ${spokenTime(limitMs)}`;
	if (row.condition === 'dead' && silent.has(state) && stateMs < AWAY_MS) {
		return `${state} for ${spokenTime(stateMs)} only (${looks} looks)`;
	}
	return undefined;
}

/** True if a sweep destroys it. */
export function isSweepable(row: FleetRow): boolean {
	return isTrouble(row.condition) && whyLeft(row) === undefined;
}

/**
 * True if a boot exceeds its limit by the service's time, but was not observed for long enough.
 */
export function mayBeStuck(row: FleetRow): boolean {
	const {instance, condition, limits, usualMs} = row;
	const isBooting = ['provisioning', 'loading', 'slow'].includes(condition);
	const limitMs =
		(instance.actual_status ?? null) === null
			? limits.nullStuckMinutes * MINUTE_MS
			: loadingLimits(limits, usualMs).stuckMs;
	return isBooting && evidenceOf(row).ageMs >= limitMs;
}

/** The evidence for what an instance is said to be: "made 14 min ago, loading for 13 min (26 looks)". */
export function evidenceFor(row: Sight): string {
	return evidenceText(evidenceOf(row));
}

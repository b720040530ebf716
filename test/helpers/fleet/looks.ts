/** Looks at a fleet without a service: lists, and moments on clocks that agree. */
import type {InstanceList} from '../../../source/client/nouns/instance-list.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {
	defaultSettings,
	type ConditionLimits,
} from '../../../source/renter/settings/default-settings.ts';
import type {FleetPoll} from '../../../source/renter/fleet/fleet-state.ts';
import {TEST_NOW} from '../market/market.ts';

const MINUTE = 60_000;

/** A whole list, as v1 answers it. */
export function listOf(
	instances: readonly Instance[],
	more: Partial<InstanceList> = {},
): InstanceList {
	const total = instances.length;
	const whole = {
		total,
		unreadable: noneUnreadable,
		way: 'v1',
		isWhole: true,
		problem: undefined,
	} as const;
	return {instances, ...whole, ...more};
}

/** A moment so many minutes after the first look: milliseconds since 1970. */
export function atMinute(minute: number): number {
	return TEST_NOW * 1000 + minute * MINUTE;
}

export function lookAt(
	minute: number,
	limits: ConditionLimits = defaultSettings.limits,
): FleetPoll {
	const now = atMinute(minute);
	return {now, localNow: now, limits};
}

/** The `start_date` of what was made so many minutes after the first look. */
export function startDate(minute: number): number {
	return TEST_NOW + minute * 60;
}

/** Rows of a fleet without a service, as lists that were read now and some minutes ago made them. */
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {
	makeFleetRow,
	type FleetRow,
	type FleetPoll,
} from '../../../source/renter/fleet/fleet-state.ts';
import {observe, type Observation} from '../../../source/renter/instance/observations.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';

const {limits} = defaultSettings;
const MINUTE = 60_000;

type Seen = {
	/** Milliseconds since 1970. */
	readonly now?: number;
	/** Minutes for which it was seen in its state. */
	readonly minutes?: number;
	readonly keepers?: string;
};

/** Row of an instance that runs, unless it is said otherwise. */
export function fleetRow(
	given: Partial<Instance> & Pick<Instance, 'id'>,
	{now = Date.UTC(2026, 10, 23, 12, 41, 7), minutes = 120, keepers}: Seen = {},
): FleetRow {
	const running = {actual_status: 'running', intended_status: 'running', cur_state: 'running'};
	const instance: Instance = {...running, num_gpus: 1, gpu_name: 'RTX 4090', ...given};
	let seen: Observation | undefined;
	for (let ago = minutes; ago >= 0; ago--) {
		const at = now - ago * MINUTE;
		const moment = {now: at, localNow: at};
		seen = observe(seen, instance, {
			...moment,
			idleBelow: limits.idleBelowPercent,
			bootMs: limits.bootMinutes * MINUTE,
		});
	}
	if (seen === undefined) throw new Error('nothing was looked at');
	const look: FleetPoll = {now, localNow: now, limits, keepers: () => keepers};
	return makeFleetRow(instance, seen, {...look, boots: {}}, undefined);
}

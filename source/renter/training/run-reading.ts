/** A read of an instance's run: its steps, the verdict, and its remaining time. */
import type {FleetRow} from '../fleet/fleet-state.ts';
import {endsAt} from '../instance/times.ts';
import {leaseOf} from '../leases/held.ts';
import type {Training} from './training-log.ts';
import {openVerdict, restOf, type Rest, type TrainingVerdict} from './verdict.ts';

export type RunReading = {
	readonly training: Training;
	readonly verdict: TrainingVerdict;
	/** True if two consecutive reads agree. */
	readonly isAgreed: boolean;
	readonly rest: Rest | undefined;
	/** Seconds by which the instance ends before its run; undefined if it does not. */
	readonly endsEarlyBy: number | undefined;
};

/** Log lines per read. */
export const RUN_TAIL = 2000;

export type RunRow = Pick<FleetRow, 'instance' | 'condition' | 'rate' | 'now'>;

/** Judge of an instance's run, over consecutive reads. @param since time of the first read */
export function openRunReadings(
	since: number,
): (row: RunRow, training: Training, now: number) => RunReading {
	const judge = openVerdict();
	return (row, training, now) => {
		const isRunning = row.condition === 'running' || row.condition === 'noSsh';
		const use = row.instance.gpu_util ?? undefined;
		const {verdict, isAgreed} = judge({training, now, since, use, isRunning});
		const rest = restOf(training, row.rate.now ?? 0);
		return {training, verdict, isAgreed, rest, endsEarlyBy: earlyBy(row, rest)};
	};
}

function earlyBy({instance, now}: RunRow, rest: Rest | undefined): number | undefined {
	const {lease} = leaseOf(instance);
	const ends = [endsAt(instance, now), (lease?.endsAt ?? Infinity) * 1000];
	const left = (Math.min(...ends.filter(one => one !== undefined)) - now) / 1000;
	return rest !== undefined && left < rest.seconds ? Math.round(rest.seconds - left) : undefined;
}

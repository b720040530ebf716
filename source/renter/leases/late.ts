/** Leases past their end that have ended nothing: each is reported once, whatever the reason. */
import type {GuardOptions} from './ending.ts';
import type {createWatched} from './watched.ts';
import {dueAct, leaseKey, slackSeconds, type Lease} from '../words/lease.ts';

export type Due = {
	readonly id: number;
	readonly label: string;
	readonly lease: Lease | undefined;
	/** True if the instance's GPUs are released. */
	readonly isStopped: boolean;
};

/** Seconds after its end from which a remaining instance counts as late. */
const LATE_SECONDS = 60;

export function createLateNote(
	{
		client,
		steady,
		now,
		agreed,
		report,
	}: Pick<GuardOptions, 'client' | 'steady' | 'now' | 'agreed' | 'report'>,
	watched: Pick<ReturnType<typeof createWatched>, 'get'>,
) {
	/** Keys of the leases that were reported late, by instance. */
	const reported = new Map<number, string>();

	/** Seconds since the end, by the counted time; negative before it, and without one. */
	function overdue({id, lease, isStopped}: Due): number {
		const clock = watched.get(id)?.clock;
		const time = clock
			? clock.time + steady() - clock.steady
			: (client.clock.lastContact()?.date ?? 0);
		const due = lease && dueAct(lease, isStopped);
		return due === undefined ? -1 : (time - due.at) / 1000;
	}

	function noteTimely(due: Due, seconds: number): void {
		// A lease that was overdue when first seen was reported then.
		if (watched.get(due.id)?.isTimely !== false) note(due, seconds);
	}

	function note({id, label, lease}: Due, seconds: number): void {
		if (lease === undefined || seconds < LATE_SECONDS + slackSeconds(lease)) return;
		const due = leaseKey(lease);
		if (reported.get(id) === due) return;
		reported.set(id, due);
		report({kind: 'late', id, label, seconds: Math.round(seconds), due});
	}

	/**
	 * Reports by this machine's clock, even without the service's: a missing clock must not hide an
	 * end.
	 */
	function noteAgreed(isReported: (id: number) => boolean): void {
		for (const {id, lease} of agreed?.open() ?? []) {
			if (isReported(id)) continue;
			const {held, history} = watched.get(id) ?? {};
			const isStopped = history?.sightings.at(-1)?.isStopped === true;
			const due = dueAct(lease, isStopped);
			if (due === undefined) continue;
			note({id, label: held?.label ?? '', lease, isStopped}, (now() - due.at) / 1000);
		}
	}

	return {
		overdue,
		note: noteTimely,
		/**
		 * Reports agreed ends that are due by this machine's clock, even if nothing could be read.
		 */
		noteAgreed,
		/**
		 * Reports instances that were watched for long enough to be ended. @param isReported its end
		 * was already reported
		 */
		noteAll(all: readonly Due[], isReported: (id: number) => boolean): void {
			const known = new Set(all.map(({id}) => id));
			for (const id of reported.keys()) if (!known.has(id)) reported.delete(id);
			for (const due of all) {
				const since = watched.get(due.id)?.history.sightings.at(0)?.steady ?? Infinity;
				const isWatched = steady() - since >= LATE_SECONDS * 1000;
				if (isWatched && !isReported(due.id)) noteTimely(due, overdue(due));
			}
		},
	};
}

/** Enforcers of leases in three letters, as far as known without new requests. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {hasEnd, type Lease} from '../words/lease.ts';
import {guardAnswerOf, isSameLease, lacksWatchdog} from './enforcers.ts';
import {guardAt} from './guard-status.ts';
import {leaseOf, leaseOrderOf, nextEnd} from './held.ts';

type Known = {
	/** Folder of the guard's status file; undefined to read none. */
	readonly state: string | undefined;
	/** Name of the service in the guard's file. */
	readonly name: string;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: number;
	/** Answer of the watchdog; undefined if it was not asked recently. */
	readonly watchdog: (instance: Instance) => boolean | undefined;
};

/**
 * Letters of a lease's enforcers: W for its watchdog, G for a guard and M for the market, each if
 * confirmed; `-` for a missing one, `?` for one that did not confirm, `.` for one that was not
 * asked.
 */
export type Keepers = string;

/**
 * Enforcers by instance, from one read of the guard's file; undefined for an instance without an
 * end.
 */
export function keepersBy({state, name, now, watchdog}: Known) {
	const guard = state === undefined ? undefined : guardAt(state);
	return (instance: Instance): Keepers | undefined => {
		const {lease} = leaseOf(instance);
		const {action, leftMs = 0} = nextEnd(instance, now) ?? {};
		if (lease === undefined || !hasEnd(lease) || (action === 'none' && leftMs <= 0))
			return undefined;
		const hasGuard = guard?.profiles.has(name) === true;
		const {isConfirmed} = guardAnswerOf({guard, name, now}, instance, lease);
		return [
			hasDog(instance) ? letter('W', watchdog(instance)) : '-',
			hasGuard ? letter('G', isConfirmed) : '-',
			marketLetter(instance, lease),
		].join('');
	};
}

function letter(name: string, isConfirmed: boolean | undefined): string {
	if (isConfirmed === undefined) return '.';
	return isConfirmed ? name : '?';
}

/** True if a watchdog may enforce the lease now, because the instance runs. */
function hasDog(instance: Instance): boolean {
	return instance.actual_status === 'running' && !lacksWatchdog(instance);
}

function marketLetter({lease: kept}: Instance, lease: Lease): string {
	const wanted = leaseOrderOf(lease);
	if (wanted === undefined || kept === undefined || kept === null) return '-';
	return letter('M', isSameLease(kept, wanted));
}

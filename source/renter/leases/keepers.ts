/** Keepers of leases in three letters, as far as they are known without asking anybody anew. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {hasEnd, type Lease} from '../words/lease.ts';
import {guardSays, isSameLease, lacksWatchdog} from './enforcers.ts';
import {guardAt} from './guard-status.ts';
import {leaseOf, leaseOrderOf, nextEnd} from './held.ts';

type Known = {
	/** Folder of the guard's status file; undefined where none is read. */
	readonly state: string | undefined;
	/** Name of the service in the guard's file. */
	readonly name: string;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: number;
	/** Answer of the watchdog; undefined where it was not asked lately. */
	readonly watchdog: (instance: Instance) => boolean | undefined;
};

/**
 * Letters of who keeps a lease: W for its watchdog, G for a guard and M for the market, each that confirmed
 * it; `-` for one that is not there, `?` for one that did not confirm, `.` for one that was not asked.
 */
export type Keepers = string;

/** Keepers by instance, by one reading of the guard's file; undefined for one that nothing ends. */
export function keepersBy({state, name, now, watchdog}: Known) {
	const guard = state === undefined ? undefined : guardAt(state);
	return (instance: Instance): Keepers | undefined => {
		const {lease} = leaseOf(instance);
		const {action, leftMs = 0} = nextEnd(instance, now) ?? {};
		if (lease === undefined || !hasEnd(lease) || (action === 'none' && leftMs <= 0))
			return undefined;
		const hasGuard = guard?.profiles.has(name) === true;
		const {isConfirmed} = guardSays({guard, name, now}, instance, lease);
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

/** True if a watchdog may keep the lease now: it runs inside. */
function hasDog(instance: Instance): boolean {
	return instance.actual_status === 'running' && !lacksWatchdog(instance);
}

function marketLetter({lease: kept}: Instance, lease: Lease): string {
	const wanted = leaseOrderOf(lease);
	if (wanted === undefined || kept === undefined || kept === null) return '-';
	return letter('M', isSameLease(kept, wanted));
}

/** Lists of instances, and their proof about instances missing from them. Loads nothing. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';

export type InstancePage = {
	readonly instances: readonly Instance[];
	/** Instances on all pages; undefined if the service does not send the count. */
	readonly total: number | undefined;
	/** Token of the next page; undefined on the last. */
	readonly next: string | undefined;
	readonly unreadable: Unreadable;
};

export type InstanceList = {
	readonly instances: readonly Instance[];
	/** Count of all instances; undefined if the service does not send it. */
	readonly total: number | undefined;
	readonly unreadable: Unreadable;
	/** The API version that has answered. */
	readonly way: 'v1' | 'v0';
	/** True if the list holds as many instances as the service counts. v0 has no reliable total. */
	readonly isWhole: boolean;
	/** Reason why later pages could not be read. */
	readonly problem: Error | undefined;
};

/**
 * True if an instance missing from this list may be gone. Proof also needs the instance's own
 * record.
 */
export function canMiss({isWhole, way}: Pick<InstanceList, 'isWhole' | 'way'>): boolean {
	return isWhole || way === 'v0';
}

type Start = number | null | undefined;

/** True for two starts of one instance: some services round them to the second. */
export function isSameStart(one: Start, other: Start): boolean {
	return typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) < 1;
}

/**
 * The state of an instance in its service's word; null while it is on its way. One that was rented as
 * stopped, or stopped on its way, has no word of its service, and boots no more.
 */
export function reportedState({
	actual_status: status,
	intended_status: intended,
}: Pick<Instance, 'actual_status' | 'intended_status'>): string | null {
	return status ?? (intended === 'stopped' ? 'stopped' : null);
}

/** True if the instance's GPUs are released, so that it costs only its disk. */
export function hasStopped({cur_state, intended_status, actual_status}: Instance): boolean {
	if (intended_status === 'running') return false;
	// Without a field for the GPUs, use the container's state.
	if (typeof cur_state === 'string') return cur_state !== 'running';
	return actual_status === 'exited' || actual_status === 'stopped';
}

/** Recognises a stopped instance. Loads nothing. */
import type {Instance} from '../../contract/nouns/instance-record.ts';

/** True if its GPUs are given back, so that it costs only its disk. */
export function hasStopped({cur_state, intended_status, actual_status}: Instance): boolean {
	if (intended_status === 'running') return false;
	// A service that does not say who has the GPUs says at least what the container does.
	if (typeof cur_state === 'string') return cur_state !== 'running';
	return actual_status === 'exited' || actual_status === 'stopped';
}

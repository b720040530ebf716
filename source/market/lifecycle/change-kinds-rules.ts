/** Kinds of notifications that changes of an instance are. */
import type {InstanceState, LifecycleEvent} from './rules.ts';

export const changeNames = {
	instance_created: 'An instance was made',
	instance_started: 'An instance runs',
	instance_stopped: 'An instance has stopped',
	instance_resumed: 'An instance goes on after it has waited',
	instance_deleted: 'An instance is gone',
	instance_offline: 'The machine of an instance is gone',
	instance_online: 'The machine of an instance is back',
	instance_error: 'An instance cannot start',
	outbid: 'Somebody pays more for the GPUs of an instance',
} as const;

export type Slug = keyof typeof changeNames;

type Change = (before: InstanceState, after: InstanceState) => Slug | undefined;

const changes: Readonly<Record<LifecycleEvent['kind'], Change>> = {
	destroy: () => 'instance_deleted',
	outbid: () => 'outbid',
	stop: ({intended}) => (intended === 'running' ? 'instance_stopped' : undefined),
	start: ({intended}, {current}) =>
		intended === 'running' && current === 'running' ? 'instance_resumed' : undefined,
	contact(before, after) {
		// A machine that is silent for a moment is nobody's news.
		if (after.contact === 'lost') return 'instance_offline';
		return before.contact === 'lost' && after.contact === 'heard' ? 'instance_online' : undefined;
	},
	report(before, after) {
		if (after.current === 'stopped') return 'instance_error';
		if (after.reported === before.reported) return undefined;
		if (after.reported === 'running') return 'instance_started';
		return after.reported === 'exited' ? 'instance_stopped' : undefined;
	},
	reboot: () => undefined,
	recycle: () => undefined,
};

/** Notification kind of an event; undefined where nobody is notified. */
export function kindOfChange(
	event: LifecycleEvent,
	before: InstanceState,
	after: InstanceState,
): Slug | undefined {
	return changes[event.kind](before, after);
}

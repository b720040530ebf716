/**
 * Lifecycle of an instance: its states and events. Records show four fields: `actual`, the host's
 * report while heartbeats arrive; `intended`, the state the renter wants; `current` and `next`,
 * the possession of its GPUs now, and after the pending change.
 */
import type {WantedState} from '../../contract/nouns/instance-actions.ts';
import type {Contact, InstanceRow} from '../database/instance-tables.ts';

/** Container states as hosts report them. A `failed` one can never start. */
export type HostStatus = 'loading' | 'running' | 'exited' | 'failed';

export type InstanceState = {
	/** Status on the wire: null until its host reports one. */
	readonly actual: string | null;
	/** Last report of its host about this start, or the market's own knowledge. */
	readonly reported: string | null;
	readonly intended: WantedState;
	readonly current: WantedState | 'unloaded';
	readonly next: WantedState | 'unloaded';
	readonly message: string | null;
	readonly contact: Contact;
	/** Number of the start, by which late reports about an earlier one are ignored. */
	readonly boot: number;
	/** Number of the container; a higher one makes the host recreate it. */
	readonly container: number;
};

export type LifecycleEvent =
	| ({readonly kind: 'report'; readonly boot: number} & HostReport)
	/** Silence, loss or return of its host. */
	| {readonly kind: 'contact'; readonly contact: Contact}
	/** Stop with the disk kept, by the renter, or for the reason in the message. */
	| {readonly kind: 'stop'; readonly message?: string}
	/** Start, or wait without free GPUs. */
	| {readonly kind: 'start'; readonly hasGpus: boolean}
	/** Loss of its GPUs to another instance, until its bid wins again. */
	| {readonly kind: 'outbid'}
	| {readonly kind: 'reboot'}
	| {readonly kind: 'recycle'}
	| {readonly kind: 'destroy'};

type HostReport = {readonly status: HostStatus; readonly message?: string | null};

export const messages = {
	noCapacity:
		'The machine cannot start it at present. It was made, and is stopped: its disk costs, its GPUs do not.',
	queued: 'Required resources are currently unavailable, state change queued.',
	outbid: 'Somebody pays more for its GPUs. It goes on when its bid wins again.',
	noCredit: 'The account has no credit left: it was stopped. Its disk still costs.',
	leaseEnded: 'Its lease has ended: it was stopped. Its disk still costs.',
	ended:
		'The time for which its machine was offered is over. Its data can still be read while it lasts.',
} as const;

export function newInstance(target: WantedState, contact: Contact): InstanceState {
	const common = {actual: null, reported: null, contact, boot: 1, container: 1};
	const message = target === 'running' ? null : 'It was made stopped. Start it when you need it.';
	return {...common, intended: target, current: target, next: target, message};
}

/** State of a new instance whose machine cannot start it. */
export function newWithoutCapacity(contact: Contact): InstanceState {
	return {...newInstance('stopped', contact), message: messages.noCapacity};
}

/** Instance state after an event. An event that changes nothing returns the same state. */
export function advance(state: InstanceState, event: LifecycleEvent): InstanceState {
	if (state.current === 'unloaded') return state;
	const after = moved(state, event);
	if (isSame(after, state)) return state;
	return {...after, actual: unheard[after.contact] ?? after.reported};
}

function isSame(one: InstanceState, other: InstanceState): boolean {
	return (
		one.reported === other.reported &&
		one.intended === other.intended &&
		one.current === other.current &&
		one.next === other.next &&
		one.message === other.message &&
		one.contact === other.contact &&
		one.boot === other.boot &&
		one.container === other.container
	);
}

function moved(state: InstanceState, event: LifecycleEvent): InstanceState {
	switch (event.kind) {
		case 'report':
			return reported(state, event);
		case 'contact':
			return {...state, contact: event.contact};
		case 'stop':
			return stopped(state, event.message);
		case 'start':
			return event.hasGpus ? started(state) : queued(state);
		case 'outbid':
			return outbid(state);
		case 'reboot':
			return again(state, 'rebooting', 0);
		case 'recycle':
			return again(state, 'recycling', 1);
		case 'destroy':
			return {...state, intended: 'stopped', current: 'unloaded', next: 'unloaded'};
	}
}

function reported(
	state: InstanceState,
	{boot, status, message = null}: HostReport & {readonly boot: number},
): InstanceState {
	// Reports about an earlier start, or about a container still to be stopped, are outdated.
	if (boot !== state.boot || state.current !== 'running') return state;
	if (status === 'failed') return stopped(state, failureMessage(message));
	return {...state, reported: status, message};
}

/** Words of a failure, by which clients tell it from a wanted stop. */
function failureMessage(message: string | null): string {
	if (message === null) return 'Error: its host gave no reason.';
	return /^error\b/i.test(message) ? message : `Error: ${message}`;
}

/** A host's own words of a failure, for its provider. */
export function hostsReason(message: string): string {
	return message.replace(/^Error: /, '');
}

function outbid(state: InstanceState): InstanceState {
	if (state.current !== 'running') return state;
	return {...stopped(state, messages.outbid), intended: 'running'};
}

function stopped(state: InstanceState, message: string | null = null): InstanceState {
	// A repeated stop must not erase the reason of the first.
	if (state.current === 'stopped' && state.intended === 'stopped' && message === null) return state;
	return {
		...state,
		// An instance without reports has none until it is started.
		reported: state.current === 'stopped' ? state.reported : 'exited',
		intended: 'stopped',
		current: 'stopped',
		next: 'stopped',
		message,
	};
}

function started(state: InstanceState): InstanceState {
	if (state.current === 'running') return state;
	return {
		...state,
		// The last report stays valid until the host has started the container.
		intended: 'running',
		current: 'running',
		next: 'running',
		message: null,
		boot: state.boot + 1,
	};
}

function queued(state: InstanceState): InstanceState {
	if (state.current === 'running') return state;
	return {...state, intended: 'running', next: 'running', message: messages.queued};
}

function again(state: InstanceState, message: string, containers: number): InstanceState {
	if (state.current !== 'running') return state;
	return {
		...state,
		reported: 'loading',
		message,
		boot: state.boot + 1,
		container: state.container + containers,
	};
}

const unheard: Readonly<Record<Contact, string | undefined>> = {
	heard: undefined,
	silent: 'unknown',
	lost: 'offline',
};

/** Running meters: computing while the host reports it running, disk while it exists. */
export function metersOf({
	actual,
	current,
	contact,
}: Pick<InstanceState, 'actual' | 'current' | 'contact'>): {
	readonly compute: boolean;
	readonly disk: boolean;
} {
	return {compute: current === 'running' && actual === 'running', disk: contact !== 'lost'};
}

/** True if an instance wants GPUs that it does not have. */
export function isWaiting({intended, current}: Pick<InstanceState, 'intended' | 'current'>) {
	return intended === 'running' && current === 'stopped';
}

export function lifecycleStateOf(row: InstanceRow): InstanceState {
	const {actual, reported: said, message, contact, boot, container} = row;
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but `advance` writes these
	const states = row as Pick<InstanceState, 'intended' | 'current' | 'next'>;
	const {intended, current, next} = states;
	return {actual, reported: said, intended, current, next, message, contact, boot, container};
}

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
		// Silence alone triggers no notification.
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

/** Notification kind of an event; undefined if it notifies nobody. */
export function kindOfChange(
	event: LifecycleEvent,
	before: InstanceState,
	after: InstanceState,
): Slug | undefined {
	return changes[event.kind](before, after);
}

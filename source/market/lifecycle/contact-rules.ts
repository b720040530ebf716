/** Limits after which a machine counts as silent, absent or lost. */
import type {Contact, MachineRow} from '../database/instance-tables.ts';

export type ContactTimeouts = {
	/** Seconds without a heartbeat after which a machine's state is unknown. */
	readonly silentAfter: number;
	/**
	 * Seconds after which it cannot be rented.
	 *
	 * @default `lostAfter`
	 */
	readonly absentAfter?: number;
	/** Seconds after which it is lost. */
	readonly lostAfter: number;
	/**
	 * Time since when the market can receive heartbeats: its start, or a jump of the clock.
	 *
	 * @default always
	 */
	readonly listeningSince?: () => number;
	/**
	 * Hosts that run in the market's own process: a rental before their first heartbeat waits for
	 * it, and
	 * a starved process does not make them silent.
	 *
	 * @default none
	 */
	readonly ownHosts?: OwnHosts;
};

/** Interval of heartbeats, short enough that a lost one does not matter. */
export const HEARTBEAT_SECONDS = 10;

export const usualPatience: ContactTimeouts = {silentAfter: 45, absentAfter: 300, lostAfter: 600};

type Heard = Pick<MachineRow, 'contact' | 'heard_at' | 'made_up'>;

/** Last heartbeats of the hosts that run in the market's own process. */
export type OwnHosts = {
	readonly noteHeartbeat: (
		machines: ReadonlyArray<Pick<MachineRow, 'made_up'>>,
		at: number,
	) => void;
	/** -Infinity before the first one; undefined for a machine whose host runs elsewhere. */
	readonly lastHeartbeat: (machine: Pick<MachineRow, 'made_up'>) => number | undefined;
	/** Stops expecting heartbeats: the hosts could not be opened. */
	readonly giveUp: () => void;
};

/**
 * Time until which a machine's silence counts. A starved market delays the heartbeats of its own hosts,
 * so their machines are silent only if a later heartbeat leaves them out.
 */
export function silentUntil(machine: Heard, {ownHosts}: ContactTimeouts, now: number): number {
	return Math.min(now, ownHosts?.lastHeartbeat(machine) ?? now);
}

/** True if the first heartbeat of the market's own host is due: the machine's work waits for it. */
export function isExpected(machine: Heard, {ownHosts}: ContactTimeouts): boolean {
	const isGone = machine.contact === 'lost' && machine.heard_at !== null;
	return !isGone && ownHosts?.lastHeartbeat(machine) === -Infinity;
}

type ContactChange = {readonly contact: Contact; readonly at: number};

/**
 * State changes of a silent machine, each at the moment when it was due. Time in which the market was
 * down does not count as silence.
 */
export function contactChanges(
	machine: Heard,
	patience: ContactTimeouts,
	now: number,
): readonly ContactChange[] {
	const {contact, heard_at: heardAt} = machine;
	const {silentAfter, lostAfter, listeningSince = () => -Infinity} = patience;
	if (heardAt === null || contact === 'lost') return [];
	const since = Math.max(heardAt, listeningSince());
	const due: readonly ContactChange[] = [
		{contact: 'silent', at: since + silentAfter},
		{contact: 'lost', at: since + lostAfter},
	];
	const until = silentUntil(machine, patience, now);
	return due.filter(change => change.at <= until && change.contact !== contact);
}

/** True if a machine is lost, or silent for too long to be rented. */
export function isAbsent(machine: Heard, patience: ContactTimeouts, now: number): boolean {
	const {contact, heard_at: heardAt} = machine;
	if (heardAt === null) return false;
	const since = Math.max(heardAt, patience.listeningSince?.() ?? -Infinity);
	const until = silentUntil(machine, patience, now);
	return contact === 'lost' || until - since >= absentAfter(patience);
}

/** Seconds without a heartbeat after which a machine cannot be rented. */
export function absentAfter({absentAfter: seconds, lostAfter}: ContactTimeouts): number {
	return Math.min(seconds ?? lostAfter, lostAfter);
}

/** Ends of charges on a machine; null for none. */
export type BillLimits = Pick<MachineRow, 'compute_until' | 'disk_until'>;

/**
 * Ends of charges on a machine that stays silent. Silence counts from the last heartbeat: whether
 * the machine ran while the market was down is unknown.
 */
export function billLimits(
	{heard_at: heardAt, compute_until, disk_until}: Pick<Heard, 'heard_at'> & BillLimits,
	{silentAfter, lostAfter}: ContactTimeouts,
): BillLimits {
	if (heardAt === null || disk_until !== null) return {compute_until, disk_until};
	return {compute_until: heardAt + silentAfter, disk_until: heardAt + lostAfter};
}

/** True if a machine can be given work. */
export function isReachable(machine: Heard, patience: ContactTimeouts, now: number): boolean {
	if (isExpected(machine, patience)) return true;
	return machine.contact === 'heard' && contactChanges(machine, patience, now).length === 0;
}

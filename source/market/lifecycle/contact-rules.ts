/** Limits after which a machine counts as silent, absent or lost. */
import type {Contact, MachineRow} from '../database/instance-tables.ts';

export type Patience = {
	/** Seconds without a heartbeat after which a machine's state is unknown. */
	readonly silentAfter: number;
	/**
	 * Seconds after which nobody can rent it.
	 *
	 * @default `lostAfter`
	 */
	readonly absentAfter?: number;
	/** Seconds after which it is lost. */
	readonly lostAfter: number;
	/**
	 * Time from which the market could hear machines: its start, or a jump of the clock.
	 *
	 * @default always
	 */
	readonly listeningSince?: () => number;
};

/** Interval of heartbeats, short enough that a lost one does not matter. */
export const HEARTBEAT_SECONDS = 10;

export const usualPatience: Patience = {silentAfter: 45, absentAfter: 300, lostAfter: 600};

type Heard = {readonly contact: Contact; readonly heard_at: number | null};

export type ContactChange = {readonly contact: Contact; readonly at: number};

/**
 * State changes of a silent machine, each at the moment when it was due. Time in which the market was
 * down does not count as silence.
 */
export function contactChanges(
	{contact, heard_at: heardAt}: Heard,
	{silentAfter, lostAfter, listeningSince = () => -Infinity}: Patience,
	now: number,
): readonly ContactChange[] {
	if (heardAt === null || contact === 'lost') return [];
	const since = Math.max(heardAt, listeningSince());
	const due: readonly ContactChange[] = [
		{contact: 'silent', at: since + silentAfter},
		{contact: 'lost', at: since + lostAfter},
	];
	return due.filter(change => change.at <= now && change.contact !== contact);
}

/** True if a machine is lost, or silent for too long to be rented. */
export function isAbsent(
	{contact, heard_at: heardAt}: Heard,
	patience: Patience,
	now: number,
): boolean {
	if (heardAt === null) return false;
	const since = Math.max(heardAt, patience.listeningSince?.() ?? -Infinity);
	return contact === 'lost' || now - since >= absentAfter(patience);
}

/** Seconds without a heartbeat after which nobody can rent a machine. */
export function absentAfter({absentAfter: seconds, lostAfter}: Patience): number {
	return Math.min(seconds ?? lostAfter, lostAfter);
}

/** Ends of charges on a machine; null for none. */
export type BillLimits = Pick<MachineRow, 'compute_until' | 'disk_until'>;

/**
 * Ends of charges on a machine that is not heard again. Silence counts from the last heartbeat, for
 * nobody knows if the machine ran while the market was down.
 */
export function billLimits(
	{heard_at: heardAt, compute_until, disk_until}: Pick<Heard, 'heard_at'> & BillLimits,
	{silentAfter, lostAfter}: Patience,
): BillLimits {
	if (heardAt === null || disk_until !== null) return {compute_until, disk_until};
	return {compute_until: heardAt + silentAfter, disk_until: heardAt + lostAfter};
}

/** True if a machine can be given work. */
export function isReachable(machine: Heard, patience: Patience, now: number): boolean {
	return machine.contact === 'heard' && contactChanges(machine, patience, now).length === 0;
}

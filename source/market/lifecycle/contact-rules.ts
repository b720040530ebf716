/** Limits after which a machine counts as silent or gone. */
import type {Contact, MachineRow} from '../database/instance-tables.ts';

export type Patience = {
	/** After so many seconds without a word, what a machine does is not known. */
	readonly silentAfter: number;
	/**
	 * After so many, nobody can rent it.
	 *
	 * @default with `lostAfter`
	 */
	readonly absentAfter?: number;
	/** After so many, it is gone. */
	readonly lostAfter: number;
	/**
	 * Since when the market can hear machines: since it was opened, or the clock jumped.
	 *
	 * @default since ever
	 */
	readonly listeningSince?: () => number;
};

/** Interval of heartbeats: short enough that losing one does not matter. */
export const HEARTBEAT_SECONDS = 10;

export const usualPatience: Patience = {silentAfter: 45, absentAfter: 300, lostAfter: 600};

type Heard = {readonly contact: Contact; readonly heard_at: number | null};

export type ContactChange = {readonly contact: Contact; readonly at: number};

/**
 * State changes of a silent machine, each at the moment when it was due. While the market was down
 * it could hear nobody, and that time is no silence.
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

/** True if a machine is gone, or was not heard for so long that nobody can rent it. */
export function isAbsent(
	{contact, heard_at: heardAt}: Heard,
	patience: Patience,
	now: number,
): boolean {
	if (heardAt === null) return false;
	const since = Math.max(heardAt, patience.listeningSince?.() ?? -Infinity);
	return contact === 'lost' || now - since >= absentAfter(patience);
}

/** Seconds without a word after which nobody can rent a machine. */
export function absentAfter({absentAfter: seconds, lostAfter}: Patience): number {
	return Math.min(seconds ?? lostAfter, lostAfter);
}

/** Until when what is on a machine is charged for; null where nothing ends that. */
export type BillLimits = Pick<MachineRow, 'compute_until' | 'disk_until'>;

/**
 * Until when what is on a machine is charged for, unless it is heard again. Silence counts from when it
 * was heard last: whether it was there while the market was away, nobody knows.
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

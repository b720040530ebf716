/** When a machine counts as silent, and when as gone. */
import type {Contact} from '../store/instance-tables.ts';

export type Patience = {
	/** After so many seconds without a word, what a machine does is not known. */
	readonly silentAfter: number;
	/** After so many, it is gone. */
	readonly lostAfter: number;
};

/** How often machines are asked to show that they live: often enough that losing one word is nothing. */
export const HEARTBEAT_SECONDS = 10;

export const usualPatience: Patience = {silentAfter: 45, lostAfter: 600};

type Heard = {readonly contact: Contact; readonly heard_at: number | null};

export type ContactChange = {readonly contact: Contact; readonly at: number};

/** What silence has made of a machine by now, each change at the moment when it was due. */
export function contactChanges(
	{contact, heard_at: heardAt}: Heard,
	{silentAfter, lostAfter}: Patience,
	now: number,
): readonly ContactChange[] {
	if (heardAt === null || contact === 'lost') return [];
	const due: readonly ContactChange[] = [
		{contact: 'silent', at: heardAt + silentAfter},
		{contact: 'lost', at: heardAt + lostAfter},
	];
	return due.filter(change => change.at <= now && change.contact !== contact);
}

/** Whether a machine can be given work. */
export function isReachable(machine: Heard, patience: Patience, now: number): boolean {
	return machine.contact === 'heard' && contactChanges(machine, patience, now).length === 0;
}

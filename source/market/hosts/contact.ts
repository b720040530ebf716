/** Consequences of a machine's silence, and of its return, for its instances. */
import {setTimeout as sleep} from 'node:timers/promises';
import {
	absentAfter,
	contactChanges,
	isAbsent,
	silentUntil,
	type ContactTimeouts,
} from '../lifecycle/contact-rules.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import type {Database} from '../database/database.ts';
import type {Contact, MachineRow} from '../database/instance-tables.ts';
import {instancesOn} from '../lifecycle/instances-store.ts';
import {
	changeMachines,
	limitBills,
	machinesById,
	silentMachines,
	type Silence,
} from '../lifecycle/machines-store.ts';
import {billVolumesOn} from '../volumes/volumes.ts';
import {billInstance, changeInstance} from '../lifecycle/change.ts';
import {settleMachine} from '../lifecycle/claims.ts';
import {notifyAccount} from '../notifications/notify-renter.ts';
import {writingOn} from '../database/writing.ts';

/** Changes a machine's contact, and applies the consequences. Call it in a transaction. */
export async function changeContact(
	database: Database,
	machine: MachineRow,
	contact: Contact,
	at: number,
): Promise<void> {
	if (machine.contact === contact) return;
	// Volumes on a lost machine are free, so usage until this moment is charged first.
	await billVolumesOn(database, machine, at);
	for (const row of await instancesOn(database, machine.id)) {
		await changeInstance(database, row, {kind: 'contact', contact}, at);
	}
	await changeMachines(database, [machine.id], contactFields(contact));
	// Instances that waited for the machine may start.
	if (contact === 'heard') await settleMachine(database, machine.id, at);
	else if (contact === 'lost') {
		await refreshOffers(database, machine.id, at);
		await notifyAccount(database, machine.account_id, {
			kind: 'host:machine_offline',
			subject: `Machine ${machine.id} is offline`,
			message: 'Nothing was heard of its host for a while. What is on it costs nothing meanwhile.',
			at,
		});
	}
}

/** Machine fields of a contact. A machine that is merely silent can still be rented. */
export function contactFields(contact: Contact): Partial<Pick<MachineRow, 'contact' | 'absent'>> {
	return contact === 'silent' ? {contact} : {contact, absent: contact === 'lost' ? 1 : 0};
}

/** Charges all instances and volumes on a machine until a moment. Call it in a transaction. */
export async function billMachine(
	database: Database,
	machine: MachineRow,
	until: number,
): Promise<void> {
	await billVolumesOn(database, machine, until);
	for (const row of await instancesOn(database, machine.id)) {
		await billInstance(database, row, until);
	}
}

/** Machines whose silence is noted in one transaction. */
const MACHINES_AT_ONCE = 250;
/** Time after which a transaction leaves the rest to the next one, because other writers wait. */
const LONGEST_MS = 100;

/** Records overdue silences, each as of the moment when it was due. */
export async function noteSilence(
	database: Database,
	patience: ContactTimeouts,
	now: number,
): Promise<void> {
	const silent: MachineRow[] = [];
	for (const some of silentMachines(database, silenceBy(patience, now))) {
		silent.push(...(await some.execute()));
	}
	const unnoted = silent.filter(machine => isUnnoted(machine, patience, now));
	const unlimited = unnoted.filter(({disk_until}) => disk_until === null);
	const moved = unnoted.filter(machine => contactChanges(machine, patience, now).length > 0);
	// Limits first: the changes after them create charges.
	await inBatches(database, unlimited, async (transaction, machines) => {
		await limitSilent(transaction, machines, patience, now);
		return machines.length;
	});
	await inBatches(database, moved, async (transaction, machines) =>
		noteChanges(transaction, machines, patience, now),
	);
	const absent = silent.filter(machine => machine.absent === 0 && isAbsent(machine, patience, now));
	await inBatches(database, absent, async (transaction, machines) => {
		const ids = machines.filter(machine => isAbsent(machine, patience, now)).map(({id}) => id);
		await changeMachines(transaction, ids, {absent: 1});
		await refreshOffers(transaction, ids, now);
		return machines.length;
	});
}

/** Records the silence of some machines. Call it in a transaction. */
export async function noteSilenceOf(
	database: Database,
	machines: readonly MachineRow[],
	patience: ContactTimeouts,
	now: number,
): Promise<void> {
	await limitSilent(database, machines, patience, now);
	const limited = await machinesById(
		database,
		machines.map(({id}) => id),
	);
	await noteChanges(database, limited, patience, now, Infinity);
}

/** Sets the end of charges on silent machines, unless it is set. */
async function limitSilent(
	database: Database,
	machines: readonly MachineRow[],
	patience: ContactTimeouts,
	now: number,
): Promise<void> {
	const {silentAfter: compute, lostAfter: disk} = patience;
	const unlimited = machines.filter(
		machine => machine.disk_until === null && isUnnoted(machine, patience, now),
	);
	const ids = unlimited.map(({id}) => id);
	await limitBills(database, ids, {compute, disk});
}

/** Changes the contact of silent machines until time is up, and returns the number done. */
async function noteChanges(
	database: Database,
	machines: readonly MachineRow[],
	patience: ContactTimeouts,
	now: number,
	longestMs = LONGEST_MS,
): Promise<number> {
	const begunAt = performance.now();
	for (const [index, machine] of machines.entries()) {
		if (index > 0 && performance.now() - begunAt > longestMs) return index;
		let contact = machine.contact;
		for (const change of contactChanges(machine, patience, now)) {
			await changeContact(database, {...machine, contact}, change.contact, change.at);
			contact = change.contact;
		}
	}
	return machines.length;
}

/**
 * Runs an action on machines in several transactions. `note` returns the number of machines done.
 */
async function inBatches(
	database: Database,
	machines: readonly MachineRow[],
	note: (transaction: Database, machines: readonly MachineRow[]) => Promise<number>,
): Promise<void> {
	let left = machines.map(({id}) => id);
	while (left.length > 0) {
		const ids = left.slice(0, MACHINES_AT_ONCE);
		const {done, tookMs} = await writingOn(database, {machines: ids}, async transaction => {
			const begunAt = performance.now();
			// Read again: another process may have recorded the silence, or the machine sent a
			// heartbeat.
			const present = await machinesById(transaction, ids);
			const count = await note(transaction, present);
			const isWhole = count === present.length;
			return {
				done: new Set(isWhole ? ids : present.slice(0, count).map(({id}) => id)),
				tookMs: performance.now() - begunAt,
			};
		});
		left = left.filter(id => !done.has(id));
		// Use half of the time only: SQLite lets no other writer in while it is locked.
		if (left.length > 0) await sleep(tookMs);
	}
}

/** True if a machine has been silent for too long, and this is not yet recorded. */
export function isUnnoted(machine: MachineRow, patience: ContactTimeouts, now: number): boolean {
	const {contact, heard_at: heardAt, disk_until: limit} = machine;
	if (heardAt === null || contact === 'lost') return false;
	const after = contact === 'heard' ? patience.silentAfter : patience.lostAfter;
	if (limit === null && heardAt <= silentUntil(machine, patience, now) - after) return true;
	return contactChanges(machine, patience, now).length > 0;
}

/**
 * Moments of a last heartbeat before which a machine counts as silent, and as lost. No silence is
 * longer than the market has been listening.
 */
export function silenceBy(patience: ContactTimeouts, now: number): Silence<number> {
	const {silentAfter, lostAfter, listeningSince = () => -Infinity} = patience;
	const listening = now - listeningSince();
	const since = (seconds: number) => (listening < seconds ? -Infinity : now - seconds);
	return {
		unlimitedSince: now - silentAfter,
		silentSince: since(silentAfter),
		absentSince: since(absentAfter(patience)),
		lostSince: since(lostAfter),
	};
}

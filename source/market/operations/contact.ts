/** Consequences of a machine's silence, and of its return, for its instances. */
import {contactChanges} from '../rules/contact.ts';
import type {Patience} from '../rules/contact.ts';
import type {Database} from '../store/database.ts';
import type {Contact, MachineRow} from '../store/instance-tables.ts';
import {instancesOn} from '../store/instances.ts';
import {limitBills, setContact, silentMachines} from '../store/machines.ts';
import {billVolumesOn} from './volume-bills.ts';
import {billInstance, changeInstance} from './change.ts';
import {settleMachine} from './claims.ts';
import {writing} from '../store/writing.ts';

/** Call it in a transaction. */
export async function changeContact(
	database: Database,
	machine: MachineRow,
	contact: Contact,
	at: number,
): Promise<void> {
	if (machine.contact === contact) return;
	// What stands on a machine that is gone costs nothing: until now it did, or did not.
	await billVolumesOn(database, machine, at);
	for (const row of await instancesOn(database, machine.id)) {
		await changeInstance(database, row, {kind: 'contact', contact}, at);
	}
	await setContact(database, machine.id, contact);
	// What waited for a machine that could not be given work may start now.
	if (contact === 'heard') await settleMachine(database, machine.id, at);
}

/** Charges for all that is on a machine until a moment. Call it in a transaction. */
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

/** Notes every silence that has lasted too long by now, at the moment when it had. */
export async function noteSilence(
	database: Database,
	patience: Patience,
	now: number,
): Promise<void> {
	const silent = await silentMachines(database, silenceBy(patience, now));
	if (!silent.some(machine => isUnnoted(machine, patience, now))) return;
	await writing(database, async transaction => {
		await noteAllSilence(transaction, patience, now);
	});
}

/** The same in a transaction. */
export async function noteAllSilence(
	database: Database,
	patience: Patience,
	now: number,
): Promise<void> {
	const {silentAfter, lostAfter} = patience;
	const since = silenceBy(patience, now);
	// First of all, for what changes afterwards is charged for.
	await limitBills(database, {...since, compute: silentAfter, disk: lostAfter});
	// Read again: another process may have noted it, or the machine may have been heard.
	for (const machine of await silentMachines(database, since)) {
		let contact = machine.contact;
		for (const change of contactChanges(machine, patience, now)) {
			await changeContact(database, {...machine, contact}, change.contact, change.at);
			contact = change.contact;
		}
	}
}

/** True if a machine has been silent for too long, and this is not yet recorded. */
export function isUnnoted(machine: MachineRow, patience: Patience, now: number): boolean {
	const {contact, heard_at: heardAt} = machine;
	const {silentSince, lostSince} = silenceBy(patience, now);
	if (heardAt === null || contact === 'lost') return false;
	if (heardAt > (contact === 'heard' ? silentSince : lostSince)) return false;
	return machine.disk_until === null || contactChanges(machine, patience, now).length > 0;
}

/** Machines that were heard last before these moments count as silent, and as gone. */
function silenceBy({silentAfter, lostAfter}: Patience, now: number) {
	return {silentSince: now - silentAfter, lostSince: now - lostAfter};
}

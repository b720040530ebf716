/** Heartbeats and disconnects of machines. */
import type {WorkSignal} from '../base/work-signal.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';
import type {Database} from '../database/database.ts';
import type {Contact} from '../database/instance-tables.ts';
import {changeMachines, machinesNamed, type HostedMachine} from '../lifecycle/machines-store.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import {billMachine, changeContact, contactFields, isUnnoted, noteSilenceOf} from './contact.ts';
import {noteReturns} from '../reliability/reliability.ts';
import {holdPayers, writingOn} from '../database/writing.ts';

type Hearing = {
	readonly database: Database;
	readonly patience: ContactTimeouts;
	readonly workSignal: WorkSignal;
};

type Word = {
	readonly accountId: number;
	readonly ids: readonly number[];
	readonly contact: Extract<Contact, 'heard' | 'lost'>;
	readonly now: number;
};

/** Records a heartbeat or a disconnect of an account's machines, and returns unknown ids. */
export async function noteHeartbeat(
	{database, patience, workSignal}: Hearing,
	{accountId, ids, contact, now}: Word,
): Promise<readonly number[]> {
	const named = new Set(ids);
	// A repeated heartbeat charges nobody, so payers are not locked.
	const held = {machines: [...named], payers: false};
	const {known, isNews, heard} = await writingOn(database, held, async transaction => {
		const read = async () => machinesNamed(transaction, accountId, [...named]);
		let meant = await read();
		const isLate = (machine: HostedMachine) => isUnnoted(machine, patience, now);
		const isWordOfChange = (machine: HostedMachine) =>
			machine.contact !== contact || machine.disk_until !== null || isLate(machine);
		if (meant.some(machine => machine.occupied === 1 && isWordOfChange(machine))) {
			await holdPayers(transaction, idsOf(meant));
		}
		// Overdue silence is noted first, even if the sweep has not seen it.
		const unnoted = meant.filter(isLate);
		if (unnoted.length > 0) {
			await noteSilenceOf(transaction, unnoted, patience, now);
			meant = await read();
		}
		const changed = meant.filter(machine => machine.contact !== contact);
		if (contact === 'heard') await noteReturns(transaction, meant.filter(isReturn), patience, now);
		await changeContacts(transaction, changed, contact, now);
		if (contact === 'heard') await hear(transaction, meant, now);
		return {known: new Set(idsOf(meant)), isNews: changed.length > 0, heard: meant};
	});
	// Last: until the heartbeats are recorded, the time since the previous ones would count as
	// silence.
	if (contact === 'heard') patience.ownHosts?.noteHeartbeat(heard, now);
	// Instances that waited for a machine may have started.
	if (isNews) workSignal.send(accountId);
	return [...named].filter(id => !known.has(id));
}

/** Changes contacts, with one statement for the machines without instances and volumes. */
async function changeContacts(
	database: Database,
	machines: readonly HostedMachine[],
	contact: Contact,
	now: number,
): Promise<void> {
	const {free = [], occupied = []} = Object.groupBy(machines, machine =>
		machine.occupied === 1 ? 'occupied' : 'free',
	);
	const fields = contactFields(contact);
	await changeMachines(database, idsOf(free), fields);
	// Refresh offers only: no instance waits for these GPUs.
	const offered = free.filter(({absent}) => absent !== fields.absent);
	await refreshOffers(database, idsOf(offered), now);
	for (const machine of occupied) await changeContact(database, machine, contact, now);
}

/** Records heartbeats, which lift the end of charges. */
async function hear(
	database: Database,
	machines: readonly HostedMachine[],
	now: number,
): Promise<void> {
	const limited = machines.filter(machine => machine.disk_until !== null);
	for (const machine of limited) {
		const isBilled = machine.occupied === 0 || machine.contact !== 'heard';
		if (!isBilled) await billMachine(database, machine, now);
	}
	await changeMachines(database, idsOf(machines), {heard_at: now});
	const unlimited = {compute_until: null, disk_until: null};
	await changeMachines(database, idsOf(limited), unlimited);
}

/** True if a machine was silent, or sends its first heartbeat. Made-up machines have no history. */
function isReturn({contact, known_since: known, made_up: isMadeUp}: HostedMachine): boolean {
	return isMadeUp === 0 && (contact !== 'heard' || known === null);
}

function idsOf(machines: readonly HostedMachine[]): readonly number[] {
	return machines.map(({id}) => id);
}

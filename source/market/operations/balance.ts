/** What an account has left at a moment, between two times at which it is charged. */
import {contactChanges} from '../rules/contact.ts';
import type {Patience} from '../rules/contact.ts';
import {readAccount} from '../store/accounts.ts';
import {priceBills} from '../store/charges.ts';
import type {Bill} from '../store/charges.ts';
import type {Database} from '../store/database.ts';
import type {Contact, MachineRow} from '../store/instance-tables.ts';
import {billedInstances, billedVolumes, instanceBill, volumeBill} from './bills.ts';

type Moment = {readonly patience: Patience; readonly now: number};

export type OpenCharge = {readonly day: number; readonly micros: number};

export type Balance = {
	readonly creditMicros: number;
	/** What is taken off it already, and will be charged soon. */
	readonly open: readonly OpenCharge[];
};

/** What an account would have if it were charged for everything now. Nothing is written. */
export async function readBalance(
	database: Database,
	accountId: number,
	moment: Moment,
): Promise<Balance> {
	const {creditMicros} = await readAccount(database, accountId);
	const open = await openCharges(database, accountId, moment);
	const again = await readAccount(database, accountId);
	// It was charged meanwhile: what was open may be counted twice.
	if (again.creditMicros !== creditMicros) return readBalance(database, accountId, moment);
	const spent = open.reduce((sum, {micros}) => sum + micros, 0);
	return {creditMicros: creditMicros - spent, open};
}

async function openCharges(
	database: Database,
	accountId: number,
	moment: Moment,
): Promise<readonly OpenCharge[]> {
	const instances = await billedInstances(database)
		.innerJoin('machines', 'machines.id', 'instances.machine_id')
		.select(['machines.heard_at', 'machines.contact as machine_contact'])
		.where('instances.account_id', '=', accountId)
		.execute();
	const volumes = await billedVolumes(database)
		.select(['machines.heard_at'])
		.where('volumes.account_id', '=', accountId)
		.execute();
	const bills: readonly Bill[] = [
		...instances.flatMap(({machine_contact, heard_at, ...row}) =>
			stretchesOf({contact: machine_contact, heard_at}, row.billed_until, moment).map(
				({contact, from, until}) => {
					// Nobody knows whether it runs on a machine that has fallen silent.
					const actual = contact === machine_contact ? row.actual : null;
					return instanceBill({...row, contact, actual, billed_until: from}, until);
				},
			),
		),
		...volumes.flatMap(({contact: present, heard_at, ...volume}) =>
			stretchesOf({contact: present, heard_at}, volume.billed_until, moment).map(
				({contact, from, until}) => volumeBill({...volume, billed_until: from}, contact, until),
			),
		),
	];
	const charges = await priceBills(database, bills);
	return charges.map(({row: {day}, addedMicros: micros}) => ({day, micros}));
}

type Stretch = {readonly contact: Contact; readonly from: number; readonly until: number};

/** The time that was not charged yet, parted where the machine has fallen silent in it. */
function stretchesOf(
	machine: Pick<MachineRow, 'contact' | 'heard_at'>,
	since: number,
	{patience, now}: Moment,
): readonly Stretch[] {
	const stretches: Stretch[] = [];
	let [contact, from] = [machine.contact, since];
	for (const change of contactChanges(machine, patience, now)) {
		stretches.push({contact, from, until: change.at});
		[contact, from] = [change.contact, Math.max(from, change.at)];
	}
	return [...stretches, {contact, from, until: now}];
}

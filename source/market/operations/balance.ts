/** What an account has left at a moment, between two times at which it is charged. */
import {billLimits} from '../rules/contact.ts';
import type {Patience} from '../rules/contact.ts';
import {readAccount} from '../store/accounts.ts';
import {priceBills} from '../store/charges.ts';
import type {Bill} from '../store/charges.ts';
import type {Database} from '../store/database.ts';
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
	{patience, now}: Moment,
): Promise<readonly OpenCharge[]> {
	const instances = await billedInstances(database)
		.select('machines.heard_at')
		.where('instances.account_id', '=', accountId)
		.execute();
	const volumes = await billedVolumes(database)
		.select('machines.heard_at')
		.where('volumes.account_id', '=', accountId)
		.execute();
	// What is silent for too long by now may not have been noted.
	const bills: readonly Bill[] = [
		...instances.map(row => instanceBill(row, billLimits(row, patience), now)),
		...volumes.map(row => volumeBill(row, {...row, ...billLimits(row, patience)}, now)),
	];
	const charges = await priceBills(database, bills);
	return charges.map(({row: {day}, addedMicros: micros}) => ({day, micros}));
}

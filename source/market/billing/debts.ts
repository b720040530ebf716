/** Debts, which are paid by new credit of the account alone, and providers' earnings from paid debts. */
import {Refusal} from '../base/refusal.ts';
import {marketPostings, repaidPostings} from '../ledger/rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {Database} from '../database/database.ts';
import {debtorsOf, readDebt, unevenDebtors, unpaidUse} from './debts-store.ts';
import {insertEntry} from '../ledger/store.ts';
import {writing} from '../database/writing.ts';

type Settling = {
	readonly database: Database;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
};

/** Turns paid use into earnings of its providers. */
export async function settleDebts({database, share}: Settling, now: number): Promise<void> {
	for (const {id} of (await unevenDebtors.execute(database)).rows) {
		await writing(database, async transaction => evenDebt(transaction, id, {share, now}));
	}
}

/**
 * Makes an account's unpaid use equal its debt: paid use is earned by its providers, and a debt without
 * use, as after a refund, is owed to the market. Call it in a transaction.
 */
export async function evenDebt(
	database: Database,
	id: number,
	{share, now}: {readonly share: number; readonly now: number},
): Promise<void> {
	const {credit, unpaid} = await readDebt(database, id);
	const owed = Math.max(0, -credit);
	if (owed === unpaid) return;
	const postings =
		owed > unpaid
			? marketPostings(id, owed - unpaid)
			: repaidPostings(id, await unpaidUse(database, id), {credit: unpaid - owed, share});
	await insertEntry(database, {kind: 'usage', at: now, account_id: id}, postings);
}

/**
 * Debts of accounts that an account made are not charged to it, but keep it from being closed.
 *
 * @throws Refusal if the account, or one that it made, owes something
 */
export async function refuseDebts(
	database: Database,
	id: number,
	reason: 'accountInUse' | 'teamInUse',
): Promise<void> {
	const debtors = await debtorsOf(database, id);
	if (debtors.length === 0) return;
	const owed = debtors.reduce((sum, {micros}) => sum + micros, 0);
	const dollars = (owed / MICROS_PER_DOLLAR).toFixed(2);
	const names = debtors.map(debtor => debtor.id).join(', ');
	const text = `It and the accounts that it made (${names}) owe ${dollars} dollars: nothing was closed.`;
	throw new Refusal(reason, text);
}

/** Debts, which an account's makers pay, and providers' earnings from paid debts. */
import {Refusal} from '../base/refusal.ts';
import {marketPostings, repaidPostings} from '../ledger/rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {readBalances} from '../ledger/accounts-store.ts';
import type {Database} from '../database/database.ts';
import {
	debtorsOf,
	makersOf,
	payableDebtors,
	readDebt,
	unevenDebtors,
	unpaidUse,
} from './debts-store.ts';
import {insertEntry} from '../ledger/store.ts';
import {writing} from '../database/writing.ts';
import {chargeAccount} from './charging.ts';
import {moveCredit} from '../ledger/move-credit.ts';

type Settling = {
	readonly database: Database;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
};

/** Pays debts from their makers' credit, and turns paid use into earnings of its providers. */
export async function settleDebts({database, share}: Settling, now: number): Promise<void> {
	for (const {id} of (await payableDebtors.execute(database)).rows) {
		await writing(database, async transaction => payByMakers(transaction, id, now));
	}
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

/** Pays debts of an account and of those that it made, from their makers. Call it in a transaction. */
export async function payDebtsOf(database: Database, id: number, now: number): Promise<void> {
	for (const debtor of await debtorsOf(database, id)) await payByMakers(database, debtor.id, now);
}

async function payByMakers(database: Database, id: number, now: number): Promise<void> {
	for (const maker of await makersOf(database, id)) {
		const debt = -(await readBalances(database, id)).creditMicros;
		if (debt <= 0) return;
		// The maker's own usage is paid first.
		await chargeAccount(database, maker, now);
		const {creditMicros} = await readBalances(database, maker);
		const micros = Math.min(creditMicros, debt);
		if (micros <= 0) continue;
		const [from, to] = [sideOf(maker), sideOf(id)];
		await moveCredit(database, {from, to, micros, now}, 'Payment of a debt');
	}
}

function sideOf(id: number) {
	return {id, name: `account ${id}`};
}

/** Debts of an account and of those that it made. */
export async function owedBy(database: Database, id: number): Promise<number> {
	return (await debtorsOf(database, id)).reduce((sum, {micros}) => sum + micros, 0);
}

/**
 * Pays the debts that an account answers for. Call it in a transaction.
 *
 * @throws Refusal if the credit does not suffice
 */
export async function refuseDebts(
	database: Database,
	id: number,
	{reason, now}: {readonly reason: 'accountInUse' | 'teamInUse'; readonly now: number},
): Promise<void> {
	await payDebtsOf(database, id, now);
	const owed = await owedBy(database, id);
	if (owed === 0) return;
	const dollars = (owed / MICROS_PER_DOLLAR).toFixed(2);
	const text = `It and the accounts that it made owe ${dollars} dollars: nothing was closed.`;
	throw new Refusal(reason, text);
}

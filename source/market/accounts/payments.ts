/** Payments: credit from outside, transfers between accounts, and payouts to providers. */
import {Refusal} from '../base/refusal.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {addCredit, insertPayment, readBalances, knownAccount} from '../ledger/accounts-store.ts';
import type {Posting} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import {insertEntry, outside} from '../ledger/store.ts';
import {writing} from '../database/writing.ts';
import {chargeAccount} from '../billing/charging.ts';
import {notifyAccount} from '../notifications/notify-renter.ts';
import {evenDebt} from '../billing/debts.ts';

/**
 * Enters paid credit, or a refund: a refund of spent credit is owed to the market. Returns false
 * for a payment whose name was already entered.
 */
export async function enterCredit(
	database: Database,
	id: number,
	credit: Parameters<typeof addCredit>[2],
): Promise<boolean> {
	return writing(database, async transaction => {
		const {micros, description, now} = credit;
		// Credit in a closed account would be lost; a refund is taken from any.
		if (micros > 0) await knownAccount(transaction, id);
		const isNew = await addCredit(transaction, id, credit);
		if (micros < 0) await evenDebt(transaction, id, {share: 0, now});
		else if (isNew) {
			await notifyAccount(transaction, id, {
				kind: 'client:payment_receipt',
				at: now,
				subject: `$${(micros / MICROS_PER_DOLLAR).toFixed(2)} of credit were added`,
				message: `${description}. It can be spent at once.`,
			});
		}
		return isNew;
	});
}

type Side = {readonly id: number; readonly name: string};

type CreditTransfer = {
	readonly from: Side;
	readonly to: Side;
	readonly micros: number;
	readonly now: number;
};

/** @throws Refusal if the account has less credit */
export async function transferCredit(
	database: Database,
	{from, to, micros, now}: CreditTransfer,
): Promise<void> {
	await chargeAccount(database, from.id, now);
	await writing(database, async transaction => {
		// Credit in a closed account would be lost.
		await knownAccount(transaction, to.id);
		const {creditMicros: credit} = await readBalances(transaction, from.id);
		if (credit < micros) throw tooLittle('credit', credit);
		const entry_id = await insertEntry(transaction, {kind: 'transfer', at: now}, [
			{account: from.id, book: 'credit', micros: -micros},
			{account: to.id, book: 'credit', micros},
		]);
		const common = {at: now, kind: 'transfer', service: 'transfer', entry_id} as const;
		await insertPayment(transaction, {
			...common,
			account_id: from.id,
			amount_micros: -micros,
			description: `Transfer to ${to.name}`,
			source: to.name,
		});
		await insertPayment(transaction, {
			...common,
			account_id: to.id,
			amount_micros: micros,
			description: `Transfer from ${from.name}`,
			source: from.name,
		});
		await notifyAccount(transaction, to.id, {
			kind: 'client:credit_transfer_received',
			at: now,
			subject: `${from.name} has given you credit`,
			message: `$${(micros / MICROS_PER_DOLLAR).toFixed(2)} of credit were added.`,
		});
	});
}

type Payout = {
	readonly accountId: number;
	readonly micros: number;
	readonly description: string;
	/** True to turn the earnings into credit of the same account. */
	readonly toCredit?: boolean;
	readonly now: number;
};

/** @throws Refusal if less was earned on past days, or is left after debts */
export async function recordPayout(database: Database, payout: Payout): Promise<void> {
	const {accountId, micros, description, toCredit = false, now} = payout;
	await writing(database, async transaction => {
		if (toCredit) await knownAccount(transaction, accountId);
		const {earnedMicros: earned, creditMicros} = await readBalances(transaction, accountId);
		if (earned < micros) throw tooLittle('earnings', earned);
		// Earnings that become credit pay the debts themselves.
		const owed = toCredit ? 0 : Math.max(0, -creditMicros);
		if (earned - owed < micros) {
			const owes = (owed / MICROS_PER_DOLLAR).toFixed(2);
			throw new Refusal('tooLittle', `The account owes ${owes} dollars: nothing was moved.`);
		}
		const postings: readonly Posting[] = toCredit
			? [
					{account: accountId, book: 'earnings', micros: -micros},
					{account: accountId, book: 'credit', micros},
				]
			: outside(accountId, 'earnings', -micros);
		const entry_id = await insertEntry(transaction, {kind: 'payout', at: now}, postings);
		await insertPayment(transaction, {
			account_id: accountId,
			at: now,
			amount_micros: micros,
			description,
			kind: toCredit ? 'credit' : 'payout',
			service: 'payout',
			entry_id,
		});
	});
}

function tooLittle(of: 'credit' | 'earnings', micros: number): Refusal {
	const has = (micros / MICROS_PER_DOLLAR).toFixed(2);
	return new Refusal('tooLittle', `The account has ${has} dollars of ${of}: nothing was moved.`);
}

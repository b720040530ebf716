/** Money that is moved on purpose: given by one account to another, and paid out to providers. */
import {Refusal} from '../refusal.ts';
import {MICROS_PER_DOLLAR} from '../rules/pricing.ts';
import {insertPayment, readBalances} from '../store/accounts.ts';
import type {Posting} from '../store/account-tables.ts';
import type {Database} from '../store/database.ts';
import {insertEntry, outside} from '../store/ledger.ts';
import {writing} from '../store/writing.ts';
import {chargeAccount} from './charging.ts';
import {notifyAccount} from './notify-renter.ts';
import {knownAccount} from './people.ts';

type Side = {readonly id: number; readonly name: string};

type Transfer = {
	readonly from: Side;
	readonly to: Side;
	readonly micros: number;
	readonly now: number;
};

/**
 * Gives credit of one account to another.
 *
 * @throws Refusal where it has less
 */
export async function transferCredit(
	database: Database,
	{from, to, micros, now}: Transfer,
): Promise<void> {
	await chargeAccount(database, from.id, now);
	await writing(database, async transaction => {
		// What a closed account is given, nobody could take out.
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
	/** It becomes credit of the same account instead of leaving the market. */
	readonly toCredit?: boolean;
	readonly now: number;
};

/**
 * Records that earnings were paid out.
 *
 * @throws Refusal where less was earned: days count when they are over
 */
export async function payOut(database: Database, payout: Payout): Promise<void> {
	const {accountId, micros, description, toCredit = false, now} = payout;
	await writing(database, async transaction => {
		const {earnedMicros: earned} = await readBalances(transaction, accountId);
		if (earned < micros) throw tooLittle('earnings', earned);
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

/** Deposits, paid ahead for an instance, and their refunds. */
import {Refusal} from '../base/refusal.ts';
import {
	HOURS_PER_MONTH,
	depositFor,
	keptAtEnd,
	type Deposited,
} from '../../contract/nouns/offer-cost.ts';
import {dayNumberOf} from '../ledger/metering-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {insertPayment, readBalances} from '../ledger/accounts-store.ts';
import type {Posting} from '../database/account-tables.ts';
import {discountOf} from '../lifecycle/asks-store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {findPresent, updateInstance} from '../lifecycle/instances-store.ts';
import {insertEntry} from '../ledger/store.ts';

import {charge, chargedSourceOf} from '../lifecycle/bills.ts';
import {billInstance} from '../lifecycle/change.ts';

const SERVICE = 'instance_prepay';

/**
 * Pays a deposit for an instance. The rest of an earlier deposit is added, and the discount is that of
 * the sum. Call it in a transaction, after charging the account.
 *
 * @throws Refusal without an offered discount or enough credit, or if the rental ends before
 */
export async function payDeposit(
	database: Database,
	row: InstanceRow,
	{micros, now}: {readonly micros: number; readonly now: number},
): Promise<Deposited> {
	const most = (await discountOf(database, row.ask_id)) ?? 0;
	if (row.is_bid === 1) {
		throw new Refusal(
			'badArguments',
			`Instance ${row.id} is bid for: its price is not paid ahead.`,
		);
	}
	if (row.end_date <= now) {
		throw new Refusal('badArguments', `The rental of instance ${row.id} is over.`);
	}
	if (most === 0) {
		throw new Refusal('badArguments', 'Its machine has no discount for paying in advance.');
	}
	await billInstance(database, row, now);
	const left = (await findPresent(database, row.id))?.deposit_micros ?? 0;
	const hourly = row.gpu_micros + (row.storage_micros * row.disk_gb) / HOURS_PER_MONTH;
	const deposited = depositFor(left + micros, hourly, most);
	const monthsLeft = (row.end_date - now) / (HOURS_PER_MONTH * 3600);
	if (!(deposited.months <= monthsLeft)) {
		const days = Math.floor((monthsLeft * HOURS_PER_MONTH) / 24);
		const text = `That is more than instance ${row.id} can use until its end, in ${days} days.`;
		throw new Refusal('badArguments', text);
	}
	const {creditMicros: credit} = await readBalances(database, row.account_id);
	if (credit < micros) {
		const has = (credit / MICROS_PER_DOLLAR).toFixed(2);
		throw new Refusal('noCredit', `The account has ${has} dollars of credit: nothing was paid.`);
	}
	await move(database, row, {kind: 'reserved', micros, now});
	await updateInstance(database, row.id, {
		deposit_micros: left + micros,
		deposit_rate: deposited.rate,
		deposit_months: deposited.months,
		// Discounts of a used-up deposit no longer count at an early end.
		...(left === 0 && {discount_micros: 0}),
	});
	return deposited;
}

/**
 * Returns the rest of an ending instance's deposit, less the fee for an early end, which is not due if
 * the machine is lost. Call it in a transaction, after charging the instance.
 */
export async function returnDeposit(
	database: Database,
	row: InstanceRow,
	now: number,
): Promise<void> {
	const {deposit_micros: left} = row;
	if (left === 0) return;
	const rest = refundOf(row);
	const kept = left - rest;
	if (kept > 0) {
		const span = {day: dayNumberOf(now), from: now, until: now};
		const usage = {...span, item: 'end', rateMicros: MICROS_PER_DOLLAR, quantity: kept} as const;
		await charge(database, chargedSourceOf(row), [usage], left);
	}
	if (rest > 0) await move(database, row, {kind: 'refund', micros: rest, now});
	await updateInstance(database, row.id, {deposit_micros: 0});
}

/** Refund of a deposit at an end; the whole rest if the machine is lost. */
export function refundOf({deposit_micros: left, discount_micros: received, contact}: InstanceRow) {
	return contact === 'lost' ? left : left - keptAtEnd(left, received);
}

type Moved = {
	readonly kind: 'reserved' | 'refund';
	readonly micros: number;
	readonly now: number;
};

/** Moves money between an account's credit and an instance's deposit. */
async function move(
	database: Database,
	{id, account_id: account}: InstanceRow,
	{kind, micros, now}: Moved,
): Promise<void> {
	const added = kind === 'refund' ? micros : -micros;
	const postings: readonly Posting[] = [
		{account, book: 'credit', micros: added},
		{account, book: 'deposit', micros: -added},
	];
	const entry_id = await insertEntry(database, {kind, at: now}, postings);
	const description =
		kind === 'refund'
			? `Rest of what was paid ahead for instance ${id}`
			: `Paid ahead for instance ${id}`;
	await insertPayment(database, {
		account_id: account,
		at: now,
		amount_micros: added,
		description,
		kind,
		service: SERVICE,
		entry_id,
	});
}

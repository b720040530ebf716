/** Charging instances and volumes between their events. */
import {setImmediate} from 'node:timers/promises';
import {CREDIT_CHECK_SECONDS, type Bill} from '../ledger/charge-prices-store.ts';
import {chargeBills} from '../ledger/charges-store.ts';
import type {Database} from '../database/database.ts';
import {readMoment, writeMoment} from '../database/moments.ts';
import {
	accountsAtRisk,
	accountsNearDeposits,
	accountsNearLeases,
	accountsWithLittle,
	isAnyUnbilled,
	noteBilled,
	unbilledInstances,
	unbilledVolumes,
	type Unbilled,
} from '../ledger/unbilled-store.ts';
import {instanceBill, volumeBill} from '../lifecycle/bills.ts';
import {writingOn} from '../database/writing.ts';

/** Longest time without a charge. */
const BILL_EVERY_SECONDS = 300;

/** Rows charged in a transaction, during which other writers wait. */
const ROWS_AT_ONCE = 500;

/** Moment of a last charge by which rows are overdue. */
export function overdueBy(now: number, isAll: boolean): number {
	return now - (isAll ? CREDIT_CHECK_SECONDS : BILL_EVERY_SECONDS);
}

/** Charges overdue rows, and accounts whose credit or lease may be used up. */
export async function chargeDue(database: Database, now: number, overdue: number): Promise<void> {
	await chargeAll(database, {due: overdue}, now);
	// The next start also reads this moment, to know how far charging had come.
	if ((await readMoment(database, 'looked')) > now - CREDIT_CHECK_SECONDS) return;
	const any = {due: Infinity};
	const isAnyBilled =
		(await isAnyUnbilled(database, 'instances', any)) ||
		(await isAnyUnbilled(database, 'volumes', any));
	if (!isAnyBilled) return;
	await writeMoment(database, 'looked', now);
	const near = [
		...(await accountsAtRisk(database, now)),
		...(await accountsNearDeposits(database, now)),
		...(await accountsNearLeases(database, now)),
	];
	for (const accountId of new Set(near)) await chargeAccount(database, accountId, now);
}

/** Charges an account before its bills are read or changed. */
export async function chargeAccount(
	database: Database,
	accountId: number,
	now: number,
): Promise<void> {
	await chargeAll(database, {due: now - CREDIT_CHECK_SECONDS, accountId}, now);
}

/** Charges the renters of a provider, before its earnings are read. */
export async function chargeRenters(
	database: Database,
	providerId: number,
	now: number,
): Promise<void> {
	await chargeAll(database, {due: now - CREDIT_CHECK_SECONDS, providerId}, now);
}

/**
 * Charges accounts with little credit left: traffic is paid from the remaining credit and must not
 * create debt.
 */
export async function chargeBeforeTraffic(
	database: Database,
	instanceIds: readonly number[],
	now: number,
): Promise<void> {
	for (const accountId of await accountsWithLittle(database, instanceIds)) {
		await chargeAccount(database, accountId, now);
	}
}

async function chargeAll(database: Database, unbilled: Unbilled, now: number): Promise<void> {
	for (const table of ['instances', 'volumes'] as const) {
		for (;;) {
			// Read outside the transaction first: a write transaction blocks other writers.
			const due = await billsOf(database, table, {...unbilled, now});
			if (due.length === 0) break;
			const ids = due.map(({sourceId}) => sourceId);
			const accounts = due.map(({accountId}) => accountId);
			await writingOn(database, {[table]: ids, payers: false, accounts}, async transaction => {
				// Another process may have charged some rows meanwhile.
				const bills = await billsOf(transaction, table, {...unbilled, ids, now});
				await chargeBills(transaction, bills);
				const billed = bills.map(({sourceId}) => sourceId);
				await noteBilled(transaction, table, {ids: billed, until: now});
			});
			await setImmediate();
		}
	}
}

/** Bills of rows, without volumes of unknown machines, which are free. */
async function billsOf(
	database: Database,
	table: 'instances' | 'volumes',
	{now, ...unbilled}: Unbilled & {readonly now: number},
): Promise<readonly Bill[]> {
	if (table === 'instances') {
		const rows = await unbilledInstances(database, unbilled, ROWS_AT_ONCE).execute();
		return rows.map(row => instanceBill(row, row, now));
	}
	const rows = await unbilledVolumes(database, unbilled, ROWS_AT_ONCE).execute();
	return rows.map(row => volumeBill(row, row, now));
}

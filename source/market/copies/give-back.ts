/** Costs of a volume that come back to its renter. */
import {insertPayment, readBalances} from '../ledger/accounts-store.ts';
import {takeOpenCharges} from '../ledger/charges-store.ts';
import type {Database} from '../database/database.ts';
import type {VolumeRow} from '../database/instance-tables.ts';
import {insertEntry} from '../ledger/store.ts';

/**
 * Gives back what a volume that is gone has cost: charges that are not posted go, and the rest comes
 * from what its provider has earned and not taken out. Call it in a transaction.
 */
export async function giveBack(
	database: Database,
	{id, account_id: account, host_account_id: provider, machine_id: machineId}: VolumeRow,
	now: number,
): Promise<void> {
	const postedMicros = await takeOpenCharges(database, {account, volumeId: id});
	const {earnedMicros} = await readBalances(database, provider);
	const micros = Math.min(postedMicros, Math.max(0, earnedMicros));
	if (micros === 0) return;
	const entry_id = await insertEntry(database, {kind: 'refund', at: now}, [
		{account, book: 'credit', micros},
		{account: provider, book: 'earnings', micros: -micros, machineId, item: 'disk'},
	]);
	await insertPayment(database, {
		account_id: account,
		at: now,
		amount_micros: micros,
		description: `Cost of clone ${id}, which failed`,
		kind: 'refund',
		service: 'volume_clone',
		entry_id,
	});
}

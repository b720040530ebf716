/** Credit transfers between accounts, with a payment in the lists of both. */
import {insertPayment} from './accounts-store.ts';
import type {Database} from '../database/database.ts';
import {insertEntry} from './store.ts';

type Side = {readonly id: number; readonly name: string};

export type CreditTransfer = {
	readonly from: Side;
	readonly to: Side;
	readonly micros: number;
	readonly now: number;
};

/** Moves available credit. Call it in a transaction. */
export async function moveCredit(
	database: Database,
	{from, to, micros, now}: CreditTransfer,
): Promise<void> {
	const entry_id = await insertEntry(database, {kind: 'transfer', at: now}, [
		{account: from.id, book: 'credit', micros: -micros},
		{account: to.id, book: 'credit', micros},
	]);
	const common = {at: now, kind: 'transfer', service: 'transfer', entry_id} as const;
	await insertPayment(database, {
		...common,
		account_id: from.id,
		amount_micros: -micros,
		description: `Transfer to ${to.name}`,
		source: to.name,
	});
	await insertPayment(database, {
		...common,
		account_id: to.id,
		amount_micros: micros,
		description: `Transfer from ${from.name}`,
		source: from.name,
	});
}

/** The accounts that a market opens by itself: one that rents, and one for made-up hosts. */
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {addCredit, readPayer, soleAccount} from '../ledger/accounts-store.ts';
import type {Database} from '../database/database.ts';
import {createKey} from '../api-keys/keys-store.ts';
import {chargeAccount} from '../billing/charging.ts';

/** Fills up the account that rents, so that it has so many dollars at least. */
export async function topUp(database: Database, dollars: number, now: number): Promise<void> {
	const {id} = await soleAccount(database, 'renter', now);
	const micros = Math.round(dollars * MICROS_PER_DOLLAR);
	await chargeAccount(database, id, now);
	const missing = micros - (await readPayer(database, id)).creditMicros;
	if (missing <= 0) return;
	await addCredit(database, id, {micros: missing, description: 'Filled up', now});
}

type Opening = {
	readonly name: string;
	readonly role: 'renter' | 'host';
	/** Dollars, for an account that is new. */
	readonly credit: number;
	readonly now: number;
};

/** Makes a key for the account of a role, which is opened where there is none. */
export async function makeKey(database: Database, opening: Opening): Promise<string> {
	return keyOf(database, await soleAccount(database, opening.role, opening.now), opening);
}

/** The same for an account that is new: undefined where another process has been faster. */
export async function makeFirstKey(
	database: Database,
	opening: Opening,
): Promise<string | undefined> {
	const account = await soleAccount(database, opening.role, opening.now);
	return account.isNew ? keyOf(database, account, opening) : undefined;
}

type Account = Awaited<ReturnType<typeof soleAccount>>;

async function keyOf(
	database: Database,
	{id, isNew}: Account,
	{name, role, credit, now}: Opening,
): Promise<string> {
	if (isNew && role === 'renter' && credit > 0) {
		const micros = Math.round(credit * MICROS_PER_DOLLAR);
		await addCredit(database, id, {micros, description: 'Opening credit', now});
	}
	return (await createKey(database, {accountId: id, name, now})).value;
}

import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import {findAccount, type Person} from './accounts-store.ts';

/** @throws Refusal where there is none, or it is closed */
export async function knownAccount(database: Database, id: number): Promise<Person> {
	const account = await findAccount(database, id);
	if (account === undefined) throw new Refusal('noSuchUser', `There is no account ${id}.`);
	return account;
}

/**
 * The account that a path names: the caller's own, or one within it, of which it may read.
 *
 * @throws Refusal for any other
 */
export async function accountNamed(
	database: Database,
	name: string,
	accountId: number,
): Promise<number> {
	if (['me', 'current', String(accountId)].includes(name)) return accountId;
	const named = await findAccount(database, Number(name));
	if (named?.parent_id === accountId) return named.id;
	throw new Refusal('lacksPermission', 'This is another account’s.');
}

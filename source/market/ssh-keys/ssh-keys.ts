/** Keys that an account registers for all of its instances. */
import {addSshKey, type NewSshKey, type SshKeyFacts} from './store.ts';
import type {Database} from '../database/database.ts';
import {writingOn} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {parsePublicKey, PublicKeyError, type PublicKey} from '../../contract/rules/public-key.ts';
import {Refusal} from '../base/refusal.ts';

/** Registers a key. One that the account has already is left as it is. @throws Refusal */
export async function registerKey(database: Database, key: NewSshKey): Promise<SshKeyFacts> {
	return writingOn(database, {accounts: [key.accountId]}, async transaction => {
		const added = await addSshKey(transaction, key);
		await refuseTooMany(transaction, 'sshKey', key);
		return added;
	});
}

/** @throws Refusal where a text is no public key. */
export function readKey(text: string): PublicKey {
	try {
		return parsePublicKey(text);
	} catch (cause) {
		if (!(cause instanceof PublicKeyError)) throw cause;
		throw new Refusal('noSshKey', cause.message, {cause});
	}
}

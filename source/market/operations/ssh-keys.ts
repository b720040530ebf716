/** Keys that an account registers for all of its instances. */
import {addSshKey, type NewSshKey, type SshKeyFacts} from '../store/ssh-keys.ts';
import type {Database} from '../store/database.ts';
import {writingOn} from '../store/writing.ts';
import {refuseTooMany} from './bounds.ts';

/** Registers a key. One that the account has already is left as it is. @throws Refusal */
export async function registerKey(database: Database, key: NewSshKey): Promise<SshKeyFacts> {
	return writingOn(database, {accounts: [key.accountId]}, async transaction => {
		const added = await addSshKey(transaction, key);
		await refuseTooMany(transaction, 'sshKey', key);
		return added;
	});
}

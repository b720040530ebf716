import type {PublicKey} from '../../contract/rules/public-key.ts';
import type {Database} from '../database/database.ts';
import {writingOn} from '../database/writing.ts';

export type SshKeyFacts = {
	readonly id: number;
	readonly accountId: number;
	readonly publicKey: string;
	readonly createdAt: number;
};

/**
 * The keys of an account that were not deleted, in the order in which they were registered. Those
 * that one instance alone knows are not among them.
 */
export async function listSshKeys(
	database: Database,
	accountId: number,
): Promise<readonly SshKeyFacts[]> {
	return selectSshKeys(database, accountId).orderBy('id').execute();
}

export type NewSshKey = {readonly accountId: number; readonly key: PublicKey; readonly now: number};

/** Registers a key. One that the account has already is left as it is. */
export async function addSshKey(
	database: Database,
	{accountId, key, now}: NewSshKey,
): Promise<SshKeyFacts> {
	return writingOn(database, {accounts: [accountId]}, async transaction => {
		const known = await findBlob(transaction, accountId, key.blob);
		if (known !== undefined) return known;
		const {id} = await transaction
			.insertInto('ssh_keys')
			.values({
				account_id: accountId,
				public_key: key.text,
				blob: key.blob,
				created_at: now,
				deleted_at: null,
			})
			.returning('id')
			.executeTakeFirstOrThrow();
		return {id, accountId, publicKey: key.text, createdAt: now};
	});
}

type SshKeyName = {readonly id: number; readonly accountId: number};

/** Puts another key in the place of one; what is in the way, where it cannot. */
export async function replaceSshKey(
	database: Database,
	{id, accountId}: SshKeyName,
	key: PublicKey,
): Promise<SshKeyFacts | 'no such key' | 'known already'> {
	return writingOn(database, {accounts: [accountId]}, async transaction => {
		const other = await findBlob(transaction, accountId, key.blob);
		if (other !== undefined && other.id !== id) return 'known already';
		const old = await selectSshKeys(transaction, accountId).where('id', '=', id).executeTakeFirst();
		if (old === undefined) return 'no such key';
		await transaction
			.updateTable('ssh_keys')
			.set({public_key: key.text, blob: key.blob})
			.where('id', '=', id)
			.execute();
		return {...old, publicKey: key.text};
	});
}

/** It answers whether there was one. */
export async function deleteSshKey(
	database: Database,
	{id, accountId}: SshKeyName,
	now: number,
): Promise<boolean> {
	const {numUpdatedRows} = await database
		.updateTable('ssh_keys')
		.set({deleted_at: now})
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.where('instance_id', 'is', null)
		.where('deleted_at', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0;
}

function findBlob(database: Database, accountId: number, blob: string) {
	return selectSshKeys(database, accountId).where('blob', '=', blob).executeTakeFirst();
}

function selectSshKeys(database: Database, accountId: number) {
	return database
		.selectFrom('ssh_keys')
		.select(['id', 'account_id as accountId', 'public_key as publicKey', 'created_at as createdAt'])
		.where('account_id', '=', accountId)
		.where('instance_id', 'is', null)
		.where('deleted_at', 'is', null);
}

/** SSH keys of accounts and of instances. */
import {sql, type RawBuilder} from 'kysely';
import type {PublicKey} from '../../contract/rules/public-key.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {writingOn} from '../database/writing.ts';
import {statement} from '../database/statement.ts';

export type SshKeyFacts = {
	readonly id: number;
	readonly accountId: number;
	readonly publicKey: string;
	readonly createdAt: number;
};

/**
 * Present keys of an account in the order of their registration, without keys of single
 * instances.
 */
export async function listSshKeys(
	database: Database,
	accountId: number,
): Promise<readonly SshKeyFacts[]> {
	return selectSshKeys(database, accountId).orderBy('id').execute();
}

export type NewSshKey = {readonly accountId: number; readonly key: PublicKey; readonly now: number};

/** Registers a key, unless the account has it already. */
export async function addSshKey(
	database: Database,
	{accountId, key, now}: NewSshKey,
): Promise<SshKeyFacts> {
	return writingOn(database, {accounts: [accountId]}, async transaction => {
		const known = await findBlob(transaction, accountId, key.blob);
		if (known !== undefined) return known;
		const id = await insertKey(transaction, {accountId, key, now});
		return {id, accountId, publicKey: key.text, createdAt: now};
	});
}

type SshKeyName = {readonly id: number; readonly accountId: number};

/** Replaces a key, or returns the obstacle. Call it in a transaction. */
export async function replaceSshKey(
	database: Database,
	{id, accountId}: SshKeyName,
	key: PublicKey,
): Promise<SshKeyFacts | 'no such key' | 'known already'> {
	const other = await findBlob(database, accountId, key.blob);
	if (other !== undefined && other.id !== id) return 'known already';
	const old = await selectSshKeys(database, accountId).where('id', '=', id).executeTakeFirst();
	if (old === undefined) return 'no such key';
	await database
		.updateTable('ssh_keys')
		.set({public_key: key.text, blob: key.blob})
		.where('id', '=', id)
		.execute();
	return {...old, publicKey: key.text};
}

/** Present instances that a key may enter. */
export async function instancesWithKey(
	database: Database,
	keyId: number,
): Promise<readonly InstanceRow[]> {
	return database
		.selectFrom('instances')
		.innerJoin('instance_ssh_keys', 'instance_ssh_keys.instance_id', 'instances.id')
		.selectAll('instances')
		.where('instance_ssh_keys.ssh_key_id', '=', keyId)
		.where('destroyed_at', 'is', null)
		.execute();
}

/** Deletes a key; false if there was none. */
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
	return accountKeys(database, accountId).select([
		'id',
		'account_id as accountId',
		'public_key as publicKey',
		'created_at as createdAt',
	]);
}

async function insertKey(
	database: Database,
	{accountId, key, now, instanceId = null}: NewSshKey & {readonly instanceId?: number | null},
): Promise<number> {
	const row = {account_id: accountId, instance_id: instanceId, created_at: now, deleted_at: null};
	const {id} = await database
		.insertInto('ssh_keys')
		.values({...row, public_key: key.text, blob: key.blob})
		.returning('id')
		.executeTakeFirstOrThrow();
	return id;
}

export async function attachAccountKeys(
	database: Database,
	instanceId: number,
	accountId: number,
): Promise<void> {
	await attachKeys(database, {instanceId, accountId});
}

const attachKeys = statement<{instanceId: number; accountId: number}, unknown>((database, value) =>
	database
		.insertInto('instance_ssh_keys')
		.columns(['instance_id', 'ssh_key_id'])
		.expression(
			accountKeys(database, value('accountId')).select([
				sql<number>`cast(${value('instanceId')} as integer)`.as('instance_id'),
				'id',
			]),
		),
);

/** Count of an account's keys: without any, a VM cannot be entered. */
export async function countKeys(database: Database, accountId: number): Promise<number> {
	const {count} = await accountKeys(database, accountId)
		.select(({fn}) => fn.countAll<number>().as('count'))
		.executeTakeFirstOrThrow();
	return count;
}

function accountKeys(database: Database, accountId: number | RawBuilder<number>) {
	return database
		.selectFrom('ssh_keys')
		.where('account_id', '=', accountId)
		.where('instance_id', 'is', null)
		.where('deleted_at', 'is', null);
}

type InstanceKey = {
	readonly id: number;
	readonly publicKey: string;
	readonly blob: string;
};

/** The keys that may enter an instance: of its account, and its own. */
export async function keysOfInstance(
	database: Database,
	instanceId: number,
): Promise<readonly InstanceKey[]> {
	return database
		.selectFrom('instance_ssh_keys')
		.innerJoin('ssh_keys', 'ssh_keys.id', 'instance_ssh_keys.ssh_key_id')
		.select(['ssh_keys.id', 'ssh_keys.public_key as publicKey', 'ssh_keys.blob'])
		.where('instance_ssh_keys.instance_id', '=', instanceId)
		.orderBy('ssh_keys.id')
		.execute();
}

type NewInstanceKey = NewSshKey & {readonly instanceId: number};

/**
 * Attaches a key to an instance, and returns its id. A key that the account does not have becomes the
 * instance's own. Call it in a transaction.
 */
export async function insertInstanceKey(
	database: Database,
	{instanceId, accountId, key, now}: NewInstanceKey,
): Promise<number> {
	const known = await accountKeys(database, accountId)
		.select('id')
		.where('blob', '=', key.blob)
		.executeTakeFirst();
	const id = known?.id ?? (await insertKey(database, {accountId, key, now, instanceId}));
	await database
		.insertInto('instance_ssh_keys')
		.values({instance_id: instanceId, ssh_key_id: id})
		.execute();
	return id;
}

/** Detaches a key; false if it was not attached. */
export async function detachInstanceKey(
	database: Database,
	instanceId: number,
	keyId: number,
): Promise<boolean> {
	const {numDeletedRows} = await database
		.deleteFrom('instance_ssh_keys')
		.where('instance_id', '=', instanceId)
		.where('ssh_key_id', '=', keyId)
		.executeTakeFirst();
	return numDeletedRows > 0;
}

/** Deletes a key, if it is the instance's own. */
export async function deleteOwnKey(
	database: Database,
	{
		instanceId,
		keyId,
		now,
	}: {readonly instanceId: number; readonly keyId: number; readonly now: number},
): Promise<void> {
	await database
		.updateTable('ssh_keys')
		.set({deleted_at: now})
		.where('id', '=', keyId)
		.where('instance_id', '=', instanceId)
		.execute();
}

/** Detaches all keys from an instance, and deletes its own ones. */
export async function deleteKeysOf(
	database: Database,
	instanceId: number,
	now: number,
): Promise<void> {
	await database.deleteFrom('instance_ssh_keys').where('instance_id', '=', instanceId).execute();
	await database
		.updateTable('ssh_keys')
		.set({deleted_at: now})
		.where('instance_id', '=', instanceId)
		.where('deleted_at', 'is', null)
		.execute();
}

/** SSH keys of an account, and attaching keys to present instances. */
import {type PublicKey, parsePublicKey, PublicKeyError} from '../../contract/rules/public-key.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import {
	deleteOwnKey,
	detachInstanceKey,
	insertInstanceKey,
	instancesWithKey,
	keysOfInstance,
	addSshKey,
	replaceSshKey,
	type NewSshKey,
	type SshKeyFacts,
} from './store.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {findInstance, updateInstance} from '../lifecycle/instances-store.ts';
import {nextRevision} from '../database/numbering.ts';
import {writing, writingOn} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';

type Which = {readonly instanceId: number; readonly accountId: number};

/** Attaches a key and returns its id; undefined for a key that already has access. */
export async function attachKey(
	database: Database,
	which: Which,
	{key, now}: {readonly key: PublicKey; readonly now: number},
): Promise<{readonly keyId: number; readonly hostAccountId: number} | undefined> {
	return writingOn(database, heldBy(which), async transaction => {
		const instance = await readInstance(transaction, which);
		const attached = await keysOfInstance(transaction, instance.id);
		if (attached.some(({blob}) => blob === key.blob)) return undefined;
		const keyId = await insertInstanceKey(transaction, {...which, key, now});
		const {accountId, instanceId: at} = which;
		await refuseTooMany(transaction, 'instanceKey', {accountId, at, now});
		await tellHost(transaction, instance);
		return {keyId, hostAccountId: instance.host_account_id};
	});
}

/** @throws Refusal for a key that is not attached */
export async function detachKey(
	database: Database,
	which: Which,
	{keyId, now}: {readonly keyId: number; readonly now: number},
): Promise<{readonly hostAccountId: number}> {
	return writingOn(database, heldBy(which), async transaction => {
		const instance = await readInstance(transaction, which);
		if (!(await detachInstanceKey(transaction, instance.id, keyId))) {
			throw new Refusal('noSuchSshKey', `Instance ${instance.id} has no SSH key ${keyId}.`);
		}
		await deleteOwnKey(transaction, {instanceId: instance.id, keyId, now});
		await tellHost(transaction, instance);
		return {hostAccountId: instance.host_account_id};
	});
}

function heldBy({instanceId}: Which) {
	return {instances: [instanceId], payers: false};
}

async function readInstance(
	database: Database,
	{instanceId: id, accountId}: Which,
): Promise<InstanceRow> {
	const instance = await findInstance(database, {id, accountId});
	if (instance !== undefined) return instance;
	throw new Refusal('noSuchInstance', `Instance ${id} not found.`);
}

/** Renews the host's work order, which has the keys. */
async function tellHost(database: Database, {id, host_account_id}: InstanceRow): Promise<void> {
	await updateInstance(database, id, {revision: await nextRevision(database, host_account_id)});
}

type Replaced = {
	readonly outcome: Awaited<ReturnType<typeof replaceSshKey>>;
	/** Accounts of the hosts whose instances the key may enter. */
	readonly hosts: readonly number[];
};

/** Replaces a key, or returns the obstacle: hosts are told, or the old one would go on entering. */
export async function replaceKey(
	database: Database,
	name: {readonly id: number; readonly accountId: number},
	key: PublicKey,
): Promise<Replaced> {
	return writing(database, async transaction => {
		const outcome = await replaceSshKey(transaction, name, key);
		if (typeof outcome === 'string') return {outcome, hosts: []};
		const entered = await instancesWithKey(transaction, name.id);
		for (const instance of entered) await tellHost(transaction, instance);
		return {outcome, hosts: entered.map(({host_account_id: host}) => host)};
	});
}

/** Registers a key, unless the account has it already. @throws Refusal */
export async function registerKey(database: Database, key: NewSshKey): Promise<SshKeyFacts> {
	return writingOn(database, {accounts: [key.accountId]}, async transaction => {
		const added = await addSshKey(transaction, key);
		await refuseTooMany(transaction, 'sshKey', key);
		return added;
	});
}

/** @throws Refusal for text that is no public key */
export function readPublicKey(text: string): PublicKey {
	try {
		return parsePublicKey(text);
	} catch (cause) {
		if (!(cause instanceof PublicKeyError)) throw cause;
		throw new Refusal('noSshKey', cause.message, {cause});
	}
}

import type {Contract} from '../../contract/index.ts';
import {registerKey, readPublicKey, replaceKey} from './instance-ssh.ts';
import {Refusal} from '../base/refusal.ts';
import {deleteSshKey, listSshKeys, type SshKeyFacts} from './store.ts';
import {writingOn} from '../database/writing.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['sshKeys'];

export const list: Handler<Calls['list']> = async (_, {database, caller}) =>
	(await listSshKeys(database, caller.accountId)).map(recordOf);

export const create: Handler<Calls['create']> = async ({body}, {database, clock, caller}) => {
	const key = readPublicKey(body.ssh_key);
	const {accountId} = caller;
	return {
		success: true,
		key: recordOf(await registerKey(database, {accountId, key, now: clock.now()})),
	};
};

export const update: Handler<Calls['update']> = async (
	{params: {id}, body},
	{database, workSignal, caller: {accountId}},
) => {
	const key = readPublicKey(body.ssh_key);
	const {outcome: replaced, hosts} = await replaceKey(database, {id, accountId}, key);
	for (const host of hosts) workSignal.send(host);
	if (replaced === 'no such key') throw unknownKey(id);
	if (replaced === 'known already') {
		throw new Refusal('noSshKey', 'Another SSH key of the account is this one.');
	}
	return {success: true, key: recordOf(replaced)};
};

const remove: Handler<Calls['delete']> = async (
	{params: {id}},
	{database, clock, caller: {accountId}},
) => {
	const isDeleted = await writingOn(database, {accounts: [accountId]}, async transaction =>
		deleteSshKey(transaction, {id, accountId}, clock.now()),
	);
	if (!isDeleted) throw unknownKey(id);
	return {success: true, msg: 'The SSH key was deleted.'};
};

export {remove as delete};

function unknownKey(id: number): Refusal {
	return new Refusal('noSshKey', `There is no SSH key ${id}.`);
}

/** Record with both `key` and `public_key`, which other services use in different replies. */
function recordOf({id, accountId, publicKey, createdAt}: SshKeyFacts) {
	return {
		id,
		user_id: accountId,
		key: publicKey,
		public_key: publicKey,
		created_at: new Date(createdAt * 1000).toISOString(),
		deleted_at: null,
	};
}

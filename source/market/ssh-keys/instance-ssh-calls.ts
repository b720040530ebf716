import type {Contract} from '../../contract/index.ts';
import {parsePublicKey} from '../../contract/rules/public-key.ts';
import {attachKey, detachKey, readPublicKey} from './instance-ssh.ts';
import {Refusal} from '../base/refusal.ts';
import {keysOfInstance} from './store.ts';
import {findInstance} from '../lifecycle/instances-store.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['instances'];

export const sshKeys: Handler<Calls['sshKeys']> = async (
	{params: {id}},
	{database, caller: {accountId}},
) => {
	if ((await findInstance(database, {id, accountId})) === undefined) {
		throw new Refusal('noSuchInstance', `Instance ${id} not found.`);
	}
	const keys = (await keysOfInstance(database, id)).map(({id: keyId, publicKey}) => ({
		id: keyId,
		name: parsePublicKey(publicKey).comment,
		public_key: publicKey,
	}));
	return {success: true, ssh_keys: JSON.stringify(keys)};
};

export const attachSshKey: Handler<Calls['attachSshKey']> = async (
	{params: {id}, body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const key = readPublicKey(body.text);
	const which = {instanceId: id, accountId};
	const attached = await attachKey(database, which, {key, now: clock.now()});
	if (attached === undefined) {
		return {success: true, msg: 'SSH key already associated with instance.'};
	}
	workSignal.send(attached.hostAccountId);
	return {success: true, msg: `SSH key ${attached.keyId} may enter instance ${id}.`};
};

export const detachSshKey: Handler<Calls['detachSshKey']> = async (
	{params: {id, ssh_key_id: keyId}},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const which = {instanceId: id, accountId};
	const {hostAccountId} = await detachKey(database, which, {keyId, now: clock.now()});
	workSignal.send(hostAccountId);
	return {success: true, msg: `SSH key ${keyId} may enter instance ${id} no longer.`};
};

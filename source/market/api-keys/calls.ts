import type {Contract} from '../../contract/index.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {isGranted, readPermissions} from '../../contract/grammar/permissions.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {Refusal} from '../base/refusal.ts';
import type {ApiKey, Speaker} from '../base/api-key.ts';
import {createKey, deleteKeyRow, listKeys, findApiKeyFacts, resetKey} from './store.ts';
import {writing, writingOn} from '../database/writing.ts';
import type {Handler} from '../http/handler.ts';
import {readGrants, recordOf, refuseOtherCap, refuseTooWide} from './grants.ts';

type Calls = Contract['apiKeys'];

export const list: Handler<Calls['list']> = async (_, {database, caller}) => ({
	apikeys: (await listKeys(database, speakerOf(caller))).map(recordOf),
});

export const create: Handler<Calls['create']> = async ({body}, {database, clock, caller}) => {
	const name = body.name ?? '';
	const permissions = permissionsIn(body);
	refuseTooWide(caller, readGrants(permissions));
	const {accountId, capped} = caller;
	const cap = body.cap ?? undefined;
	if (cap !== undefined && capped !== undefined) {
		throw new Refusal('beyondCap', 'The keys of a key with a cap share it: leave cap out.');
	}
	const now = clock.now();
	const {id, value} = await writingOn(database, {accounts: [accountId]}, async transaction => {
		const wanted = {...speakerOf(caller), name, permissions, cap, capped, now};
		const made = await createKey(transaction, wanted);
		await refuseTooMany(transaction, 'apiKey', {accountId, now});
		return made;
	});
	const held = cap ?? capped?.cap;
	const capOfKey = held === undefined ? {} : {cap: held};
	return {success: true, id, key: value, permissions: permissions ?? false, ...capOfKey} as const;
};

function permissionsIn(body: {readonly key_params?: unknown; readonly permissions?: unknown}) {
	if (!isNothing(body.key_params)) {
		// `key_params` fill in limits, so ignoring them would grant too much.
		throw new Refusal('badPermissions', 'key_params are not supported.');
	}
	if (isNothing(body.permissions)) return undefined;
	if (isRecord(body.permissions)) return body.permissions;
	throw new Refusal('badPermissions', 'Invalid permission format: it must be a JSON object.');
}

export const show: Handler<Calls['show']> = async ({params: {id}}, {database, caller}) => {
	const key = await findApiKeyFacts(database, {id, ...speakerOf(caller)});
	if (key === undefined) throw unknownKey();
	return recordOf(key);
};

const remove: Handler<Calls['delete']> = async ({params: {id}}, {database, clock, caller}) => {
	const name = {id, ...speakerOf(caller)};
	await writing(database, async transaction => {
		const key = await findApiKeyFacts(transaction, name);
		if (key === undefined) throw unknownKey();
		refuseTooWide(caller, readPermissions(key.permissions));
		refuseOtherCap(caller, key);
		await deleteKeyRow(transaction, name, clock.now());
	});
	return 'Successfully Deleted API Key';
};

export {remove as delete};

export const reset: Handler<Calls['reset']> = async ({body}, {database, caller}) => {
	const id = body.id ?? caller.id;
	const name = {id, ...speakerOf(caller)};
	if (id !== caller.id) {
		if (!isGranted(caller.grants, {permission: 'user_write'})) {
			throw new Refusal('lacksPermission', 'This key lacks the permission user_write.');
		}
		const key = await findApiKeyFacts(database, name);
		if (key === undefined) throw unknownKey();
		// The caller gets the key's value, and so all of its permissions.
		refuseTooWide(caller, readPermissions(key.permissions));
		refuseOtherCap(caller, key);
	}
	const value = await writing(database, async transaction => resetKey(transaction, name));
	if (value === undefined) throw unknownKey();
	return {success: true, new_api_key: value, id};
};

/** Owner whose keys a caller may manage: the account, or the member of a team. */
function speakerOf({accountId, memberId}: ApiKey): Speaker {
	return {accountId, memberId};
}

/** True for permissions that are not given: missing, null, false or empty. */
function isNothing(value: unknown): value is null | undefined | false {
	if (value === undefined || value === null || value === false) return true;
	return isRecord(value) && Object.keys(value).length === 0;
}

function unknownKey(): Refusal {
	return new Refusal('noSuchKey', 'API Key not found.');
}

import type {ApiKeyRecord} from '../../contract/nouns/api-keys.ts';
import {contract} from '../../contract/index.ts';
import {type Unreadable, noneUnreadable} from '../../contract/grammar/unreadable.ts';
import type {PermissionsRecord} from '../../contract/grammar/permissions.ts';
import type {Cap} from '../../contract/grammar/caps.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import {type SshKey, attachedKey, type AttachedKey} from '../../contract/nouns/ssh-keys.ts';
import {ApiError, ReplyError} from '../exchange/errors.ts';
import {parseJson} from '../../contract/grammar/json.ts';
import {openRecordReader} from '../../contract/grammar/list-reply.ts';

const {apiKeys, instances, sshKeys} = contract;

type NewApiKey = {
	readonly name: string;
	/**
	 * Permissions of the key, in any form that services accept.
	 * @default everything
	 */
	readonly permissions?: PermissionsRecord;
	/** The most that the key may rent and spend. Services without caps create a key without one. */
	readonly cap?: Cap | undefined;
};

export type ApiKeys = {readonly keys: readonly ApiKeyRecord[]; readonly unreadable: Unreadable};

export function apiKeyCalls(call: CallEndpoint) {
	return {
		/** The keys of the account, without their values. */
		async list(options?: CallOptions): Promise<ApiKeys> {
			const {apikeys: keys, unreadable} = await call(apiKeys.list, {}, options);
			return {keys, unreadable};
		},
		/** Creates a key. Its value is shown only in this reply. */
		async create(wanted: NewApiKey, options?: CallOptions) {
			const {id, key, permissions, cap} = await call(apiKeys.create, {body: wanted}, options);
			return {id, key, permissions: permissions ?? false, cap: cap ?? undefined};
		},
		/** Replaces the value of a key, or of the calling one, and ends the old value at once. */
		async reset(id?: number, options?: CallOptions): Promise<string> {
			return (await call(apiKeys.reset, {body: id === undefined ? {} : {id}}, options)).new_api_key;
		},
	};
}

export type AttachedKeys = {
	readonly keys: readonly AttachedKey[];
	readonly unreadable: Unreadable;
};

export function instanceSshCalls(call: CallEndpoint) {
	return {
		async sshKeys(id: number, options?: CallOptions): Promise<AttachedKeys> {
			return readKeys((await call(instances.sshKeys, {params: {id}}, options)).ssh_keys);
		},
		/** Attaches a public key to an instance: one of the account, or any other. */
		async attachSshKey(id: number, publicKey: string, options?: CallOptions): Promise<void> {
			await call(instances.attachSshKey, {params: {id}, body: {text: publicKey}}, options);
		},
	};
}

/** Parses the list of keys, which services may send as JSON text inside the reply. */
function readKeys(keys: string | readonly unknown[]): AttachedKeys {
	const list = typeof keys === 'string' ? parseJson(keys) : keys;
	if (!Array.isArray(list)) {
		throw new ReplyError('list the SSH keys of an instance', 'the answer is not a list of keys');
	}
	const reader = openRecordReader(attachedKey, {hasIds: true});
	reader.take(list);
	return {keys: reader.records, unreadable: reader.unreadable()};
}

export type SshKeys = {readonly keys: readonly SshKey[]; readonly unreadable: Unreadable};

export function sshKeyCalls(call: CallEndpoint) {
	return {
		async list(options?: CallOptions): Promise<SshKeys> {
			try {
				return await call(sshKeys.list, {}, options);
			} catch (error) {
				// A 404 without a refused key means an empty list.
				const isMissing = error instanceof ApiError && error.status === 404;
				if (!isMissing || error.isKeyRefused) throw error;
				return {keys: [], unreadable: noneUnreadable};
			}
		},
		/** Registers a public key, for instances that are rented afterwards. */
		create: async (publicKey: string, options?: CallOptions): Promise<SshKey> =>
			(await call(sshKeys.create, {body: {ssh_key: publicKey}}, options)).key,
		update: async (id: number, publicKey: string, options?: CallOptions): Promise<SshKey> =>
			(await call(sshKeys.update, {params: {id}, body: {ssh_key: publicKey}}, options)).key,
	};
}

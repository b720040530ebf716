import type {ApiKeyRecord} from '../../contract/nouns/api-keys.ts';
import {contract} from '../../contract/index.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import type {PermissionsRecord} from '../../contract/grammar/permissions.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const {list, create, reset} = contract.apiKeys;

export type NewApiKey = {
	/** A label. */
	readonly name: string;
	/**
	 * Permissions of the key, in any form that services take.
	 * @default everything
	 */
	readonly permissions?: PermissionsRecord;
};

export type ApiKeys = {readonly keys: readonly ApiKeyRecord[]; readonly unreadable: Unreadable};

export function apiKeyCalls(call: CallEndpoint) {
	return {
		/** The keys of the account, without their values. */
		async list(options?: CallOptions): Promise<ApiKeys> {
			const {apikeys: keys, unreadable} = await call(list, {}, options);
			return {keys, unreadable};
		},
		/** Makes a key. The reply is the only place where its value is ever shown. */
		async create(wanted: NewApiKey, options?: CallOptions) {
			const {id, key, permissions} = await call(create, {body: wanted}, options);
			return {id, key, permissions: permissions ?? false};
		},
		/** Gives a key, or else the calling one, a new value, and ends the old one at once. */
		async reset(id?: number, options?: CallOptions): Promise<string> {
			return (await call(reset, {body: id === undefined ? {} : {id}}, options)).new_api_key;
		},
	};
}

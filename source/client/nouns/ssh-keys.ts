import {contract} from '../../contract/index.ts';
import {noneUnreadable, type Unreadable} from '../../contract/unreadable.ts';
import type {SshKey} from '../../contract/ssh-keys.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';
import {ApiError} from '../errors.ts';

const {list, create, update, delete: remove} = contract.sshKeys;

export type SshKeys = {readonly keys: readonly SshKey[]; readonly unreadable: Unreadable};

export function sshKeyCalls(call: CallEndpoint) {
	return {
		/** The keys of the account. */
		async list(options?: CallOptions): Promise<SshKeys> {
			try {
				return await call(list, {}, options);
			} catch (error) {
				// Some services say so where there is none.
				const isMissing = error instanceof ApiError && error.status === 404;
				if (!isMissing || error.isKeyRefused) throw error;
				return {keys: [], unreadable: noneUnreadable};
			}
		},
		/** Registers a public key, for instances that are rented afterwards. */
		create: async (publicKey: string, options?: CallOptions): Promise<SshKey> =>
			(await call(create, {body: {ssh_key: publicKey}}, options)).key,
		/** Puts another public key in the place of one. */
		update: async (id: number, publicKey: string, options?: CallOptions): Promise<SshKey> =>
			(await call(update, {params: {id}, body: {ssh_key: publicKey}}, options)).key,
		async delete(id: number, options?: CallOptions): Promise<void> {
			await call(remove, {params: {id}}, options);
		},
	};
}

import {contract} from '../../contract/index.ts';
import {noneUnreadable, type Unreadable} from '../../contract/grammar/unreadable.ts';
import type {SshKey} from '../../contract/nouns/ssh-keys.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import {ApiError, ReplyError} from '../exchange/errors.ts';
import {attachedKey, type AttachedKey} from '../../contract/nouns/instance-ssh.ts';
import {openRecordReader} from '../../contract/grammar/record-list.ts';

const {sshKeys, attachSshKey} = contract.instances;

export type AttachedKeys = {
	readonly keys: readonly AttachedKey[];
	readonly unreadable: Unreadable;
};

export function instanceSshCalls(call: CallEndpoint) {
	return {
		/** The keys that may enter an instance. */
		async sshKeys(id: number, options?: CallOptions): Promise<AttachedKeys> {
			return readKeys((await call(sshKeys, {params: {id}}, options)).ssh_keys);
		},
		/** Lets a public key enter an instance: one of the account, or any other. */
		async attachSshKey(id: number, publicKey: string, options?: CallOptions): Promise<void> {
			await call(attachSshKey, {params: {id}, body: {text: publicKey}}, options);
		},
	};
}

/** They come as text inside of the reply. */
function readKeys(keys: string | readonly unknown[]): AttachedKeys {
	const list = typeof keys === 'string' ? parse(keys) : keys;
	if (!Array.isArray(list)) {
		throw new ReplyError('list the SSH keys of an instance', 'the answer is not a list of keys');
	}
	const reader = openRecordReader(attachedKey, {hasIds: true});
	reader.take(list);
	return {keys: reader.records, unreadable: reader.unreadable()};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Not JSON: it is refused as no list.
		return undefined;
	}
}

const {list, create, update} = contract.sshKeys;

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
	};
}

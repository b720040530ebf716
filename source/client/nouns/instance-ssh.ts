import * as z from 'zod/mini';
import {contract} from '../../contract/index.ts';
import {attachedKey} from '../../contract/instance-ssh.ts';
import type {AttachedKey} from '../../contract/instance-ssh.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';
import {ReplyError} from '../errors.ts';

const {sshKeys, attachSshKey, detachSshKey} = contract.instances;

export function instanceSshCalls(call: CallEndpoint) {
	return {
		/** The keys that may enter an instance. */
		async sshKeys(id: number, options?: CallOptions): Promise<AttachedKey[]> {
			return readKeys((await call(sshKeys, {params: {id}}, options)).ssh_keys);
		},
		/** Lets a public key enter an instance: one of the account, or any other. */
		async attachSshKey(id: number, publicKey: string, options?: CallOptions): Promise<void> {
			await call(attachSshKey, {params: {id}, body: {text: publicKey}}, options);
		},
		/** Lets a key enter an instance no longer. */
		async detachSshKey(id: number, keyId: number, options?: CallOptions): Promise<void> {
			await call(detachSshKey, {params: {id, ssh_key_id: keyId}}, options);
		},
	};
}

/** They come as text inside of the reply. */
function readKeys(keys: string | readonly unknown[]): AttachedKey[] {
	const read = z.safeParse(z.array(attachedKey), typeof keys === 'string' ? parse(keys) : keys);
	if (read.success) return read.data;
	throw new ReplyError('list the SSH keys of an instance', 'the answer is not a list of keys');
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Not JSON: it is refused as no list.
		return undefined;
	}
}

/** Keys that are registered with a service, and the keys of this machine that they belong to. */
import {parsePublicKey, PublicKeyError} from '../../contract/rules/public-key.ts';
import type {LocalKey} from './local-keys.ts';

/** A public key as services send it: some call its text `key`, others `public_key`. */
export type RegisteredKey = {
	readonly public_key?: string | null | undefined;
	readonly key?: string | null | undefined;
};

/** The keys of this machine that registered ones belong to. */
export function amongRegistered(
	registered: readonly RegisteredKey[],
	local: readonly LocalKey[],
): readonly LocalKey[] {
	const blobs = new Set(registered.map(blobOf));
	return local.filter(({blob}) => blobs.has(blob));
}

/** The data of a registered key; undefined where it cannot be read. */
export function blobOf({public_key: text, key}: RegisteredKey): string | undefined {
	try {
		return parsePublicKey(text ?? key ?? '').blob;
	} catch (error) {
		if (error instanceof PublicKeyError) return undefined;
		throw error;
	}
}

type Kept = {readonly deleted_at?: string | number | null | undefined};

/** True for a listed key that the account still has: only such a key gets into new instances. */
export function isRegistered({deleted_at: deleted}: Kept): boolean {
	return deleted === undefined || deleted === null || deleted === '' || deleted === 0;
}

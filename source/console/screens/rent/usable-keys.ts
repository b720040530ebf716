/** The SSH keys with which this machine can enter an instance. */
import {access} from 'node:fs/promises';
import {basename} from 'node:path';
import {parsePublicKey, PublicKeyError} from '../../../contract/public-key.ts';
import type {SshKey} from '../../../contract/ssh-keys.ts';
import type {Environment} from '../../theme.ts';
import {findLocalKeys} from '../keys/local-keys.ts';
import type {LocalKey} from '../keys/local-keys.ts';
import {fingerprint, typeWords} from '../keys/public-words.ts';

/** Those that the agent holds, and those whose private half lies beside the public one. It is never read. */
export async function findUsableKeys(environment: Environment): Promise<readonly LocalKey[]> {
	const keys = await findLocalKeys(environment);
	const usable = await Promise.all(
		keys.map(async ({isInAgent, file}) => isInAgent || (await isThere(privateFile(file)))),
	);
	return keys.filter((_, index) => usable[index]);
}

function privateFile(file = ''): string {
	return file.slice(0, -'.pub'.length);
}

async function isThere(file: string): Promise<boolean> {
	return access(file).then(
		() => true,
		() => false,
	);
}

/** The key of this machine that a registered one belongs to. */
export function usableAmong(
	registered: readonly SshKey[],
	local: readonly LocalKey[],
): LocalKey | undefined {
	const blobs = new Set(registered.map(blobOf));
	return local.find(({blob}) => blobs.has(blob));
}

function blobOf({public_key: text, key}: SshKey): string | undefined {
	try {
		return parsePublicKey(text ?? key ?? '').blob;
	} catch (error) {
		if (error instanceof PublicKeyError) return undefined;
		throw error;
	}
}

/** A key of this machine as people know it: "laptop ed25519 ..kQ7m". */
export function describeKey({comment, file, type, blob}: LocalKey): string {
	const name = comment === '' ? basename(privateFile(file)) : comment;
	return `${name} ${typeWords(type, blob)} ${endOf(blob)}`.trim();
}

/** The end of a registered key's fingerprint, by which people tell two of them apart. */
export function endOfRegistered(key: SshKey): string {
	return endOf(blobOf(key) ?? '');
}

function endOf(blob: string): string {
	return blob === '' ? 'unreadable' : `..${fingerprint(blob).slice(-4)}`;
}

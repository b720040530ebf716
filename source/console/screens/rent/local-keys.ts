/** The SSH keys of this machine, as far as their public halves lie beside them. */
import {access, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parsePublicKey, PublicKeyError} from '../../../contract/public-key.ts';
import type {SshKey} from '../../../contract/ssh-keys.ts';

export type LocalKey = {
	/** The private half, which is never read: "id_ed25519". */
	readonly file: string;
	/** What the key is, apart from what it is called. */
	readonly blob: string;
};

/** The keys in a folder such as ~/.ssh; none where it cannot be read. */
export async function readLocalKeys(home: string | undefined): Promise<readonly LocalKey[]> {
	if (home === undefined || home === '') return [];
	const folder = join(home, '.ssh');
	const names = await readdir(folder).catch(() => []);
	const found = await Promise.all(
		names.filter(name => name.endsWith('.pub')).map(async name => readPair(folder, name)),
	);
	return found.flatMap(key => key ?? []);
}

async function readPair(folder: string, name: string): Promise<LocalKey | undefined> {
	const file = name.slice(0, -'.pub'.length);
	try {
		await access(join(folder, file));
		return {file, blob: blobOf(await readFile(join(folder, name), 'utf8')) ?? ''};
	} catch {
		// A public half alone opens nothing.
		return undefined;
	}
}

export function blobOf(text: string | null | undefined): string | undefined {
	try {
		return parsePublicKey(text ?? '').blob;
	} catch (error) {
		if (error instanceof PublicKeyError) return undefined;
		throw error;
	}
}

/** The key of this machine that a registered key belongs to. */
export function privateHalf(
	registered: readonly SshKey[],
	local: readonly LocalKey[],
): LocalKey | undefined {
	const blobs = new Set(registered.flatMap(({key, public_key: text}) => blobOf(text ?? key) ?? []));
	return local.find(({blob}) => blobs.has(blob));
}

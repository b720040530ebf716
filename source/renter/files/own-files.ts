/** Files in the user's home for secrets that a service shows only once. */
import {existsSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import process from 'node:process';
import {fileTrouble} from '../../contract/rules/thrown.ts';
import {createFile, replaceFile} from '../../client/files/files.ts';

/** Folder in the user's home that is proposed for secrets. */
const FOLDER = '~/rentty-keys';

/** Proposes a file that does not exist yet: `~/rentty-keys/prod-instance-812`. */
export function proposeFile(parts: ReadonlyArray<string | number>, home: string): string {
	const plain = parts.join('-').replaceAll(/[^\w.-]+/g, '-');
	const name = plain.replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '').slice(0, 80) || 'key';
	const names = Array.from({length: 100}, (_, at) => (at === 0 ? name : `${name}-${at + 1}`));
	const free = names.find(one => !existsSync(wholePath(`${FOLDER}/${one}`, home)));
	return `${FOLDER}/${free ?? name}`;
}

/** The path with `~` replaced by the user's folder. */
export function wholePath(name: string, home: string): string {
	const path = name.trim();
	if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
	return resolve(process.cwd(), path);
}

/**
 * Stores a secret in a file that only its owner can read, and returns its absolute path.
 *
 * @throws Error with the reason, as a sentence, why it is not stored
 */
export async function keepSecret(name: string, secret: string, home: string): Promise<string> {
	return makeFile(name, `${secret}\n`, home);
}

async function makeFile(name: string, text: string, home: string): Promise<string> {
	if (name.trim() === '') throw new Error('It is not kept: a file needs a name.');
	const file = wholePath(name, home);
	try {
		await createFile(file, text);
		return file;
	} catch (error) {
		throw new Error(`It is not kept in ${file}: ${fileTrouble(error)}.`, {cause: error});
	}
}

/** An empty file, reserved for a secret to come. */
export type SecretFile = {
	readonly file: string;
	readonly write: (secret: string) => Promise<void>;
	/** Removes the file unless a secret was written to it. */
	readonly remove: () => Promise<void>;
};

/**
 * Creates the file for a secret before the service is called: a secret that cannot be stored is not
 * requested.
 *
 * @throws Error with the reason, as a sentence, why there cannot be such a file
 */
export async function reserveFile(name: string, home: string): Promise<SecretFile> {
	const file = await makeFile(name, '', home);
	let isEmpty = true;
	return {
		file,
		async write(secret) {
			await replaceFile(file, `${secret}\n`, {isDurable: true});
			isEmpty = false;
		},
		async remove() {
			// An empty file that cannot be removed does no harm.
			if (isEmpty) await rm(file, {force: true}).catch(() => undefined);
		},
	};
}

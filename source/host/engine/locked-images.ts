/** Remembers which images somebody logged in for: what one may have, the next may not. */
import {readFile, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {listOf, parseJson} from '../json.ts';

export async function isLocked(folder: string, repository: string): Promise<boolean> {
	return (await readLocked(folder)).includes(repository);
}

/** It is noted before it is pulled: whoever is killed meanwhile has noted too much rather than nothing. */
export async function noteLocked(folder: string, repository: string): Promise<void> {
	const known = await readLocked(folder);
	if (known.includes(repository)) return;
	const file = fileIn(folder);
	const copy = `${file}.${repository.length}.new`;
	await writeFile(copy, JSON.stringify([...known, repository]), {mode: 0o600});
	await rename(copy, file);
}

async function readLocked(folder: string): Promise<readonly unknown[]> {
	return listOf(parseJson(await readFile(fileIn(folder), 'utf8').catch(() => '')));
}

function fileIn(folder: string): string {
	return join(folder, 'locked-images.json');
}

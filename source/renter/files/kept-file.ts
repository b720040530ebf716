/** Files that the program stores for itself, and can do without. */
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {parseJson} from '../../contract/grammar/json.ts';
import {readPlainFile} from '../../client/files/files.ts';

/** Text of a file; empty if there is none. */
export function readKept(file: string): string {
	try {
		return readPlainFile(file);
	} catch {
		// A missing file, as on the first start, and an unreadable one count as empty.
		return '';
	}
}

/** Parsed JSON of a file; undefined if it cannot be read. */
export function readKeptJson(file: string): unknown {
	return parseJson(readKept(file));
}

/** Changes whenever the file is replaced; empty if there is none. */
export function stampOf(file: string): string {
	try {
		const {ino, mtimeMs, size} = statSync(file);
		return `${ino} ${mtimeMs} ${size}`;
	} catch {
		return '';
	}
}

/** A service, as far as needed to distinguish its ids from those of others. */
export type KeptService = {readonly name: string; readonly url: string | undefined};

/** Id of a service in files: two services of one name at two addresses differ. */
export function serviceId({name, url}: KeptService): string {
	return url === undefined ? name : `${name} ${url}`;
}

/** The file of observations of one service: the same ids mean other instances and hosts elsewhere. */
export function serviceFile(
	folder: string,
	what: string,
	service: KeptService,
	ending = 'json',
): string {
	const name = serviceId(service).replaceAll(/[^\w.-]+/g, '-');
	return join(folder, `${what}-${name.slice(0, 100)}.${ending}`);
}

/** The API key of a market's first start: kept in a file that is asked for, or printed this once. */
import {messageOf} from '../contract/thrown.ts';
import {existsSync} from 'node:fs';
import {homeFolder} from '../renter/folders.ts';
import {UsageError} from '../renter/usage-error.ts';
import {reserveFile, wholePath, type SecretFile} from '../renter/own-files.ts';

export type FirstKey = {
	/** Keeps the key, and answers the line that says how to get in. */
	readonly tell: (key: string) => Promise<string>;
	/** Takes a file away that no key was written to. */
	readonly close: () => Promise<void>;
};

/**
 * Makes the file for the key before the market starts. One that is there already may be that of the
 * first start, which nothing is written to.
 *
 * @throws UsageError where there cannot be such a file
 */
export async function openFirstKey(name: string | undefined): Promise<FirstKey> {
	const isTaken = name !== undefined && existsSync(wholePath(name, homeFolder()));
	const place = name === undefined || isTaken ? undefined : await reserve(name);
	return {
		async tell(key) {
			if (place === undefined) {
				return printed(key, isTaken ? ` (${name} is there already, and left as it is)` : '');
			}
			try {
				await place.write(key);
				return `API key, kept for you alone in ${place.file}`;
			} catch (error) {
				// The market knows it by now, and nobody could get in without it.
				return printed(key, ` (${place.file} cannot be written: ${messageOf(error)})`);
			}
		},
		close: async () => place?.remove(),
	};
}

function printed(key: string, why: string): string {
	return `API key, shown this once${why}: ${key}`;
}

async function reserve(name: string): Promise<SecretFile> {
	try {
		return await reserveFile(name, homeFolder());
	} catch (error) {
		throw new UsageError(`--key-file: ${messageOf(error)} Nothing was started.`, {cause: error});
	}
}

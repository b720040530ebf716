import {existsSync, readFileSync} from 'node:fs';
import {readingTrouble} from '../../contract/rules/thrown.ts';

/** A command line, or an environment, that cannot be followed: one sentence that says why. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/**
 * Reads a file that the user names.
 *
 * @throws UsageError where it cannot be read
 */
export function readNamedFile(name: string, file: string | number = name): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		throw new UsageError(`${name} cannot be read (${readingTrouble(error)}).`, {cause: error});
	}
}

/** A file of the user's that cannot be followed; the message names the field. */
export class UserFileError extends Error {
	override readonly name = 'UserFileError';
}

/**
 * Reads a file that the user may have written.
 *
 * @param read Takes its text, undefined where there is none, and may throw a UserFileError.
 * @throws UsageError where it cannot be followed
 */
export function readUserFile<Read>(file: string, read: (text: string | undefined) => Read): Read {
	try {
		return read(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
	} catch (error) {
		if (!(error instanceof UserFileError)) throw error;
		throw new UsageError(`${file}: ${error.message}.`, {cause: error});
	}
}

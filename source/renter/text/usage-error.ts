import {existsSync, readFileSync} from 'node:fs';
import {readingTrouble} from '../../contract/rules/thrown.ts';

/** Error for an invalid command line or environment: one sentence with the reason. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/**
 * Reads a file that the user names.
 *
 * @throws UsageError if it cannot be read
 */
export function readNamedFile(name: string, file: string | number = name): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		throw new UsageError(`${name} cannot be read (${readingTrouble(error)}).`, {cause: error});
	}
}

/** Error for an invalid file of the user; the message names the field. */
export class UserFileError extends Error {
	override readonly name = 'UserFileError';
}

/**
 * Reads a file that the user may have written.
 *
 * @param read Gets its text, undefined without a file, and may throw a UserFileError.
 * @throws UsageError if it is invalid
 */
export function readUserFile<Read>(file: string, read: (text: string | undefined) => Read): Read {
	try {
		return read(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
	} catch (error) {
		if (!(error instanceof UserFileError)) throw error;
		throw new UsageError(`${file}: ${error.message}.`, {cause: error});
	}
}

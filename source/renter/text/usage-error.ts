import {readFileSync} from 'node:fs';
import {readIfThere} from '../../client/files/files.ts';
import {codeOf, readingTrouble} from '../../contract/rules/thrown.ts';

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
 * @throws UsageError if it cannot be read, or is invalid
 */
export function readUserFile<Read>(file: string, read: (text: string | undefined) => Read): Read {
	try {
		return read(readUserText(file));
	} catch (error) {
		const why =
			error instanceof UserFileError
				? `: ${error.message}`
				: ` cannot be read (${readingTrouble(error)})`;
		throw new UsageError(`${file}${why}.`, {cause: error});
	}
}

/** Text of a file that the user may have written; undefined without it. @throws Error if it cannot be read */
export function readUserText(file: string): string | undefined {
	try {
		return readIfThere(file);
	} catch (error) {
		// Something else has the name of its folder, so that it is missing, too.
		if (codeOf(error) === 'ENOTDIR') return undefined;
		throw error;
	}
}

import {readFileSync} from 'node:fs';
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

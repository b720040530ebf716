import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {removeFolder} from './remove-folder.ts';

/**
 * A folder that is gone when it is let go of.
 *
 * @param within Another place than that of this run, where frames show its path.
 */
export function openFolder(within: string = tmpdir()) {
	const path = mkdtempSync(join(within, 'rentty-process-'));
	return {path, [Symbol.dispose]: () => removeFolder(path)};
}

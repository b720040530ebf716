import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/**
 * A folder that is gone when it is let go of.
 *
 * @param within Another place than that of this run, where frames show its path.
 */
export function openFolder(within: string = tmpdir()) {
	const path = mkdtempSync(join(within, 'rentty-process-'));
	return {path, [Symbol.dispose]: () => rmSync(path, {recursive: true, force: true})};
}

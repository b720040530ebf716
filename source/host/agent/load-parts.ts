import {loadRemoteFiles} from '../copies/copies.ts';
import {loadTerminals} from '../inside/inside.ts';
import {loadSshServer} from '../ssh/entrance.ts';

/**
 * Loads what an agent needs only once something is rented or copied: an upgrade takes the files of a
 * program away that runs. Each is loaded where it is needed, since Node looks for its file again for
 * each module that imports it.
 */
export async function loadParts(): Promise<void> {
	await Promise.all([
		loadSshServer(),
		loadRemoteFiles(),
		// Where there are none, whoever enters is told so.
		loadTerminals().catch(() => undefined),
	]);
}

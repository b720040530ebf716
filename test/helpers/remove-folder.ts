import {existsSync, rmSync} from 'node:fs';

/** So often a folder is removed anew while somebody still writes into it. */
const MOST_TRIES = 1000;

/**
 * Removes a folder that a program which is leaving may still write into: rmSync ends without an error, and
 * with most of the folder left, where a file vanishes that it has just listed.
 */
export function removeFolder(path: string): void {
	for (let tries = 1; existsSync(path); tries += 1) {
		try {
			rmSync(path, {recursive: true, force: true});
		} catch (error) {
			if (tries >= MOST_TRIES) throw error;
		}
		if (tries >= MOST_TRIES && existsSync(path)) throw new Error(`${path} is written into again`);
	}
}

/** Why tests are skipped: what they need is not on every machine. */
import {spawnSync} from 'node:child_process';
import {appendFileSync} from 'node:fs';
import {join} from 'node:path';
import {ofTheRun, placeOfRun} from '../run/place.ts';

/** Has the end of the run tell a reason, and answers it; undefined where nothing is missing. */
export function skipFor(reason: string | undefined): string | undefined {
	if (reason !== undefined) appendFileSync(join(placeOfRun(), ofTheRun.missing), `${reason}\n`);
	return reason;
}

/** Why tests that run a program are skipped; undefined where it is installed. */
export function skipWithout(program: string, version = '--version'): string | undefined {
	const {error} = spawnSync(program, [version]);
	return skipFor(error === undefined ? undefined : `${program} is not installed`);
}

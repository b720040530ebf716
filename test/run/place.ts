/** The folder of one run of tests, in which all of its temporary files lie. */
import {chmodSync, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';

/** Name of the variable that a run gives to every process it starts. */
export const RUN_VARIABLE = 'RENTTY_TEST_RUN';

/** Makes the folder, or answers that of the run this process belongs to. */
export function placeOfRun(): string {
	const known = process.env[RUN_VARIABLE];
	if (known !== undefined) return known;
	const folder = mkdtempSync(join(tmpdir(), 'rentty-run-'));
	// Servers and renters that are other users go through it.
	chmodSync(folder, 0o755);
	process.env[RUN_VARIABLE] = folder;
	return folder;
}

/** Files in it that the run itself keeps. */
export const ofTheRun = {
	spent: 'spent.jsonl',
	missing: 'missing.txt',
	postgres: 'postgres',
	home: 'home',
};

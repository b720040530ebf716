/** The beginning and the end of a run of tests. */
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {createServer} from '../helpers/postgres-server.ts';
import {clearAfter} from './left-behind.ts';
import {ofTheRun, placeOfRun} from './place.ts';

const root = join(import.meta.dirname, '..', '..');

/** Builds the program where it is older than its source. */
export function setup(): void {
	execFileSync(join(root, 'build', 'if-stale.sh'), {stdio: 'inherit'});
}

/** Looks for what the tests left behind, which fails `npm test`. */
export async function teardown(): Promise<void> {
	const folder = placeOfRun();
	const postgres = join(folder, ofTheRun.postgres);
	if (existsSync(postgres)) await createServer(join(postgres, 'server')).stop('immediate');
	const left = await clearAfter(folder);
	if (left.length === 0) return;
	console.error(['The tests left something behind:', ...left].join('\n  '));
	// Engines and killed agents have more to end: there it is told.
	if (process.env['TEST_ALL'] !== '1') process.exitCode = 1;
}

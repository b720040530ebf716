/** The beginning and the end of a run of tests. */
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {createServer} from '../helpers/market/postgres-server.ts';
import {clearAfter} from './left-behind.ts';
import {ofTheRun, placeOfRun} from './place.ts';
import {addFailure, resultsFolder} from './results.ts';

const root = join(import.meta.dirname, '..', '..');

/** Builds the program where it is older than its source, and what several files use of it. */
export async function setup(): Promise<void> {
	execFileSync(join(root, 'build', 'if-stale.sh'), {stdio: 'inherit'});
	if (process.env['TEST_REST'] !== '1') return;
	const {noSingle, singleFile} = await import('../helpers/commands/single.ts');
	if (noSingle === undefined) await singleFile();
}

/** Looks for what the tests left behind, which fails the run. */
export async function teardown(): Promise<void> {
	const folder = placeOfRun();
	const postgres = join(folder, ofTheRun.postgres);
	if (existsSync(postgres)) await createServer(join(postgres, 'server')).stop('immediate');
	const left = await clearAfter(folder);
	if (left.length === 0) return;
	const text = ['The tests left something behind:', ...left].join('\n  ');
	console.error(text);
	if (resultsFolder !== undefined) {
		addFailure(resultsFolder, {file: undefined, project: '', test: 'after all tests', text});
	}
	process.exitCode = 1;
}

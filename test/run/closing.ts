/**
 * Closes CI: runs each file that failed once more by itself, and says what is green, flaky and red.
 *
 *     node test/run/closing.ts RESULTS SUITE=CODE…
 *
 * Each suite left its results in a folder of RESULTS, and its runner ended with CODE. The verdict is left there, too.
 * Without suites, it prints which files are under way in RESULTS.
 */
import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {readResult, readUnended, type Failure, type RunResult} from './results.ts';

type Suite = {readonly name: string; readonly code: number; readonly result: RunResult | undefined};

/** What running a file again came to. */
export type Again = (file: string, project: string) => readonly Failure[];

export type Verdict = {
	readonly lines: readonly string[];
	readonly isGreen: boolean;
};

/** So many files are run again at most: where more fail, it is not by chance. */
const MOST_AGAIN = 12;

/** Decides from what the suites left, and from what their failed files do when they run again. */
export function decide(suites: readonly Suite[], again: Again): Verdict {
	const red: Failure[] = suites.flatMap(withoutFile);
	const flaky: Failure[] = [];
	const failures = suites.flatMap(({result}) => result?.failures ?? []);
	const groups = [...byFile(failures).values()];
	for (const [first, ...others] of groups) {
		if (first === undefined) continue;
		if (groups.length > MOST_AGAIN) {
			red.push(first, ...others);
			continue;
		}
		if (first.file === undefined) {
			// A test that was cut off leaves behind what it had opened.
			const isExplained = groups.some(([one]) => one?.file !== undefined);
			(isExplained ? flaky : red).push(first, ...others);
			continue;
		}
		const repeated = again(first.file, first.project);
		if (repeated.length === 0) flaky.push(first, ...others);
		else red.push(...repeated);
	}
	const sum = (count: 'passed' | 'skipped') =>
		suites.reduce((all, {result}) => all + (result?.[count] ?? 0), 0);
	return {
		lines: [
			...flaky.map(failure => describe('flaky', failure)),
			...red.map(failure => describe('failed', failure)),
			`${sum('passed') + flaky.length} passed, ${red.length} failed, ${sum('skipped')} skipped`,
		],
		isGreen: red.length === 0,
	};
}

/** Failures of a suite that did not end, or that ended badly for a reason that no test tells. */
function withoutFile({name, code, result}: Suite): readonly Failure[] {
	const whose = {file: undefined, project: '', test: name};
	if (result === undefined) return [{...whose, text: `ended with ${code} before its tests had`}];
	if (code === 0 || result.failures.length > 0) return [];
	return [{...whose, text: `ended with ${code}, though no test failed`}];
}

function byFile(failures: readonly Failure[]): ReadonlyMap<string, readonly Failure[]> {
	return Map.groupBy(failures, ({file, project}) => `${project} ${file ?? ''}`);
}

function describe(word: string, {file, test, text}: Failure): string {
	const place = file === undefined ? test : `${file} > ${test}`;
	return `${word}: ${place}\n${text.replaceAll(/^/gm, '    ')}`;
}

/** Says which files of tests were under way, and since when. */
export function describeUnended(folder: string): readonly string[] {
	return readUnended(folder).map(
		({file, project, at}) =>
			`under way: ${file} (${project}), since ${new Date(at).toISOString().slice(11, 19)}`,
	);
}

function runAgain(folder: string): Again {
	let count = 0;
	return (file, project) => {
		const results = join(folder, `again-${count++}`);
		console.log(`\nonce more, by itself: ${file}`);
		const projects = project === '' ? [] : ['--project', project];
		const {status} = spawnSync('npx', ['vitest', 'run', file, ...projects], {
			stdio: ['ignore', 'inherit', 'inherit'],
			env: {...process.env, TEST_RESULTS: results},
		});
		const result = readResult(results);
		if (result !== undefined && (status === 0 || result.failures.length > 0))
			return result.failures;
		return [{file, project, test: 'once more', text: `ended with ${status}`}];
	};
}

if (import.meta.main) {
	const [folder = '', ...codes] = process.argv.slice(2);
	if (codes.length === 0) {
		console.log(describeUnended(folder).join('\n'));
	} else {
		const suites = codes.map(word => {
			const [name = '', code] = word.split('=');
			return {name, code: Number(code), result: readResult(join(folder, name))};
		});
		const {lines, isGreen} = decide(suites, runAgain(folder));
		writeFileSync(join(folder, 'verdict'), `\n${lines.join('\n')}\n`);
		process.exitCode = isGreen ? 0 : 1;
	}
}

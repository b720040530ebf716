/**
 * `npm run explore`: runs all properties with cases that nobody has seen, round after round, until it is
 * ended or has had as many rounds as are said. Each failure ends with the command that repeats it.
 */
import {spawn} from 'node:child_process';
import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {globSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {readResult} from './results.ts';

const root = join(import.meta.dirname, '..', '..');
const files = globSync('test/**/*.test.{ts,tsx}', {cwd: root}).filter(file =>
	/'(?:fast-check|.*helpers\/property\.ts)'/.test(readFileSync(join(root, file), 'utf8')),
);

const [rounds = Infinity] = process.argv.slice(2).map(Number);
const failed: string[] = [];
const ending = new AbortController();
process.once('SIGINT', () => ending.abort());

for (let round = 1; round <= rounds && !ending.signal.aborted; round += 1) {
	const seed = randomInt(2 ** 31);
	for (const line of await failuresOf(seed)) {
		failed.push(line);
		console.log(line);
	}
	console.log(`round ${round}: seed ${seed}, ${failed.length} failed so far`);
}
for (const line of failed) console.log(line);
process.exitCode = failed.length === 0 ? 0 : 1;

/** What fails with the cases of a seed, with how to run it again. */
async function failuresOf(seed: number): Promise<readonly string[]> {
	const results = mkdtempSync(join(tmpdir(), 'rentty-explore-'));
	try {
		const child = spawn(join(root, 'node_modules/.bin/vitest'), ['run', ...files], {
			cwd: root,
			stdio: 'ignore',
			// Below 1: what all runs together must have met is not asked of other cases.
			env: {...process.env, TEST_SEED: String(seed), TEST_RUNS: '0.9', TEST_RESULTS: results},
		});
		await once(child, 'exit');
		const result = readResult(results);
		if (result === undefined && !ending.signal.aborted)
			return [`seed ${seed}: the run did not end`];
		return (result?.failures ?? []).map(
			({file = '', test, text}) =>
				`TEST_SEED=${seed} TEST_RUNS=0.9 npm test -- ${file}\n  ${test}\n  ${text.split('\n', 1)[0]}`,
		);
	} finally {
		rmSync(results, {recursive: true, force: true});
	}
}
